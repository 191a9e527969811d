import Foundation

/// A public function that makes a signal, as the sources of the library have it.
struct PublicOperator: Hashable {
  let name: String
  /// How its arguments are called, without the place of the call.
  let labels: [String]
  /// Where it is, in the folder of its room.
  let file: String
  /// Whether it needs no signal in front of it.
  let isStatic: Bool
  /// The type that the extension around it, or before it, extends.
  let extended: String?

  /// All of a room, in any of its folders.
  static func all(of room: URL) throws -> [PublicOperator] {
    let paths = FileManager.default.enumerator(atPath: room.path)?.compactMap { $0 as? String } ?? []
    return try paths.filter { $0.hasSuffix(".swift") && !$0.contains(".docc/") }.sorted().flatMap { path in
      try read(String(contentsOf: room.appending(path: path), encoding: .utf8), file: path)
    }
  }

  static func read(_ text: String, file: String) throws -> [PublicOperator] {
    let code = text.split(whereSeparator: \.isNewline).filter { !$0.drop { $0 == " " }.hasPrefix("//") }.joined(
      separator: "\n")
    return code.matches(of: /public (?<isStatic>static )?func `?(?<name>[A-Za-z]+)`?[^(]*\(/).compactMap { match in
      guard let (arguments, rest) = split(code[match.range.upperBound...]) else { return nil }
      guard rest.prefixMatch(of: /[a-z() ]*\s*-> (?:Connectable)?Signal</) != nil else { return nil }
      return PublicOperator(
        name: String(match.name),
        labels: arguments.compactMap { $0.firstMatch(of: /[A-Za-z_]+/).map { String($0.output) } }
          .filter { !["fileID", "line", "function"].contains($0) },
        file: file, isStatic: match.isStatic != nil,
        extended: code[..<match.range.lowerBound].matches(of: /extension (?<type>\w+)/).last.map { String($0.type) })
    }
  }

  /// The arguments of a function, from behind its opening bracket, and what follows the closing one.
  private static func split(_ code: Substring) -> (arguments: [Substring], rest: Substring)? {
    var arguments: [Substring] = []
    var (depth, start, index) = (0, code.startIndex, code.startIndex)
    var last: Character = " "
    while index < code.endIndex {
      switch code[index] {
      case "(", "[", "{", "<": depth += 1
      case ")" where depth == 0: return (arguments + [code[start..<index]], code[code.index(after: index)...])
      case ">" where last == "-": break
      case ")", "]", "}", ">": depth -= 1
      case "," where depth == 0:
        arguments.append(code[start..<index])
        start = code.index(after: index)
      default: break
      }
      last = code[index]
      index = code.index(after: index)
    }
    return nil
  }
}
