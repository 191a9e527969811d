import Foundation
import SampleGraphs
import SignalGraph
import Testing

/// Graphs as text: as large as what reads it can draw.
@Suite("DOT and Mermaid") struct TextPictureTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try SampleGraphs.large(.hub, count: 1_000).json().write(to: folder.file("large.json"))
  }

  private func text(_ arguments: String) async throws -> (text: String, errors: String) {
    let result = try await Tool.run(arguments.split(separator: " ").map(String.init), in: folder.url)
    #expect(result.status == 0, "\(result)")
    return (result.output, result.errors)
  }

  @Test(arguments: ["mmd", "dot"]) func byDefaultTheyAreOfWhatCanBeRead(format: String) async throws {
    let drawn = try await text("render large.json -o - --format \(format)")
    #expect(drawn.errors.isEmpty && drawn.text.utf8.count < 20_000)
    #expect(drawn.text.matches(of: /\n +n\d+ ?\[/).count <= 80)
    #expect(drawn.text.contains("1,000 nodes in "))
    #expect(drawn.text.contains(": --all shows each)"))
  }

  @Test func everythingIsMoreThanMermaidDraws() async throws {
    let drawn = try await text("render large.json --all -o - --format mmd")
    #expect(drawn.text.utf16.count > 50_000 && !drawn.text.contains("--all"))
    #expect(
      drawn.errors.contains(
        /^The text has [0-9,]+ characters, of 50,000, and 999 edges, of 500 that Mermaid draws unless `mermaid.initialize\(\{maxTextSize: \d+, maxEdges: 999\}\)` allows more\.\n$/
      ), "\(drawn.errors)")
    let file = try await Tool.run(["render", "large.json", "--all", "-o", "out.mmd"], in: folder.url)
    #expect(file.errors.hasPrefix("out.mmd has "))
    #expect(try await text("render large.json --all -o - --format dot").errors.isEmpty)
  }

  @Test func whatHasEndedIsNamedWithItsOption() async throws {
    try SampleGraphs.searchBox.json().write(to: folder.file("graph.json"))
    #expect(
      try await text("render graph.json -o - --format mmd").text.contains("2 ended not drawn: --ended shows them)"))
    #expect(try await !text("render graph.json --ended -o - --format mmd").text.contains("--ended"))
  }
}
