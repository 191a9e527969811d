import ArgumentParser
import Foundation
import SignalAttach
import SignalGraph
import SignalPicture

struct WatchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch", abstract: "Draws a running program's graph again each time it changes.",
    discussion: """
      The file is drawn at the start, and again when nodes or edges come or go, or a node ends, fails or leaks; with --counts also when only figures have \
      changed. It is replaced as a whole, so an image viewer or a browser that reloads it always shows a finished picture, and a node stays near its place. \
      It goes on until Ctrl-C, or until the program ends.

      On a terminal one line says what changed last; into a pipe each change is a line:
        10:32:14 live.svg: 25 nodes, 24 edges
        10:32:20 +3 nodes (emitter Feed.swift:12, map Feed.swift:12, subscribe Feed.swift:14), −1 node (subscribe App.swift:9): 27 nodes, 25 edges
        10:32:41 SearchBox (pid 123) goes on: 2 pictures in 27 s.

      Exit status: 0, whether somebody ended it or the program; 2 if no program can be asked or the first picture cannot be written; 64 if the arguments are wrong.

      Examples:
        signal-viz watch --name SearchBox -o live.svg
        signal-viz watch --name SearchBox --focus Feed.swift:42 --depth 2 --counts --every 500ms -o feed.png
      """)

  @OptionGroup var program: ProgramChoice

  @Option(name: .shortAndLong, help: "The file to write; its extension is one of \(OutputKind.pictures).")
  var output: String

  @Option(help: "How often to look, such as 500ms or 5s.")
  var every = WatchTime(seconds: 1)

  @Flag(help: "Draw again also when only figures have changed.")
  var counts = false

  @OptionGroup var drawing: DrawingChoice

  @OptionGroup var links: LinkChoice

  @Option(help: "How many seconds a layout may take.")
  var timeLimit = 60

  func validate() throws {
    guard output != "-" else {
      throw ValidationError(
        "watch writes one file again and again; give the name of a file, and render -o - for one picture.")
    }
    if case .json = try OutputKind(path: output, offering: OutputKind.pictures) {
      throw ValidationError("watch draws a picture (\(OutputKind.pictures)); render writes a snapshot as JSON.")
    }
    try program.checkThatOneIsMeant(besidesFile: false)
    guard every.seconds >= 0.1 else {
      throw ValidationError("--every \(every.words) is not possible; give 100ms or more.")
    }
    guard (1...86_400).contains(timeLimit) else {
      throw ValidationError("--time-limit \(timeLimit) is not possible; give 1 to 86400 seconds.")
    }
  }

  func run() throws {
    try ExitStatus.unansweredIfThrown {
      let file = try OutputFile(path: output)
      let watch = PictureWatch(
        program: try program.connection(), focus: drawing.part, interval: every, drawsCounts: counts,
        file: file, kind: try OutputKind(path: output, offering: OutputKind.pictures),
        options: drawing.options, links: links, sources: links.folder,
        limits: LayoutProcess.Limits(seconds: timeLimit, megabytes: 2_048))
      // Interrupting it before the first response is no failure either.
      do { try watch.run() } catch is ProgramConnection.Interrupted {}
    }
  }
}
