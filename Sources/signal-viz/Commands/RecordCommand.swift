import ArgumentParser
import Foundation
import SignalPicture

struct RecordCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "record", abstract: "Records what happens in a running program, for trace viewers and for replay.",
    discussion: """
      Records sends of sources, output of operators and calls of handlers for a while, each with time, duration, thread and cause. The \
      program keeps running; while it is recorded, each event takes about half a microsecond. Values themselves are not recorded.

      The file is in the Trace Event Format: ui.perfetto.dev and chrome://tracing open it. Each thread is a row, arrows lead from cause to \
      effect, and rates and queue depths are curves. It contains the program's graph too, so `replay`, `render`, `check` and `why` read it.

      It stops at the end of the time or of the program, or with Ctrl-C. If there are more events than --limit, evenly spaced stretches of \
      10 ms are stored. Then the remaining events are requested, for a second at most, and written; a line on standard error says what is \
      missing.

      Exit status: 0; 2 if no program can be queried or the file cannot be written; 64 if the arguments are wrong.

      Examples:
        signal-viz record --name SearchBox -o recording.json
        signal-viz record --name SearchBox --for 30s --limit 500000 -o recording.json
        signal-viz replay recording.json --place Feed.swift:42
      """)

  @OptionGroup var program: ProgramChoice

  @Option(name: .shortAndLong, help: "The file to write; with - the standard output.")
  var output: String

  @Option(name: .customLong("for"), help: "How long to record, such as 10s, 500ms or 2m.")
  var time = WatchTime(seconds: 5)

  @Option(help: "The maximum number of events to store.")
  var limit = 100_000

  func validate() throws {
    try program.checkThatOneIsMeant(besidesFile: false)
    guard (0.1...3_600).contains(time.seconds) else {
      throw ValidationError("--for \(time.words) is not possible; give 100ms to 1h.")
    }
    guard (1...2_000_000).contains(limit) else {
      throw ValidationError("--limit \(limit) is not possible; give 1 to 2000000 events.")
    }
  }

  func run() throws {
    try ExitStatus.unansweredIfThrown {
      // Errors in the output path are reported before anything is recorded.
      let place = try OutputPlace(path: output)
      let session = RecordingSession(program: AskedProgram(try program.connection()), time: time, limit: limit)
      let recording = try ProgressLine.during("Recording", limit: Int(time.seconds.rounded(.up))) {
        try session.record()
      }
      var file = TraceFile(recording)
      try place.write(file.data())
      for note in recording.notes { Terminal.note(note) }
      guard output != "-" else { return }
      let time = WatchTime(seconds: recording.seconds).words
      try Terminal.write(
        line: "\(output.withVisibleControls): \(recording.process.words), \(recording.words) in \(time)")
    }
  }
}
