import ArgumentParser
import Measuring
import Results

/// What the library costs when the live graph cannot even be turned on.
struct CompareWithoutGraph: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "graph-off",
    abstract: "Prints instructions with the graph built in and off beside those of a build without it.")

  @Option(help: "What was counted with the graph built in, and off.")
  var graphOff = "out/graph-off.json"

  @Option(help: "What was counted in a build without the graph.")
  var withoutGraph = "out/without-graph.json"

  func run() throws {
    print(
      MarkdownTable.graphOff(
        try ResultFile.read([Count].self, from: graphOff), try ResultFile.read([Count].self, from: withoutGraph)))
  }
}

extension MarkdownTable {
  /// Instructions of each row in two builds.
  static func graphOff(_ off: [Count], _ none: [Count]) -> String {
    func figure(_ count: Count?) -> String { count?.instructions.map(Figures.grouped) ?? "-" }
    return text(
      ["instructions per operation", "graph built in, off", "graph not built in"],
      off.map { count in [count.row, figure(count), figure(none.first { $0.row == count.row })] })
  }
}
