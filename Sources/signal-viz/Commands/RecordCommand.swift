import ArgumentParser
import Foundation
import SignalPicture

struct RecordCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "record", abstract: "Records what happens in a running program, for trace viewers and for replay.",
    discussion: """
      What sources send, what passes operators and what handlers do is written down for a while: when, for how long, on which thread, and by which cause. The \
      program goes on; while it is recorded, each event takes it about half a microsecond. Values themselves are not recorded.

      The file is in the Trace Event Format: ui.perfetto.dev and chrome://tracing open it. Each thread is a row, arrows lead from cause to effect, and \
      rates and what waits are curves. It has the program's graph too, so `replay`, `render`, `check` and `why` read it.

      It ends when the time is over, with the program, or with Ctrl-C. Of more events than --limit, even stretches of 10 ms are kept. What \
      happened until the end is asked for, for a second at most, and written; a line on standard error says what is missing.

      Exit status: 0; 2 if no program can be asked or the file cannot be written; 64 if the arguments are wrong.

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
