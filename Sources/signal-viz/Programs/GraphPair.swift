import Foundation
import SignalGraph
import SignalPicture

/// A graph, and if it was watched for a while, how it was before.
struct GraphPair {
  var before: GraphSnapshot?
  var now: GraphSnapshot
  /// Further looks after ``now``.
  var later: [GraphSnapshot] = []

  /// Graphs that are at hand, of one process and in their order.
  init(before: GraphSnapshot?, now: GraphSnapshot) {
    self.before = before
    self.now = now
  }

  /// Reads a snapshot from a file, or two of one process; of a recording the first one and the last.
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

  /// Asks a program, waits, and asks it again. The program goes on meanwhile; it only counts what handlers do.
  init(asking program: ProgramConnection, for time: WatchTime) throws {
    let whole = GraphFocus()
    // For the answers too.
    if time.seconds > 0 { try program.trace(for: .seconds(time.seconds + 20), within: .seconds(10)) }
    let answer = try program.snapshotAnswer(of: whole, within: .seconds(10))
    let begin = ContinuousClock.now
    let first = try answer()
    guard time.seconds > 0 else {
      now = first
      return
    }
    // Safe: to let that much time pass is what was asked for. To read a large graph takes some of it.
    Thread.sleep(forTimeInterval: max(0, time.seconds - (ContinuousClock.now - begin) / .seconds(1)))
    before = first
    now = try program.snapshot(of: whole, within: .seconds(10))
    try checkOrder(of: "The first snapshot", before: "the second one")
  }

  /// Asks a program that was watched a few times more, at uneven distances, so that a burst that comes again and again is not met each time. A
  /// program that does not answer any more has no later looks.
  mutating func lookAgain(asking program: ProgramConnection) {
    for seconds in [0.31, 0.47, 0.23, 0.59] {
      // Safe: what comes in bursts shows only while real time passes.
      Thread.sleep(forTimeInterval: seconds)
      guard let look = try? program.snapshot(of: GraphFocus(), within: .seconds(10)), look.process == now.process
      else { return }
      later.append(look)
    }
  }

  /// Asks a program that a snapshot in a file was taken of before.
  init(file: String, thenAsking program: ProgramConnection) throws {
    before = try SnapshotFile.read(file, focus: GraphFocus())
    now = try program.snapshot(of: GraphFocus(), within: .seconds(10))
    try checkOrder(of: file, before: "the program")
  }

  /// Snapshots of two processes cannot be compared, as their numbers mean different nodes.
  private func checkOrder(of first: String, before second: String) throws {
    guard let before else { return }
    guard before.process == now.process else {
      throw Failure(
        "\(first) is of \(before.process.words), and \(second) of \(now.process.words): only graphs of one process can be compared."
      )
    }
    guard before.takenAt != now.takenAt else {
      throw Failure("\(first) and \(second) are one look at \(now.process.words): there is nothing to compare.")
    }
    guard before.takenAt < now.takenAt else {
      throw Failure("\(first) was not taken before \(second): give the earlier snapshot first.")
    }
  }
}

extension ProcessIdentity {
  /// The same process, with a name of one line that has no control characters.
  var displayable: ProcessIdentity {
    var clean = self
    clean.name = name.displayable(limit: 100)
    return clean
  }

  /// Such as `SearchBox (pid 123)`.
  var words: String { "\(name.displayable(limit: 100)) (pid \(pid))" }
}
