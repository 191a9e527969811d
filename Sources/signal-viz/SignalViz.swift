import ArgumentParser
import Foundation
import SignalAttach

/// Runs the command given by the arguments. Messages quote arguments, no part of which may control a terminal.
@main
enum Main {
  /// Makes a crash end this process like other commands. Backtraces are printed only if SWIFT_BACKTRACE is set.
  private static func doWithoutBacktraces() {
    guard ProcessInfo.processInfo.environment["SWIFT_BACKTRACE"] == nil else { return }
    for number in [SIGSEGV, SIGBUS, SIGABRT, SIGILL, SIGFPE, SIGTRAP, SIGQUIT] { signal(number, SIG_DFL) }
  }

  static func main() {
    doWithoutBacktraces()
    Unfinished.shared.takeSignals()
    do {
      let arguments = CommandLine.arguments.dropFirst()
      // `watch` is the earlier name of `render --watch`.
      let isWatch = arguments.first == "watch"
      var command = try SignalViz.parseAsRoot(isWatch ? ["render", "--watch"] + arguments.dropFirst() : nil)
      try command.run()
    } catch {
      let words = SignalViz.fullMessage(for: error)
      let status = SignalViz.exitCode(for: error)
      guard status == .success else {
        if !words.isEmpty { Terminal.note(words) }
        exit(status.rawValue)
      }
      // The help text or the version.
      do { try Terminal.write(line: words) } catch {
        Terminal.note("Error: \(error)")
        exit(ExitStatus.unanswered.rawValue)
      }
    }
  }
}

/// The main command: shows the signal graphs of running programs.
struct SignalViz: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "signal-viz",
    abstract: "Draws the live signal graph of a running program, and finds faults in it.",
    discussion: """
      A program is inspectable when it calls SignalInspector.start(), or startIfRequested() while SIGNALS_INSPECT=1 is set.

      Examples:
        signal-viz list
        signal-viz top --name SearchBox
        signal-viz check --name SearchBox --for 10s
        signal-viz render --name SearchBox -o live.svg
        signal-viz render snapshot.json --focus Feed.swift:42 --depth 2 -o feed.png
      """,
    version: Hello.currentLibraryVersion,
    subcommands: [
      ListCommand.self, TopCommand.self, CheckCommand.self, WhyCommand.self, DiffCommand.self, RenderCommand.self,
      RecordCommand.self, ReplayCommand.self, MarblesCommand.self, ServeCommand.self, DoctorCommand.self,
      LayoutCommand.self,
    ]
  )
}

/// An error message for the user: what went wrong, where, and what to do.
struct Failure: Error, CustomStringConvertible {
  var description: String

  init(_ description: String) { self.description = description }
}
