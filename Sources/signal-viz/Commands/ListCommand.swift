import ArgumentParser

struct ListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Lists the programs that can be looked at.")

  func run() throws {
    let found = try Program.running()
    for problem in found.problems { Terminal.note(problem) }
    guard !found.programs.isEmpty else {
      Terminal.note(Program.noneRunning)
      return
    }
    print(Program.table(found.programs))
  }
}
