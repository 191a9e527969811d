import ArgumentParser
import Foundation
import SignalPicture

struct DiffCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff", abstract: "Compares two graphs of a program, by source location.",
    discussion: """
      Each location with a change is a line: how many of its nodes were alive before and are now, how many values passed them in between, \
      and how many ended. The largest growth comes first.

      With -o both graphs are drawn as one: new nodes are green, removed ones are red and dashed, and locations with more live nodes than \
      before have a number.

      Exit status: 0; 2 if no program could be queried or a file cannot be read; 64 if the arguments are wrong.

      Examples:
        signal-viz diff before.json after.json
        signal-viz diff before.json --name SearchBox -o difference.svg
      """)

  @Argument(help: "A snapshot file (JSON), and a later one; or one alone, and a running program.")
  var files: [String]

  @OptionGroup var program: ProgramChoice

  @Flag(help: "Print JSON.")
  var json = false

  @Option(
    name: .shortAndLong,
    help: "Draw the difference, as \(OutputKind.pictures); with - to the standard output, without the table.")
  var output: String?

  @Option(
    help:
      "With -o: the format, one of \(OutputKind.pictures). The default is that of the extension, and SVG for the standard output."
  )
  var format: String?

  @OptionGroup var links: LinkChoice

  func validate() throws {
    if let output {
      try kind(of: output).checkThatReadable(at: output)
      guard !(json && output == "-") else {
        throw ValidationError("--json and -o - would both write to the standard output; give a file.")
      }
    } else if format != nil {
      throw ValidationError("--format needs -o: it says what to draw.")
    }
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
      // Errors in the output path are reported before any program is queried.
      let place = try output.map { try OutputPlace(path: $0) }
      let graphs =
        try files.count == 2
        ? GraphPair(files: files) : GraphPair(file: files[0], thenAsking: program.connection())
      guard let before = graphs.before else { throw Failure("There is no earlier snapshot.") }
      let difference = GraphDifference(from: before, to: graphs.now)
      if let output, let place {
        var picture = DifferencePicture(from: before, to: graphs.now, difference)
        picture.options.sourceLink = try links.sourceLink(of: picture.graph)
        try picture.write(to: place, as: kind(of: output))
        guard output != "-" else { return }
      }
      guard !json else { return try Terminal.write(json: difference.json()) }
      try Terminal.write(Data(difference.text.utf8))
    }
  }

  private func kind(of output: String) throws -> OutputKind {
    let kind = try OutputKind(path: output, format: format, offering: OutputKind.pictures)
    if case .json = kind {
      throw ValidationError("-o draws a picture (\(OutputKind.pictures)); --json prints the difference as JSON.")
    }
    return kind
  }
}
