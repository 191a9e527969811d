import Foundation
import SignalGraph
import SignalPicture

/// A graph, with its earlier state if it was watched for a while.
struct GraphPair {
  var before: GraphSnapshot?
  var now: GraphSnapshot
  /// Further snapshots after ``now``.
  var later: [GraphSnapshot] = []

  /// Creates a pair from loaded graphs of one process, in order.
  init(before: GraphSnapshot?, now: GraphSnapshot) {
    self.before = before
    self.now = now
  }

  /// Reads a snapshot from a file, or two of one process; from a recording, the first and the last.
  init(files: [String]) throws {
    if files.count == 1, let pair = try GraphPair(recording: files[0]) {
      self = pair
      return
    }
    let graphs = try files.map { try SnapshotFile.read($0, focus: GraphFocus()) }
    guard let last = graphs.last else { throw Failure("There is no snapshot file to read.") }
    now = last
    if graphs.count > 1 {
      before = graphs[0]
      try checkOrder(of: files[0], before: files[1])
    }
  }

  /// The first and the last graph of a recording; nil for any other file.
  private init?(recording path: String) throws {
    let data = try SnapshotFile.data(of: path)
    guard RecordingFile.isTrace(data) else { return nil }
    let graphs = try RecordingFile.graphs(data, path)
    now = graphs[graphs.count - 1]
    if graphs[0].takenAt < now.takenAt { before = graphs[0] }
  }

  /// Queries a program, waits, and queries it again. The program keeps running. It profiles its handlers and tracks
  /// causes.
  init(asking program: ProgramConnection, for time: WatchTime) throws {
    let whole = GraphFocus()
    if time.seconds > 0 { try program.trace(for: ProgramConnection.profileTime, within: .seconds(10)) }
    let answer = try program.snapshotAnswer(of: whole, within: .seconds(10))
    let begin = ContinuousClock.now
    let first = try answer()
    guard time.seconds > 0 else {
      now = first
      return
    }
    // Reading a large graph takes some of the time.
    ProgramConnection.wait(until: begin + .seconds(time.seconds), profiling: [program])
    before = first
    now = try program.snapshot(of: whole, within: .seconds(10))
    try checkOrder(of: "The first snapshot", before: "the second one")
  }

  /// Queries a watched program a few more times, at uneven intervals, so that a recurring burst is not hit every time.
  /// Stops once the program no longer responds.
  mutating func pollAgain(asking program: ProgramConnection) {
    for seconds in [0.31, 0.47, 0.23, 0.59] {
      // Safe: bursts are recognised only while real time passes.
      Thread.sleep(forTimeInterval: seconds)
      guard let snapshot = try? program.snapshot(of: GraphFocus(), within: .seconds(10)),
        snapshot.process == now.process
      else { return }
      later.append(snapshot)
    }
  }

  /// Queries a program of which an earlier snapshot is in a file.
  init(file: String, thenAsking program: ProgramConnection) throws {
    before = try SnapshotFile.read(file, focus: GraphFocus())
    now = try program.snapshot(of: GraphFocus(), within: .seconds(10))
    try checkOrder(of: file, before: "the program")
  }

  /// Throws unless the first is an earlier snapshot of the same process.
  private func checkOrder(of first: String, before second: String) throws {
    guard let before else { return }
    guard before.process == now.process else {
      throw Failure(
        "\(first) is of \(before.process.words), and \(second) of \(now.process.words): only graphs of one process can be compared."
      )
    }
    guard before.takenAt != now.takenAt else {
      throw Failure("\(first) and \(second) are the same snapshot of \(now.process.words).")
    }
    guard before.takenAt < now.takenAt else {
      throw Failure("\(first) was not taken before \(second): give the earlier snapshot first.")
    }
  }
}

extension ProcessIdentity {
  /// The same process, its name on one line and without control characters.
  var displayable: ProcessIdentity {
    var clean = self
    clean.name = name.displayable(limit: 100)
    return clean
  }

  /// The name and identifier, such as `SearchBox (pid 123)`.
  var words: String { "\(name.displayable(limit: 100)) (pid \(pid))" }
}
