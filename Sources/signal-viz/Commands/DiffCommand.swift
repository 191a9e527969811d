import ArgumentParser
import Foundation

struct DiffCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff", abstract: "Compares two graphs of a program, by place in the source code.",
    discussion: """
      Each place where something changed is a line: how many of its nodes lived before and live now, how many values passed them \
      meanwhile, and how many ended. What grew most comes first.

      Exit status: 0; 2 if no program could be asked or a file cannot be read; 64 if the arguments are wrong.

      Examples:
        signal-viz diff before.json after.json
        signal-viz diff before.json --name SearchBox
      """)

  @Argument(help: "A snapshot file (JSON), and a later one; or one alone, and a running program.")
  var files: [String]

  @OptionGroup var program: ProgramChoice

  @Flag(help: "Print JSON.")
  var json = false

  func validate() throws {
    guard (1...2).contains(files.count) else {
      throw ValidationError("Give one snapshot file, or two; there are \(files.count).")
    }
    try program.checkThatOneIsMeant(besidesFile: false)
    guard files.count == 1 || !program.isGiven else {
      throw ValidationError("Give two snapshot files, or one and a running program, not both.")
    }
  }

  func run() throws {
    try ExitStatus.unansweredIfThrown {
      let graphs =
        try files.count == 2
        ? GraphPair(files: files) : GraphPair(file: files[0], thenAsking: program.connection())
      guard let before = graphs.before else { throw Failure("There is no earlier snapshot.") }
      let difference = GraphDifference(from: before, to: graphs.now)
      try Terminal.write(json ? difference.json() : Data(difference.text.utf8))
    }
  }
}
