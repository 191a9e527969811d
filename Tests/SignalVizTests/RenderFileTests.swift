import Foundation
import SampleGraphs
import SignalGraph
import Testing

@Suite(.serialized) struct RenderFileTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try SampleGraphs.searchBox.json().write(to: folder.file("graph.json"))
  }

  @Test(arguments: [
    ("svg", "<?xml"), ("png", "\u{89}PNG"), ("pdf", "%PDF-1."), ("dot", "digraph signals {"), ("json", "{"),
    ("mmd", "---\ntitle:"), ("SVG", "<?xml"),
  ])
  func everyFormatIsWritten(suffix: String, signature: String) async throws {
    let result = try await Tool.run(["render", "graph.json", "-o", "out.\(suffix)"], in: folder.url)
    #expect(result.status == 0, "\(result.errors)")
    let bytes = try Data(contentsOf: folder.file("out.\(suffix)"))
    #expect(bytes.starts(with: signature.unicodeScalars.map { UInt8($0.value) }))
    #expect(try folder.names == ["graph.json", "out.\(suffix)"])
  }

  @Test func aPictureInPixelsThatIsTooSmallToReadSaysSo() async throws {
    try SampleGraphs.large(.hub, count: 1_000).json().write(to: folder.file("large.json"))
    let result = try await Tool.run(["render", "large.json", "--all", "-o", "large.png"], in: folder.url)
    #expect(result.status == 0, "\(result)")
    let words =
      /large.png had to be scaled to [0-9]+ % and is too small to read; write large.svg, which has no largest size/
    #expect(result.errors.contains(words), "\(result)")
    #expect(try folder.names == ["graph.json", "large.json", "large.png"])
    for picture in ["graph.png", "graph.svg"] {
      let readable = try await Tool.run(["render", "graph.json", "-o", picture], in: folder.url)
      #expect(readable.status == 0 && readable.errors.isEmpty, "\(readable)")
    }
  }

  @Test func jsonIsASnapshotAgain() async throws {
    let result = try await Tool.run(
      ["render", "graph.json", "--focus", "status line", "--depth", "1", "-o", "part.json"], in: folder.url)
    #expect(result.status == 0, "\(result.errors)")
    let part = try GraphSnapshot(json: Data(contentsOf: folder.file("part.json")))
    #expect(part.nodes.map(\.id) == [14, 15])
  }

  @Test(arguments: [
    ([], "<?xml"), (["--format", "dot"], "digraph signals {"), (["--format", "json"], "{"),
    (["--format", "MMD"], "---\ntitle:"),
    (["--format", "pdf"], "%PDF-1."),
  ])
  func theStandardOutputHasTheResultAndNothingElse(options: [String], signature: String) async throws {
    let result = try await Tool.run(["render", "graph.json", "-o", "-"] + options, in: folder.url)
    #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
    #expect(result.output.hasPrefix(signature))
    #expect(!result.output.contains("(pid 4242), "))
    #expect(try folder.names == ["graph.json"])
  }

  @Test func theFormatIsStrongerThanTheExtension() async throws {
    let result = try await Tool.run(["render", "graph.json", "-o", "graph.txt", "--format", "dot"], in: folder.url)
    #expect(result.status == 0, "\(result.errors)")
    #expect(try String(contentsOf: folder.file("graph.txt"), encoding: .utf8).hasPrefix("digraph signals {"))
  }

  /// A layout that takes long says so on a terminal, and takes its words back; and pixels are not for a terminal.
  @Test func aTerminalIsToldWhatTakesLong() async throws {
    try SampleGraphs.large(.one, count: 10_000).json().write(to: folder.file("large.json"))
    let terminal = try PseudoTerminal(
      ["render", "large.json", "--all", "--time-limit", "3", "-o", "out.svg"], columns: 100, lines: 12, in: folder.url)
    #expect(await terminal.shows("\rLaying out 10,000 nodes … 1 s of at most 3 s\u{1B}[K"))
    #expect(await terminal.status() == 1)
    #expect(await terminal.shows("\r\u{1B}[KError: The layout took longer than 3 s."))
    let pixels = try PseudoTerminal(
      ["render", "graph.json", "-o", "-", "--format", "png"], columns: 100, lines: 12, in: folder.url)
    #expect(await pixels.shows("PNG cannot go to a terminal"))
    #expect(await pixels.status() == 64)
  }

  struct Wrong: Sendable, CustomTestStringConvertible {
    var arguments: [String]
    var words: [String]
    var testDescription: String { arguments.joined(separator: " ") }

    init(_ arguments: String, _ words: String...) {
      self.arguments = arguments.split(separator: " ").map(String.init)
      self.words = words
    }
  }

  @Test(arguments: [
    Wrong("render graph.json -o out.gif", "out.gif", ".gif", "svg, png, pdf, dot, json, mmd"),
    Wrong("render graph.json -o out", "has no extension"),
    Wrong("render graph.json", "--output"),
    Wrong("render graph.json -o missing/out.svg", "`missing`", "does not exist"),
    Wrong("render graph.json -o folder.svg", "is a folder"),
    Wrong("render nothing.json -o out.svg", "no file `nothing.json`"),
    Wrong("render folder.svg -o out.svg", "`folder.svg` is a folder"),
    Wrong("render empty.json -o out.svg", "empty.json", "is empty"),
    Wrong("render cut.json -o out.svg", "cut.json", "stops in the middle", "after 500 bytes"),
    Wrong("render newer.json -o out.svg", "version 2", "up to 1"),
    Wrong("render binary.json -o out.svg", "binary.json", "not JSON"),
    Wrong("render graph.json --focus nobody -o out.svg", "`nobody`", "`combineLatest`"),
    Wrong("render graph.json --depth 2 -o out.svg", "--depth needs --focus"),
    Wrong("render graph.json --focus map --depth -1 -o out.svg", "depth"),
    Wrong("render graph.json --focus map --depth 1000001 -o out.svg", "--depth 1000001", "1000000"),
    Wrong("render graph.json --pid 1 -o out.svg", "not several"),
    Wrong("render --pid none -o out.svg", "--pid"),
    Wrong("render graph.json --link javascript:{file} -o out.svg", "javascript:{file}", "https:"),
    Wrong("render graph.json -o out.svg --format gif", "--format gif", "svg, png, pdf, dot, json, mmd"),
    Wrong("render graph.json --timeout 0 -o out.svg", "--timeout 0"),
    Wrong("render graph.json --time-limit 0 -o out.svg", "--time-limit"),
    Wrong("render graph.json --memory-limit 1 -o out.svg", "--memory-limit"),
    Wrong("render graph.json --sideways -o out.svg", "--sideways"),
    Wrong("render --pid 999999 -o out.svg", "No inspectable program"),
    Wrong("render --name Nobody -o out.svg", "No inspectable program"),
    Wrong("render --socket nothing.sock -o out.svg", "no socket `nothing.sock`"),
    Wrong("render --socket graph.json -o out.svg", "`graph.json` is not a socket"),
    Wrong("render --socket /tmp/\(String(repeating: "x", count: 120)) -o out.svg", "bytes", "allows"),
    Wrong("render graph.json --left-to-right --top-to-bottom -o out.svg", "exclude each other"),
    Wrong("render --watch --all --fold -o out.svg", "--all draws each operator"),
    Wrong("draw", "draw"),
  ])
  func whatIsWrongIsSaid(_ wrong: Wrong) async throws {
    let whole = try Data(contentsOf: folder.file("graph.json"))
    try FileManager.default.createDirectory(at: folder.file("folder.svg"), withIntermediateDirectories: true)
    try Data().write(to: folder.file("empty.json"))
    try whole.prefix(500).write(to: folder.file("cut.json"))
    try Data([0xFF, 0, 1]).write(to: folder.file("binary.json"))
    var newer = SampleGraphs.searchBox
    newer.version = 2
    try newer.json().write(to: folder.file("newer.json"))
    let before = try folder.names
    let result = try await Tool.run(wrong.arguments, in: folder.url)
    #expect(result.status != 0 && result.status < 128, "status \(result.status)")
    #expect(result.output.isEmpty)
    for words in wrong.words { #expect(result.errors.contains(words), "\(result.errors)") }
    #expect(try folder.names == before)
  }

  @Test func aFailureLeavesTheOldPictureAlone() async throws {
    try Data("old".utf8).write(to: folder.file("out.svg"))
    try SampleGraphs.large(.one, count: 10_000).json().write(to: folder.file("large.json"))
    let late = try await Tool.run(
      ["render", "large.json", "--all", "--time-limit", "1", "-o", "out.svg"], in: folder.url)
    #expect(late.status == 1 && late.errors.contains("longer than 1 s") && late.errors.contains("--time-limit"))
    // A picture of this graph takes between 220 and 360 MB.
    let big = try await Tool.run(
      ["render", "large.json", "--all", "--memory-limit", "160", "-o", "out.svg"], in: folder.url)
    #expect(big.status == 1 && big.errors.contains("--memory-limit"), "\(big)")
    #expect(try Data(contentsOf: folder.file("out.svg")) == Data("old".utf8))
    #expect(try folder.names == ["graph.json", "large.json", "out.svg"])
  }

  /// The limits hold in debug builds on slow machines too; the measured figures are far below.
  /// Formats differ only in what is drawn on, so one shape is enough for pixels.
  @Test(arguments: SampleGraphs.Shape.allCases.map { ($0, "svg") } + [(.mixed, "png")])
  func tenThousandNodesAreDrawn(shape: SampleGraphs.Shape, suffix: String) async throws {
    let graph = SampleGraphs.large(shape, count: 10_000)
    #expect(graph.nodes.count == 10_000)
    try graph.json().write(to: folder.file("large.json"))
    try SampleGraphs.shuffled(graph, seed: 9).json().write(to: folder.file("shuffled.json"))
    // The tool's own limit is of time that passes too, and a busy machine takes more of it.
    let limit = ["--time-limit", "3600"]
    let result = try await Tool.run(["render", "large.json", "-o", "a.\(suffix)"] + limit, in: folder.url)
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.processorSeconds < 40)
    #expect(result.peakMegabytes < 500)
    let again = try await Tool.run(["render", "shuffled.json", "-o", "b.\(suffix)"] + limit, in: folder.url)
    #expect(again.status == 0, "\(again.errors)")
    let same = try Data(contentsOf: folder.file("a.\(suffix)")) == Data(contentsOf: folder.file("b.\(suffix)"))
    #expect(same)
  }

  @Test func doctorFindsThisMachineFit() async throws {
    let result = try await Tool.run(["doctor"], in: folder.url)
    #expect(result.status == 0, "\(result.output)")
    for words in ["libgraphviz: version", "svg picture", "png picture", "pdf picture", "fonts", "not there yet"] {
      #expect(result.output.contains(words))
    }
  }

  @Test func doctorSeesAnOpenSocketFolder() async throws {
    let sockets = folder.file("sockets")
    try FileManager.default.createDirectory(
      at: sockets, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o777])
    try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: sockets.path)
    let result = try await Tool.run(["doctor"], in: folder.url)
    #expect(result.status == 1)
    #expect(result.output.contains("FAIL  socket directory \(sockets.path)") && result.output.contains("777"))
  }
}
