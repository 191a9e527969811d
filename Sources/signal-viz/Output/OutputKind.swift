import ArgumentParser
import SignalRendering

/// The format to write, derived from the extension of the output file.
enum OutputKind {
  case picture(PictureFormat)
  case dot
  case json
  case mermaid

  static let list = "svg, png, pdf, dot, json, mmd"
  /// The extensions of drawings.
  static let pictures = "svg, png, pdf, dot, mmd"

  /// - Parameter list: The extensions to name in the error for any other one.
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
