import Foundation

/// Why goals are not reached: hand-written paragraphs, each below a heading that names a row, a curve or the memory of a chain.
struct Reasons {
  private var texts: [String: String] = [:]

  init(path: String) throws {
    var heading: String?
    for line in try String(contentsOfFile: path, encoding: .utf8).components(separatedBy: "\n") {
      if line.hasPrefix("## ") {
        heading = String(line.dropFirst(3))
      } else if let heading {
        texts[heading, default: ""] += line + "\n"
      }
    }
    texts = texts.mapValues { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
  }

  /// The reason for something, if one is written down.
  func reason(for name: String) -> String? { texts[name].flatMap { $0.isEmpty ? nil : $0 } }

  /// Headings for which nothing is missed any more, or that name nothing.
  func superfluous(missed names: Set<String>) -> [String] { texts.keys.filter { !names.contains($0) }.sorted() }
}
