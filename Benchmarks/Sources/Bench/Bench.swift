import ArgumentParser

/// Measures the library beside its peers and beside what one would write by hand, and writes what it measured as JSON.
@main
struct Bench: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Measures the library beside its peers and beside what one would write by hand.",
    subcommands: [
      MeasureRows.self, MeasureCurves.self, MeasureOperators.self, MeasureProgram.self, CountRows.self, AskProgram.self,
    ],
    defaultSubcommand: MeasureRows.self)

  static let allRows =
    SendRows.all + CombiningRows.all + FlatteningRows.all + LifetimeRows.all + PropertyRows.all + ThreadRows.all
    + TimeRows.all + HopRows.all + ToolRows.all + CollectingRows.all + TaskRows.all
    + TestKitRows.all + SystemTimeRows.all
}
