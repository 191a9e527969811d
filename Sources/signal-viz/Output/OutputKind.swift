import ArgumentParser
import SignalRendering

/// What is written, told by the extension of the output file.
enum OutputKind {
  case picture(PictureFormat)
  case dot
  case json
  case mermaid

  static let list = "svg, png, pdf, dot, json, mmd"
  /// Those that show something.
  static let pictures = "svg, png, pdf, dot, mmd"

  /// - Parameter list: The extensions to name where there is another one.
  init(path: String, offering list: String = Self.list) throws {
    let name = path.split(separator: "/").last ?? ""
    let suffix = name.lastIndex(of: ".").map { name[name.index(after: $0)...].lowercased() } ?? ""
    switch suffix {
    case "dot", "gv": self = .dot
    case "json": self = .json
    case "mmd", "mermaid": self = .mermaid
    default:
      guard let format = PictureFormat(rawValue: suffix) else {
        let found = suffix.isEmpty ? "has no extension" : "has the extension .\(suffix)"
        throw ValidationError("The output file `\(path)` \(found); use one of \(list).")
      }
      self = .picture(format)
    }
  }
}
