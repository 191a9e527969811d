import SignalGraph

/// The texts of a drawing for screen readers, tooltips and programs.
package struct PictureCaptions {
  /// The texts of a box, a link or a cluster.
  package struct Caption {
    /// A single line, such as "map, Feed.swift line 12, 1,204 values, live".
    package var label: String
    /// The lines of the tooltip.
    package var hover: [String]
    /// The machine-readable attributes with their values.
    package var data: [(name: String, value: String)]
    /// The target of a click.
    package var link = ""
  }

  /// A short description of the whole drawing.
  package let title: String
  /// The content, what was omitted, and the findings.
  package let description: String
  private var captions: [String: Caption] = [:]

  /// The texts of an element, by its id in DOT.
  package subscript(id: String) -> Caption? { captions[id] }

  /// - Complexity: O(boxes + links).
  package init(of picture: GraphPicture, options: DrawingOptions) {
    title = "Signals of \(picture.process.name.displayable(limit: 60))"
    var sentences = [picture.counts(options), picture.connections]
    sentences += options.headings.prefix(20)
    sentences += picture.marks.enumerated().map { "\($0 + 1): " + $1.sentence }
    if let notice = options.notice { sentences.append(notice.words) }
    description = sentences.map { Self.clean($0, 1_500).asSentence }.joined(separator: "\n")
    var names: [UInt64: String] = [:]
    var ids: [UInt64: String] = [:]
    captions.reserveCapacity(picture.boxes.count + picture.links.count)
    let schedulers = picture.schedulers
    for box in picture.boxes {
      names[box.id] = Self.clean(box.shortName, 80)
      ids[box.id] = box.elementID
      captions[box.elementID] = Caption(
        label: Self.clean(box.words(schedulers).joined(separator: ", "), 400),
        hover: box.hover(picture.marks).map { Self.clean($0, 400) },
        data: box.data.map { ($0.name, Self.clean($0.value, 200)) },
        link: Self.clean("Open \(box.parts[0].site)", 200))
    }
    for link in picture.links {
      let copies = link.copies > 1 ? ", \(link.copies.grouped) connections" : ""
      let words =
        "\(link.meaning), from \(names[link.source] ?? "") to \(names[link.target] ?? "")\(copies)"
      captions[link.elementID] = Caption(
        label: words, hover: [words],
        data: [
          ("kind", link.kindName), ("source", ids[link.source] ?? ""), ("target", ids[link.target] ?? ""),
          ("copies", "\(link.copies)"),
        ] + (link.channel.map { [("channel", Self.clean($0.name, 200))] } ?? []))
    }
    for frame in picture.frames(options).frames.flatMap(\.captions) {
      captions[frame.id] = Caption(
        label: Self.clean(frame.label, 400), hover: [Self.clean(frame.hover, 400)],
        data: [(frame.data.name, Self.clean(frame.data.value, 200))])
    }
  }

  private static func clean(_ text: String, _ limit: Int) -> String { text.displayable(limit: limit) }
}

extension GraphPicture {
  /// The id of the cluster of a file.
  static func frameID(_ number: Int) -> String { "f\(number)" }

  /// The number of connections, such as "24 connections".
  fileprivate var connections: String { "\(links.count.grouped) connection\(links.count == 1 ? "" : "s")" }
}

extension GraphPicture.Link {
  /// The id in DOT and in SVG.
  var elementID: String { "n\(source)_n\(target)_\(kindName)" + (channel.map { "_\($0.number)" } ?? "") }
}

extension GraphPicture.Box {
  /// The id in SVG: that of the node, so the same box has it in each drawing of a process; among several programs it is
  /// prefixed with the process.
  var elementID: String { place?.elementID ?? "n\(id)" }

  /// The name, or the kind and location.
  fileprivate var shortName: String {
    if isChannel { return "channel \(heading ?? "")" }
    if let heading { return heading }
    if let name = parts.compactMap(\.name).first { return name }
    return "\(parts[0].kind) at \(parts[0].site)"
  }

  /// The descriptions, the most important first.
  fileprivate func words(_ schedulers: SchedulerWords) -> [String] {
    if isChannel { return [shortName] }
    var words: [String] = []
    if let heading {
      words = [heading, parts[0].values]
    } else {
      let times = copies > 1 ? "\(copies.grouped) times " : ""
      words.append(times + parts.map(\.title).joined(separator: ", then "))
      words += [parts[0].place, parts[parts.count - 1].values]
      if parts.count == 1, let scheduler = parts[0].scheduler { words.append("on \(schedulers[scheduler])") }
    }
    if waiting > 0 { words.append("\(waiting.grouped) waiting") }
    if dropped > 0 { words.append("\(dropped.grouped) dropped") }
    words.append(parts.compactMap(\.failure).first.map { "failed: \($0)" } ?? state.rawValue)
    words += findings.map(\.rawValue).sorted()
    words += channelWords
    if let change { words.append(change.rawValue) }
    if !marks.isEmpty { words.append("number " + marks.sorted().map { "\($0)" }.joined(separator: " and ")) }
    return words
  }

  /// The lines of its tooltip.
  fileprivate func hover(_ list: [PictureMark]) -> [String] {
    if isChannel { return [shortName] }
    var lines = heading.map { [$0, parts[0].values] } ?? []
    if heading == nil {
      for part in parts.prefix(3) {
        lines += ["\(part.title)  \(part.site)"] + part.details + [part.values]
        if let failure = part.failure { lines.append("failed: \(failure)") }
      }
      if parts.count > 3 { lines.append("\(parts.count - 3) more") }
    }
    for number in marks.sorted().prefix(6) where list.indices.contains(number - 1) {
      lines.append("\(number): \(list[number - 1].sentence)")
    }
    return lines
  }

  /// The machine-readable attributes.
  fileprivate var data: [(name: String, value: String)] {
    if isChannel { return [("channel", heading ?? "")] }
    var data = [
      ("nodes", "\(nodeCount)"), ("values", "\(parts[parts.count - 1].valueCount)"), ("state", state.rawValue),
    ]
    if !findings.isEmpty { data.append(("findings", findings.map(\.rawValue).sorted().joined(separator: " "))) }
    if !marks.isEmpty { data.append(("marks", marks.sorted().map { "\($0)" }.joined(separator: " "))) }
    guard heading == nil else { return data }
    data += [
      ("kind", parts.map(\.kind).joined(separator: " ")), ("file", parts[0].definition.fileID),
      ("line", "\(parts[0].definition.line)"),
    ]
    if let name = parts.compactMap(\.name).first { data.append(("name", name)) }
    return data
  }
}

extension GraphPicture.Part {
  /// The kind and the name.
  fileprivate var title: String { name.map { "\(kind) “\($0)”" } ?? kind }

  /// The location, such as "Feed.swift line 12".
  fileprivate var place: String { "\(definition.baseName) line \(definition.line)" }
}

extension PictureMark {
  /// The message, its location, and the remedy.
  fileprivate var sentence: String { [words, place, remedy].filter { !$0.isEmpty }.joined(separator: "; ") }
}
