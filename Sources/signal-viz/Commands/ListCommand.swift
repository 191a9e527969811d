import ArgumentParser

struct ListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Lists the programs that can be looked at.")

  func run() throws {
    let found = try Program.running()
    for problem in found.problems { Terminal.note(problem) }
    guard !found.programs.isEmpty else {
      // Those that do not answer run all the same.
      if found.problems.isEmpty { Terminal.note(Program.noneRunning) }
      return
    }
    try Terminal.write(line: Program.table(found.programs))
  }
}
