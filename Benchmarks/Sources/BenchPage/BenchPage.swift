import ArgumentParser

/// Makes what people read of the results that `Bench` wrote, and compares them with the thresholds. It measures nothing.
@main
struct BenchPage: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Makes pages of results, and compares them with thresholds; measures nothing.",
    subcommands: [
      WritePage.self, CheckThresholds.self, WriteThresholds.self, CompareWithoutGraph.self, PrintProgramPart.self,
    ])
}
