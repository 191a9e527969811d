import SignalPicture

/// Adapts libgraphviz's SVG for light and dark mode, for screen readers, and for programs.
///
/// It is read once from the first byte to the last, and written as it is read. Strings of the inspected program occur
/// twice: as text that libgraphviz has escaped and that is not touched, and in the captions, which are escaped here.
struct PaintedSVG {
  private let bytes: [UInt8]
  private let captions: PictureCaptions
  private var output: [UInt8] = []
  /// The beginning of the part that is not copied yet.
  private var start = 0
  /// Whether each of the open groups and links is kept.
  private var openElements: [Bool] = []
  /// The caption of the innermost group with one.
  private var caption: PictureCaptions.Caption?

  /// - Parameters:
  ///   - bytes: The drawing as painted by libgraphviz.
  ///   - captions: The captions of its elements.
  static func finished(_ bytes: [UInt8], _ captions: PictureCaptions) -> [UInt8] {
    var picture = PaintedSVG(bytes: bytes, captions: captions)
    picture.run()
    return picture.output
  }

  private init(bytes: [UInt8], captions: PictureCaptions) {
    self.bytes = bytes
    self.captions = captions
    output.reserveCapacity(bytes.count + bytes.count / 2)
  }

  private mutating func run() {
    var position = 0
    while let open = find("<", from: position) {
      if has("<!--", at: open) {
        let end = find("-->", from: open).map { $0 + 3 } ?? bytes.count
        // The first contains the version; the others repeat names of boxes.
        if !has("<!-- Generated", at: open) { leaveOut(open, end) }
        position = end
      } else if has("<!", at: open) {
        // A document type does not know roles.
        let end = endOfTag(open)
        leaveOut(open, end)
        position = end
      } else if has("</", at: open) {
        position = endOfTag(open)
        if has("</g>", at: open) || has("</a>", at: open) { close(open, position) }
      } else {
        let end = endOfTag(open)
        position = element(open, end)
      }
    }
    copy(to: bytes.count)
  }

  /// Processes the beginning of an element; returns the position to continue at.
  private mutating func element(_ open: Int, _ end: Int) -> Int {
    if has("<g ", at: open) {
      begin(group: open, end)
    } else if has("<a ", at: open) {
      begin(link: open, end)
    } else if has("<title>", at: open) {
      guard let close = find("</title>", from: end) else { return end }
      leaveOut(open, close + 8)
      if let caption {
        write("<title>\(Self.text(caption.hover))</title>\n")
      }
      return close + 8
    } else if has("<svg ", at: open) {
      copy(to: end - 1)
      write(" class=\"\(PictureStyleSheet.className)\" role=\"graphics-document document\"")
      write(" aria-labelledby=\"signals-title\" aria-describedby=\"signals-description\">\n")
      write("<title id=\"signals-title\">\(Self.text([captions.title]))</title>\n")
      write("<desc id=\"signals-description\">\(Self.text([captions.description]))</desc>\n")
      write("<style>\n\(PictureStyleSheet.text)</style>")
      start = end
    }
    return end
  }

  private mutating func begin(group open: Int, _ end: Int) {
    guard let id = attribute("id", open, end) else {
      openElements.append(true)
      return
    }
    if id.hasPrefix("a_") {
      // It contains only a link.
      openElements.append(false)
      leaveOut(open, end)
      return
    }
    openElements.append(true)
    caption = captions[id]
    guard let caption else { return }
    copy(to: end - 1)
    let isLink = attribute("class", open, end)?.hasPrefix("edge") == true
    // Screen readers skip the contents of an image; a cluster and elements with a link have contents.
    let isGroup = attribute("class", open, end)?.hasPrefix("cluster") == true
    let role = isGroup ? "group" : isLink || !hasLink(after: end) ? "graphics-symbol" : "graphics-object"
    write(" role=\"\(role)\" aria-label=\"\(Self.text([caption.label]))\"")
    for entry in caption.data { write(" data-\(entry.name)=\"\(Self.text([entry.value]))\"") }
    write(">")
    start = end
  }

  /// Whether a title begins here, followed by a group with a link.
  private func hasLink(after end: Int) -> Bool {
    guard let close = find("</title>", from: end), let group = find("<", from: close + 8), has("<g ", at: group),
      let link = find("<", from: endOfTag(group)), has("<a ", at: link)
    else { return false }
    return attribute("xlink:href", link, endOfTag(link)) != nil
  }

  private mutating func begin(link open: Int, _ end: Int) {
    guard let place = attribute("xlink:href", open, end) else {
      // It exists only for its title, which is written differently.
      openElements.append(false)
      leaveOut(open, end)
      return
    }
    openElements.append(true)
    copy(to: open)
    // As escaped by libgraphviz.
    write("<a xlink:href=\"\(place)\"")
    if let caption { write(" aria-label=\"\(Self.text([caption.link]))\"") }
    write(">")
    start = end
  }

  private mutating func close(_ open: Int, _ end: Int) {
    if openElements.popLast() == false { leaveOut(open, end) }
  }

  // MARK: Reading

  private func has(_ text: StaticString, at position: Int) -> Bool {
    text.withUTF8Buffer { text in
      position + text.count <= bytes.count && text.indices.allSatisfy { bytes[position + $0] == text[$0] }
    }
  }

  private func find(_ text: StaticString, from position: Int) -> Int? {
    let first = text.utf8Start.pointee
    var position = position
    while position < bytes.count {
      if bytes[position] == first, has(text, at: position) { return position }
      position += 1
    }
    return nil
  }

  /// The position after the tag that begins here; quoted values may contain anything.
  private func endOfTag(_ open: Int) -> Int {
    var quote: UInt8?
    for position in open..<bytes.count {
      let byte = bytes[position]
      if let mark = quote {
        if byte == mark { quote = nil }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      } else if byte == UInt8(ascii: ">") {
        return position + 1
      }
    }
    return bytes.count
  }

  /// The value of an attribute as it is written; nil if the tag does not have it.
  private func attribute(_ name: StaticString, _ open: Int, _ end: Int) -> String? {
    var position = open
    while position < end {
      guard bytes[position] == UInt8(ascii: "\"") else {
        position += 1
        continue
      }
      // A value begins; its name is before it.
      let value = position + 1
      guard let close = bytes[value..<end].firstIndex(of: UInt8(ascii: "\"")) else { return nil }
      let length = name.utf8CodeUnitCount
      let isName =
        position - length - 2 >= open && bytes[position - 1] == UInt8(ascii: "=")
        && has(name, at: position - 1 - length)
        && [UInt8(ascii: " "), UInt8(ascii: "\n")].contains(bytes[position - length - 2])
      if isName { return String(decoding: bytes[value..<close], as: UTF8.self) }
      position = close + 1
    }
    return nil
  }

  // MARK: Writing

  private mutating func copy(to end: Int) {
    if start < end { output += bytes[start..<end] }
    start = max(start, end)
  }

  /// Copies the part before, and continues after it and its line's end.
  private mutating func leaveOut(_ open: Int, _ end: Int) {
    copy(to: open)
    let isLine = output.last == UInt8(ascii: "\n") && end < bytes.count && bytes[end] == UInt8(ascii: "\n")
    start = isLine ? end + 1 : end
  }

  private mutating func write(_ text: String) { output += text.utf8 }

  /// Lines as the text of an element or of an attribute's value.
  private static func text(_ lines: [String]) -> String { XMLText.escaped(lines.joined(separator: "\n")) }
}
