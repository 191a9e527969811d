import Foundation
import Testing

@Suite(.serialized) struct MarblesCommandTests {
  private let folder: TemporaryFolder

  private static let fixtures = """
    dialect: signals

    fixture:      filter: only even ones
    operator:     filter
    hot e1:       -1-2-|
    expected:     ---2-|

    fixture:      filter: a failure passes
    operator:     filter
    hot e1:       -1-#
    expected:     ---#
    """

  init() throws {
    folder = try TemporaryFolder()
    try Data(Self.fixtures.utf8).write(to: folder.file("filter.marbles"))
  }

  @Test(arguments: [("svg", "<svg "), ("png", "\u{89}PNG"), ("pdf", "%PDF-1.")])
  func everyFormatIsWritten(suffix: String, signature: String) async throws {
    // Nothing is left behind, neither here nor among temporary files.
    let result = try await Tool.run(
      ["marbles", "filter.marbles", "-o", "out.\(suffix)"], in: folder.url, environment: ["TMPDIR": folder.url.path])
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.output == "out.\(suffix): 2 diagrams\n")
    let bytes = try Data(contentsOf: folder.file("out.\(suffix)"))
    #expect(bytes.starts(with: signature.unicodeScalars.map { UInt8($0.value) }))
    #expect(bytes.count > 2_000)
    #expect(try folder.names == ["filter.marbles", "out.\(suffix)"])
  }

  @Test func aPNGHasTwoPixelsForAPoint() async throws {
    for suffix in ["svg", "png"] {
      let result = try await Tool.run(["marbles", "filter.marbles", "-o", "out.\(suffix)"], in: folder.url)
      #expect(result.status == 0, "\(result.errors)")
    }
    let svg = try String(contentsOf: folder.file("out.svg"), encoding: .utf8)
    let size = try #require(svg.firstMatch(of: /viewBox="0 0 (\d+) (\d+)"/))
    // Width and height are the first fields of a PNG.
    let bytes = try Data(contentsOf: folder.file("out.png"))
    let sides = [16, 20].map { start in bytes[start..<start + 4].reduce(0) { $0 << 8 + Int($1) } }
    for (side, points) in zip(sides, [size.1, size.2].compactMap { Int($0) }) { #expect(abs(side - 2 * points) <= 2) }
  }

  @Test func eachCaseGetsAFileInAFolder() async throws {
    try FileManager.default.createDirectory(at: folder.file("out"), withIntermediateDirectories: true)
    let result = try await Tool.run(["marbles", "filter.marbles", "-o", "out/"], in: folder.url)
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.output == "out/filter-only-even-ones.svg\nout/filter-a-failure-passes.svg\n")
    let svg = try String(contentsOf: folder.file("out/filter-a-failure-passes.svg"), encoding: .utf8)
    #expect(svg.contains("<title>filter: a failure passes</title>"))
    #expect(!svg.contains("only even ones"))
  }

  @Test func casesAreChosenByName() async throws {
    let result = try await Tool.run(["marbles", "filter.marbles", "--case", "FAILURE", "-o", "-"], in: folder.url)
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.output.hasPrefix("<svg "))
    #expect(result.output.contains("fails at 3 ms"))
    #expect(!result.output.contains("only even ones"))
  }

  @Test func diagramsAreReadBelowEachOther() async throws {
    try Data("typing  -a-b-|\n        typing.map { $0 }\nresult  -x-y-|\n".utf8).write(to: folder.file("diagram.txt"))
    let result = try await Tool.run(["marbles", "diagram.txt", "-o", "-"], in: folder.url)
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.output.contains("typing.map { $0 }"))
    #expect(result.output.contains("result: x at 1 ms, y at 3 ms, finishes at 5 ms"))
  }

  @Test(arguments: [
    (["nothing.marbles", "-o", "out.svg"], 2, "no file `nothing.marbles`"),
    ([".", "-o", "out.svg"], 2, "is a folder"),
    (["filter.marbles", "--case", "zip", "-o", "out.svg"], 2, "No case has a name that contains `zip`"),
    (["open.marbles", "-o", "out.svg"], 2, "open.marbles:3:"),
    (["keyless.marbles", "-o", "out.svg"], 2, "keyless.marbles:2:"),
    (["binary.marbles", "-o", "out.svg"], 2, "not text in UTF-8"),
    (["filter.marbles", "-o", "missing/out.svg"], 2, "`missing`"),
    (["filter.marbles", "-o", "out.gif"], 64, "svg, png, pdf"),
    (["filter.marbles", "-o", "out.dot"], 64, "svg, png, pdf"),
    (["filter.marbles", "-o", "out.svg", "--format", "json"], 64, "--format json"),
    (["filter.marbles", "-o", "out.svg", "--width", "3"], 64, "320 to 4000"),
  ])
  func whatIsWrongIsSaid(arguments: [String], status: Int32, words: String) async throws {
    try Data("fixture: a\noperator: map\nhot e1: -(a\nexpected: -\n".utf8).write(to: folder.file("open.marbles"))
    try Data("fixture: a\nnothing\n".utf8).write(to: folder.file("keyless.marbles"))
    try Data([0xFF, 0xFE, 0x00]).write(to: folder.file("binary.marbles"))
    let result = try await Tool.run(["marbles"] + arguments, in: folder.url)
    #expect(result.status == status)
    #expect(result.errors.contains(words), "\(result.errors)")
    #expect(try !folder.names.contains { $0.hasPrefix("out") })
  }
}
