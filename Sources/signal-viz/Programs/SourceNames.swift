import Foundation
import SignalGraph
import Synchronization

/// Names for unnamed sources, taken from the variables they are assigned to in the source code.
///
/// `let keystrokes = Emitter<String>()` gives its emitter the name `keystrokes`. The code may have changed since the
/// program was built, so a line counts only if it creates a source of that kind, and only one.
// Safe: all mutable state is accessed under the lock.
final class SourceNames: @unchecked Sendable {
  /// The type of the sources that a definition creates; nil for other kinds.
  private static func type(of definition: Definition) -> String? {
    guard let behavior = definition.behavior, behavior.contains(.sendsUnasked) else { return nil }
    return behavior.contains(.holdsValue) ? "Property" : "Emitter"
  }
  /// The maximum size; no Swift file is larger.
  private static let sizeLimit = 4 << 20
  /// The entries that identify the directory of a package or a project.
  private static let marks = ["Package.swift", ".git"]

  /// The names of the package or project in which the tool is called.
  private static let ofThisFolder = SourceNames(inPackageAround: FileManager.default.currentDirectoryPath)

  private static let chosen = Mutex<SourceNames?>(nil)

  /// The names of the chosen directory, else of the package or project in which the tool is called; nil elsewhere.
  static var current: SourceNames? { chosen.withLock { $0 } ?? ofThisFolder }

  /// Switches to another directory.
  static func look(in folder: SourceFolder) { chosen.withLock { $0 = SourceNames(in: folder) } }

  private let folder: SourceFolder
  private let lock = NSLock()
  private var files: [String: [Substring]] = [:]
  private var names: [Definition: String?] = [:]

  /// Creates names from code below a directory.
  init(in folder: SourceFolder) { self.folder = folder }

  /// Creates names from the package or project that contains a directory; nil outside of one.
  convenience init?(inPackageAround path: String) {
    var folder = URL(fileURLWithPath: path).standardizedFileURL
    while true {
      let entries = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
      let isProject = entries.contains { Self.marks.contains($0) || $0.hasSuffix(".xcodeproj") }
      if isProject { break }
      guard folder.path != "/" else { return nil }
      folder.deleteLastPathComponent()
    }
    self.init(in: SourceFolder(folder.path))
  }

  /// The graph with names for its sources. Names that a program has set take precedence.
  func naming(_ graph: GraphSnapshot) -> GraphSnapshot {
    let definitions = Dictionary(
      graph.definitions.filter { Self.type(of: $0) != nil }.map { ($0.id, $0) },
      uniquingKeysWith: { first, _ in first })
    guard !definitions.isEmpty else { return graph }
    var graph = graph
    for (index, node) in graph.nodes.enumerated() where node.name == nil {
      guard let definition = definitions[node.definition] else { continue }
      graph.nodes[index].name = name(of: definition)
    }
    return graph
  }

  /// The variable that the source at a location is assigned to; nil if it cannot be determined.
  func name(of definition: Definition) -> String? {
    lock.withLock {
      var place = definition
      place.id = 0
      place.ends = nil
      place.gone = nil
      if let known = names[place] { return known }
      let name = Self.type(of: definition).flatMap { variable(of: $0, at: definition.line, in: definition.fileID) }
      names[place] = .some(name)
      return name
    }
  }

  private func variable(of type: String, at number: Int, in fileID: String) -> String? {
    let lines = lines(of: fileID)
    guard number > 0, number <= lines.count else { return nil }
    // A long statement may begin on the line before, with "let keystrokes =".
    let line = lines[number - 1]
    let before = number > 1 ? lines[number - 2] : ""
    return AssignedVariable.name(of: type, in: line)
      ?? AssignedVariable.name(of: type, in: "\(before.trimmingCharacters(in: .whitespaces)) \(line)")
  }

  private func lines(of fileID: String) -> [Substring] {
    if let known = files[fileID] { return known }
    var lines: [Substring] = []
    if let path = folder.pathInside(of: fileID) {
      let url = URL(fileURLWithPath: folder.root).appendingPathComponent(path)
      let size = (try? url.resourceValues(forKeys: [.fileSizeKey]).fileSize) ?? 0
      if size <= Self.sizeLimit, let text = try? String(contentsOf: url, encoding: .utf8) {
        lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      }
    }
    files[fileID] = lines
    return lines
  }
}

/// Parses from a line of Swift the variable that a new value is assigned to.
enum AssignedVariable {
  /// The variable to which the line assigns a new value of a type, if it creates exactly one.
  ///
  /// - Parameters:
  ///   - type: The type, such as `Emitter`: created by `Emitter(`, `Emitter<Int>(` and, if the variable has that type,
  ///     `.init(`.
  ///   - line: The line.
  static func name(of type: String, in line: some StringProtocol) -> String? {
    let code = line.components(separatedBy: "//")[0]
    let whole = code[code.startIndex...]
    let (made, isTyped) =
      switch type {
      case "Emitter":
        (
          whole.ranges(of: /\b(?:\w+\.)?Emitter\s*(?:<[^=]*>)?\s*(?:\.init\s*)?\(/),
          whole.contains(/:\s*(?:\w+\.)?Emitter\s*</)
        )
      case "Property":
        (
          whole.ranges(of: /\b(?:\w+\.)?Property\s*(?:<[^=]*>)?\s*(?:\.init\s*)?\(/),
          whole.contains(/:\s*(?:\w+\.)?Property\s*</)
        )
      default: ([], false)
      }
    if made.count == 1 { return variable(before: whole[..<made[0].lowerBound]) }
    guard made.isEmpty, isTyped else { return nil }
    let initialisers = whole.ranges(of: /\.init\s*\(/)
    return initialisers.count == 1 ? variable(before: whole[..<initialisers[0].lowerBound]) : nil
  }

  /// The name in `let name =`, `var name: Type =`, `self.name =` or `name =` at the end.
  private static func variable(before text: Substring) -> String? {
    if let match = text.firstMatch(of: /(?:^|[\s;{(])(?:let|var)\s+`?([\p{L}_]\w*)`?\s*(?::[^={}]*)?=\s*$/) {
      return String(match.1)
    }
    if let match = text.firstMatch(of: /(?:^|[;{])\s*(?:self\.)?`?([\p{L}_]\w*)`?\s*=\s*$/) { return String(match.1) }
    return nil
  }
}
