import Foundation
import SampleGraphs
import SignalGraph
import Testing

/// What a click on a box opens, in the pictures of each command.
@Suite("Boxes that open their files") struct LinkTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try SampleGraphs.searchBox.json().write(to: folder.file("graph.json"))
    var later = SampleGraphs.searchBox
    later.takenAt += 10
    let last = try #require(later.nodes.last)
    later.nodes.append(Node(id: 99, definition: last.definition))
    later.edges.append(Edge(source: 3, target: 99))
    try later.json().write(to: folder.file("later.json"))
    // A `#fileID` does not tell of the folder Views.
    for path in ["Sources/SearchBox/Views/SearchBox.swift", "Sources/Other/Results.swift"] {
      let file = folder.file(path)
      try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data().write(to: file)
    }
  }

  /// Where the boxes of a picture lead, each once; and how many lead nowhere.
  private func links(_ command: String, _ options: String...) async throws -> (found: [String], without: Int) {
    let arguments = command.split(separator: " ").map(String.init) + options
    let result = try await Tool.run(arguments + ["-o", "out.svg"], in: folder.url)
    #expect(result.errors.isEmpty && result.status < 2, "\(result)")
    let svg = try String(contentsOf: folder.file("out.svg"), encoding: .utf8)
    let found = svg.matches(of: /<a xlink:href="([^"]*)" aria-label="Open/).map { String($0.1) }
    return (Array(Set(found)).sorted(), svg.ranges(of: "class=\"node ").count - found.count)
  }

  private var root: String { folder.url.standardizedFileURL.path }

  @Test(arguments: [
    "render graph.json", "check graph.json", "why 18 graph.json", "diff graph.json later.json",
  ])
  func eachCommandFindsFilesInFolders(command: String) async throws {
    let found = try await links(command, "--source-root", ".", "--link", "https://example.com/{path}#L{line}")
    #expect(!found.found.isEmpty)
    #expect(
      found.found.allSatisfy {
        $0.wholeMatch(of: /https:\/\/example.com\/Sources\/SearchBox\/Views\/SearchBox.swift#L[0-9]+/) != nil
      }, "\(found)")
  }

  @Test func whatIsNotFoundOpensNothing() async throws {
    let found = try await links("render graph.json --ended", "--source-root", ".")
    // Results.swift is in another module only.
    #expect(found.found == ["file://\(root)/Sources/SearchBox/Views/SearchBox.swift"])
    #expect(found.without == 7)
  }

  @Test func whatIsFoundTwiceOpensNothing() async throws {
    let copy = folder.file("Copies/SearchBox/SearchBox.swift")
    try FileManager.default.createDirectory(at: copy.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data().write(to: copy)
    let result = try await Tool.run(["render", "graph.json", "--source-root", ".", "-o", "out.svg"], in: folder.url)
    #expect(result.errors.contains("No file of the graph is below `.`"))
    #expect(try !String(contentsOf: folder.file("out.svg"), encoding: .utf8).contains("xlink:href"))
    #expect(try await links("render graph.json", "--source-root", "Sources").found.count == 1)
  }

  @Test func editorsOpenTheLine() async throws {
    let found = try await links("render graph.json", "--link", "vscode")
    #expect(found.found.contains("vscode://file\(root)/Sources/SearchBox/Views/SearchBox.swift:18"))
    #expect(try await links("render graph.json").found.isEmpty)
  }

  /// A folder may have any name.
  @Test func pathsAreEncoded() async throws {
    let strange = folder.file("a b\"<&{line}é/SearchBox/SearchBox.swift")
    try FileManager.default.createDirectory(at: strange.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data().write(to: strange)
    let found = try await links("render graph.json", "--source-root", "a b\"<&{line}é")
    #expect(found.found == ["file://\(root)/a%20b%22%3C%26%7Bline%7D%C3%A9/SearchBox/SearchBox.swift"])
  }

  @Test(arguments: ["render graph.json", "check graph.json", "why 18 graph.json", "diff graph.json later.json"])
  func whatIsWrongIsSaidBeforeAnythingIsAsked(command: String) async throws {
    let arguments = command.split(separator: " ").map(String.init) + ["-o", "out.svg"]
    for (options, words) in [
      (["--link", "javascript:{path}"], "must start with one of https:"),
      (["--link", "https://example.com"], "contain {file} or {path}"),
      (["--source-root", "gone"], "`gone` is not a folder"),
    ] {
      let result = try await Tool.run(arguments + options, in: folder.url)
      #expect(result.status == 64 && result.errors.contains(words), "\(result)")
    }
  }
}
