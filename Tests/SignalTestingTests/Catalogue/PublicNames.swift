import Foundation

/// The names of everything that is public in the sources, and the labels of functions and initialisers.
struct PublicNames {
  private var names: Set<String> = []
  /// The labels of each function by name; initialisers are called `init`.
  private var labels: [String: [[String]]] = [:]

  /// Those of all files below a folder.
  init(of sources: URL) throws {
    let paths = FileManager.default.enumerator(atPath: sources.path)?.compactMap { $0 as? String } ?? []
    for path in paths where path.hasSuffix(".swift") && !path.contains(".docc/") {
      let text = try String(contentsOf: sources.appending(path: path), encoding: .utf8)
      add(
        text.split(whereSeparator: \.isNewline).filter { !$0.drop { $0 == " " }.hasPrefix("//") }.joined(
          separator: "\n"))
    }
  }

  private mutating func add(_ code: String) {
    let declaration =
      /(?:(?:public|open) [^\n(]*?(?<kind>func|init|var|let|class|struct|enum|protocol|actor)\b|\n *case) ?`?(?<name>\w*)/
    for match in code.matches(of: declaration) {
      let name = match.kind == "init" ? "init" : String(match.name)
      names.insert(name)
      guard match.kind == "func" || match.kind == "init", let open = code[match.range.upperBound...].firstIndex(of: "(")
      else { continue }
      labels[name, default: []].append(CodeScanner.labels(of: CodeScanner.inside(code[open...])))
    }
  }

  /// What of a piece of code is no public name here.
  func unknown(in code: String) -> [String] {
    CodeScanner.uses(in: code).filter { use in
      let isType = use.name.first?.isUppercase == true
      if !names.contains(use.name) { return true }
      if use.labels.isEmpty { return false }
      return !labels[isType ? "init" : use.name, default: []].contains { known in
        var rest = known[...]
        return use.labels.allSatisfy { label in
          guard let index = rest.firstIndex(of: label) else { return false }
          rest = rest[(index + 1)...]
          return true
        }
      }
    }.map(\.name)
  }
}

/// A name in a piece of code, and the labels of what it is called with.
struct NameUse: Equatable {
  let name: String
  var labels: [String] = []
}

/// Reads code without understanding it.
enum CodeScanner {
  /// The names outside of all brackets; not the variables to whose members they belong.
  static func uses(in code: String) -> [NameUse] {
    var uses: [NameUse] = []
    var rest = code[...]
    var isMember = false
    while let character = rest.first {
      if character.isLetter || character == "@" {
        let name = rest.prefix { $0.isLetter || $0.isNumber || $0 == "@" || $0 == "_" }
        rest = rest.dropFirst(name.count)
        let isReceiver = rest.first == "." && !isMember && name.first?.isLowercase == true
        let isKeyword = ["await", "try", "for", "in", "value"].contains(name)
        if !isReceiver, !isKeyword {
          let isCall = rest.first == "("
          uses.append(
            NameUse(
              name: String(name.filter { $0 != "@" }), labels: isCall ? labels(of: inside(rest)) : []))
        }
        isMember = false
      } else if "([{".contains(character) {
        rest = rest.dropFirst(inside(rest).count + 2)
      } else {
        isMember = character == "."
        rest = rest.dropFirst()
      }
    }
    return uses
  }

  /// What is between the bracket at the beginning and the one that closes it.
  static func inside(_ code: Substring) -> Substring {
    var depth = 0
    for index in code.indices {
      if "([{".contains(code[index]) { depth += 1 }
      if ")]}".contains(code[index]) { depth -= 1 }
      if depth == 0 { return code[code.index(after: code.startIndex)..<index] }
    }
    return code.dropFirst()
  }

  /// The labels of arguments, or of parameters; not those of inner brackets, and not where a call is from.
  static func labels(of arguments: Substring) -> [String] {
    var outer = ""
    var depth = 0
    for character in arguments {
      if "([{<".contains(character) { depth += 1 }
      if depth == 0 { outer.append(character) }
      if ")]}>".contains(character), depth > 0 { depth -= 1 }
    }
    return outer.matches(of: /(?<label>\w+)(?: \w+)?:/).map { String($0.label) }
      .filter { !["_", "fileID", "line", "function"].contains($0) }
  }
}
