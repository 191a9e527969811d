import ArgumentParser
import Foundation
import SignalAttach
import SignalGraph
import SignalRendering

struct DoctorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor", abstract: "Checks that graphs can be drawn and programs can be found.",
    discussion: """
      Each check prints a line: it begins with `ok`, or with `FAIL` and the remedy.

      Exit status: 0 if every check succeeds; 1 if one fails.
      """)

  func run() throws {
    var failures = 0
    func report(_ title: String, _ check: () throws -> String) throws {
      let line: String
      do {
        line = "ok    \(title): \(try check())"
      } catch {
        failures += 1
        line = "FAIL  \(title): \(error)"
      }
      try Terminal.write(line: line.withVisibleControls)
    }
    try report("libgraphviz") {
      let version = Graphviz.version
      guard !version.isEmpty else { throw Failure("it cannot be started; install graphviz again") }
      return "version \(version)"
    }
    for format in PictureFormat.allCases {
      try report("\(format.rawValue) picture") {
        "\(try Self.tinyPicture(format: format, words: "Signals").count) bytes"
      }
    }
    try report("fonts") {
      // Without fonts every glyph is the same box, so texts of the same length look alike.
      let one = try Self.tinyPicture(format: .png, words: "HTOHTO")
      let other = try Self.tinyPicture(format: .png, words: "OTHOTH")
      guard one != other else {
        throw Failure("text is drawn as boxes; install a font, such as the package fonts-dejavu-core")
      }
      return "text is drawn correctly"
    }
    for directory in try SocketDirectory.searchList() {
      try report("socket directory \(directory.path)") {
        guard try directory.verify() else { return "not there yet; the first inspected program makes it" }
        let sockets = try directory.sockets()
        let live = try sockets.filter { try $0.liveness() == .live }.count
        let dead = sockets.count - live
        return "private; \(live) live and \(dead) dead socket\(dead == 1 ? "" : "s")"
      }
    }
    if failures > 0 { throw ExitCode.failure }
  }

  private static func tinyPicture(format: PictureFormat, words: String) throws -> Data {
    let process = ProcessIdentity(name: words, pid: 1, startedAt: 0)
    let plan = try LayoutPlan(for: GraphSnapshot(process: process, takenAt: 0), format: format)
    let file = try ScratchFile()
    try LayoutProcess.run(plan, limits: LayoutProcess.Limits(seconds: 20, megabytes: 2_048), into: file.handle)
    return try file.contents()
  }
}
