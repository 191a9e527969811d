import Foundation
import SignalFindings
import SignalGraph
import SignalPicture

/// Watches a program and reports findings when they appear and disappear, until interrupted or the program ends.
///
/// Each snapshot is compared with the one a window of time before, or with the first one while none is that old.
struct Watch {
  var program: ProgramConnection
  var window: WatchTime
  var isWanted: (String) -> Bool
  var known: Baseline?
  var picture: (file: OutputFile, kind: OutputKind)?
  var log: WatchLog
  /// The links of the drawing's boxes.
  var links: LinkChoice

  /// The interval of snapshots: two seconds, a fifth of a long window, or the whole of a short one.
  var interval: WatchTime { WatchTime(seconds: min(window.seconds, max(2, window.seconds / 5))) }

  /// Watches until the end.
  ///
  /// - Returns: Whether anything was found.
  func run() throws -> Bool {
    let interruption = Interruption()
    var program = program
    program.interruption = interruption.descriptor
    var changes = FindingChanges()
    // The first snapshot is checked on its own. If it fails, there is nothing to watch.
    var looks = [try look(at: program)]
    let identity = looks[0].process
    let began = ContinuousClock.now
    try log.start(identity.displayable, every: interval, window: window)
    try note(looks, in: &changes)
    var isSilent = false
    while true {
      if isInterrupted(interruption, beforeNextLookAt: program) { break }
      // From the second snapshot on the program may delay its responses.
      program.isPatient = looks.count > 1
      do {
        let next = try look(at: program)
        guard next.process == identity else { break }
        if isSilent { Terminal.note("\(identity.words) answers again.") }
        isSilent = false
        looks.append(next)
      } catch is ProgramConnection.Interrupted {
        break
      } catch {
        if program.isGone { break }
        // The program may be stopped, or busy.
        if !isSilent { Terminal.note("\(error)\nStill watching.") }
        isSilent = true
        continue
      }
      // The newest snapshot that is old enough is compared; those before it are not needed any more.
      let oldest = looks.lastIndex { looks[looks.count - 1].takenAt - $0.takenAt >= window.seconds * 0.99 }
      looks.removeFirst(oldest ?? 0)
      try note(looks, in: &changes)
    }
    let isInterrupted = interruption.comes(within: .zero)
    // A terminal echoes ^C at the cursor.
    if isInterrupted, isatty(STDERR_FILENO) == 1 { Terminal.note("") }
    try log.end(
      identity.displayable, isInterrupted ? .interrupted : .ended, changes, after: (.now - began) / .seconds(1))
    return changes.foundCount > 0
  }

  /// Waits until the next snapshot is due, while the program profiles its handlers.
  private func isInterrupted(_ interruption: Interruption, beforeNextLookAt program: ProgramConnection) -> Bool {
    let end = ContinuousClock.now + .seconds(interval.seconds)
    while true {
      let rest = end - .now
      if interruption.comes(within: min(rest, ProgramConnection.profileInterval)) { return true }
      guard rest > ProgramConnection.profileInterval else { return false }
      // If it fails, so does the query for the snapshot, which reports it.
      _ = try? program.trace(for: ProgramConnection.profileTime, within: .seconds(2))
    }
  }

  private func look(at program: ProgramConnection) throws -> GraphSnapshot {
    try program.trace(for: ProgramConnection.profileTime, within: .seconds(10))
    // A program that delays its responses may be slow as well.
    return try program.snapshot(of: GraphFocus(), within: .seconds(program.isPatient ? 30 : 10))
  }

  private func note(_ looks: [GraphSnapshot], in changes: inout FindingChanges) throws {
    let now = looks[looks.count - 1]
    let before = looks.count > 1 && looks[0].takenAt < now.takenAt ? looks[0] : nil
    let graphs = GraphPair(before: before, now: now)
    var report = CheckReport(of: graphs, where: isWanted)
    if let known { report.leaveOut(known) }
    let isFirst = looks.count == 1
    let (new, gone) = changes.note(report.findings)
    for finding in gone { try log.gone(finding) }
    for finding in new { try log.found(finding) }
    guard let picture, isFirst || !new.isEmpty || !gone.isEmpty else { return }
    do {
      var drawing = FindingsPicture(of: changes.present, in: now, place: GraphView(now).words)
      drawing.options.sourceLink = try links.sourceLink(of: drawing.part)
      try drawing.write(to: picture.file, as: picture.kind)
    } catch {
      // The next drawing may be smaller, or the disk have space again.
      Terminal.note("\(error)\nStill watching.")
    }
  }
}
