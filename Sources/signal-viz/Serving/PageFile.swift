internal import CPage

/// The files of the page, which are in `Sources/CPage/Files` and are embedded in the executable, so that it works
/// wherever it is moved.
struct PageFile: Sendable {
  var type: String
  var bytes: [UInt8]

  static let page = byName["page.html"] ?? PageFile(type: type(of: "page.html"), bytes: [])

  /// The files that the page loads, by path.
  static let files = Dictionary(
    uniqueKeysWithValues: byName.filter { $0.key != "page.html" }.map { ("/" + $0.key, $0.value) })

  private static let byName: [String: PageFile] = {
    var files: [String: PageFile] = [:]
    for index in 0..<page_file_count() {
      let file = page_file_at(index)
      let name = String(cString: file.name)
      files[name] = PageFile(
        type: type(of: name), bytes: Array(UnsafeBufferPointer(start: file.bytes, count: file.count)))
    }
    return files
  }()

  private static func type(of name: String) -> String {
    switch name.split(separator: ".").last {
    case "html": "text/html; charset=utf-8"
    case "css": "text/css; charset=utf-8"
    case "svg": "image/svg+xml"
    default: "text/javascript; charset=utf-8"
    }
  }
}
