import Foundation
import SignalPicture
import SignalTesting
import Testing

/// The pages of operators show their diagrams as pictures. `scripts/marble-pictures` draws them.
@Suite struct DocumentedPictures {
  @Test func everyDiagramHasItsPicture() throws {
    if ProcessInfo.processInfo.environment["UPDATE_FIXTURES"] != nil {
      try DocumentedPicture.update(DocumentedPicture.all())
    }
    let pictures = try DocumentedPicture.all()
    #expect(pictures.count > 100)
    #expect(Set(pictures.map(\.name)).count == pictures.count)
    let command = "Run scripts/marble-pictures."
    for picture in pictures {
      let file = DocumentedPicture.folder.appending(path: "\(picture.name).svg")
      let drawn = try? String(contentsOf: file, encoding: .utf8)
      let place = SourceLocation(
        fileID: "Signals/\(picture.file.lastPathComponent)", filePath: picture.file.path, line: picture.line, column: 1)
      #expect(
        drawn == (try picture.svg()), "\(picture.name).svg is not what the diagram says. \(command)",
        sourceLocation: place)
      #expect(picture.isShown, "The page does not show \(picture.name). \(command)", sourceLocation: place)
    }
    let files = try FileManager.default.contentsOfDirectory(atPath: DocumentedPicture.folder.path)
    #expect(
      Set(files).subtracting(pictures.map { "\($0.name).svg" }) == [], "No diagram has these pictures. \(command)")
  }
}

/// A diagram of a doc comment, and the picture above it.
struct DocumentedPicture {
  /// The picture's name: `debounce-for-on` of `debounce(for:on:)`.
  private(set) var name = ""
  /// The function's name.
  private(set) var function = ""
  let file: URL
  /// The line at which the diagram begins, counted from 1.
  let line: Int
  private let text: String
  /// What the page has above the diagram.
  private let lineAbove: String
  private let indentation: String

  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
  static let folder = root.appending(path: "Sources/Signals/Signals.docc/Resources/marbles")

  var isShown: Bool { lineAbove == image }

  private var image: String { "\(indentation)/// ![\(function), as a marble diagram](\(name))" }

  func svg() throws -> String { try MarblePicture(reading: text, title: "\(function), as a marble diagram").svg() }

  /// Those of all operators and sources.
  static func all() throws -> [DocumentedPicture] {
    let files = try ["Operators", "Combining", "Sources"].flatMap { folder in
      try FileManager.default.contentsOfDirectory(
        at: root.appending(path: "Sources/Signals/\(folder)"), includingPropertiesForKeys: nil)
    }
    var counts: [String: Int] = [:]
    return try files.filter { $0.pathExtension == "swift" }.sorted { $0.path < $1.path }.flatMap(read).map { picture in
      var picture = picture
      let count = counts[picture.name, default: 0] + 1
      counts[picture.name] = count
      if count > 1 { picture.name += "-\(count)" }
      return picture
    }
  }

  private static func read(_ file: URL) throws -> [DocumentedPicture] {
    let lines = try String(contentsOf: file, encoding: .utf8).split(
      omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    var pictures: [DocumentedPicture] = []
    /// Those whose function has not come yet.
    var waiting: [DocumentedPicture] = []
    var begin: Int?
    for (index, line) in lines.enumerated() {
      let comment = line.drop(while: \.isWhitespace)
      if comment == "/// ```text" {
        begin = index
      } else if comment == "/// ```", let first = begin {
        let rows = lines[(first + 1)..<index].map { $0.drop(while: \.isWhitespace).dropFirst(4) }
        waiting.append(
          DocumentedPicture(
            file: file, line: first + 1, text: rows.joined(separator: "\n"),
            lineAbove: first > 1 ? String(lines[first - 2]) : "",
            indentation: String(line.prefix(line.count - comment.count))))
        begin = nil
      } else if comment.hasPrefix("public"),
        let match = line.firstMatch(of: /^ *public (?:static )?func `?(?<name>[A-Za-z]+)/)
      {
        let labels = labels(of: lines[index...].prefix(12).joined(separator: " "))
        pictures += waiting.map { picture in
          var picture = picture
          picture.function = String(match.name)
          picture.name = ([picture.function] + labels).joined(separator: "-")
          return picture
        }
        waiting = []
      }
    }
    return pictures
  }

  /// The labels of a function's arguments, without those for the place of a call.
  private static func labels(of declaration: String) -> [String] {
    guard let opening = declaration.firstIndex(of: "(") else { return [] }
    var depth = 0
    var parameters = [""]
    for character in declaration[declaration.index(after: opening)...].replacing("->", with: "") {
      if "([{<".contains(character) { depth += 1 }
      if ")]}>".contains(character) { depth -= 1 }
      if depth < 0 { break }
      if depth == 0, character == "," {
        parameters.append("")
      } else {
        parameters[parameters.count - 1].append(character)
      }
    }
    let labels = parameters.compactMap { $0.split { " :".contains($0) }.first.map(String.init) }
    return labels.filter { !["_", "fileID", "line", "function"].contains($0) }
  }

  // MARK: Drawing

  /// Writes the pictures, names them in the comments, and removes what no diagram has any more.
  static func update(_ pictures: [DocumentedPicture]) throws {
    try? FileManager.default.removeItem(at: folder)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for picture in pictures {
      try Data(picture.svg().utf8).write(to: folder.appending(path: "\(picture.name).svg"))
    }
    for (file, pictures) in Dictionary(grouping: pictures, by: \.file) {
      var lines = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
      for picture in pictures.reversed() where !picture.isShown {
        let first = picture.line - 1
        if picture.lineAbove.contains(", as a marble diagram](") {
          lines[first - 2] = picture.image
        } else {
          lines.insert(contentsOf: [picture.image, "\(picture.indentation)///"], at: first)
        }
      }
      try Data(lines.joined(separator: "\n").utf8).write(to: file)
    }
  }
}
