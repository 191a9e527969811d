import SignalGraph
import SignalMarbles
import Signals
import Synchronization

/// The point at which the subscriptions of a test are disposed.
enum CancellationPoint: Hashable, Sendable {
  case never
  /// Before the work item with this number, and after all those before.
  case beforePiece(Int)
  /// At this time, before all other work.
  case frame(nanoseconds: Int64)
  /// Inside the handler of an event, which is the last of this number of events.
  case insideHandler(recorder: Int, event: Int)
}

/// One run of a marble test whose subscriptions are disposed at one point.
final class CancellationTrial {
  /// Something that is wrong.
  struct Violation {
    var kind: String
    var message: String
  }

  let failures: [FailureCapture.Failure]
  private let watch: CancellationWatch
  private let leaks: [Leak]
  private let settings: MarbleSettings

  init(_ point: CancellationPoint, _ settings: MarbleSettings, _ declare: (MarbleTest) throws -> Void) {
    let recorder = GraphRecorder(
      endedLimit: 4_096, unhandledFailures: nil, findsSubscriptions: true,
      captureCreation: { Creation(isOfTest: VirtualWorld.isRunningTaskOfTest) })
    let watch = CancellationWatch(point, recorder)
    let capture = FailureCapture()
    capture.hold {
      recorder.record {
        do { try settings.run(watch: watch, director: { watch.director(of: $0) }, declare) } catch {
          capture.note(error, of: "The test")
        }
      }
    }
    watch.settle()
    self.watch = watch
    self.settings = settings
    failures = capture.take()
    leaks = LeakFinder(recorder).leaks(work: { !$0.isOfTest }).filter {
      $0.site.map { !$0.fileID.hasPrefix("SignalTesting/") } ?? true
    }
    recorder.close()
  }

  /// Whether there are subscriptions to dispose.
  var hasSubscribers: Bool { watch.state.withLock { !$0.recorders.isEmpty } }

  /// The possible points of a run without disposal.
  var points: [CancellationPoint] {
    let state = watch.state.withLock { $0 }
    var points = (state.firstPiece..<max(state.firstPiece, state.pieceCount)).map { CancellationPoint.beforePiece($0) }
    let frame = settings.frame.exactNanoseconds ?? 1
    let frames = state.lastTime / frame
    points += (1...max(1, min(frames, 1_000))).map { .frame(nanoseconds: $0 * frame) }
    // The last work may have started something that says nothing.
    if frames > 0 { points.append(.frame(nanoseconds: (frames + 1) * frame)) }
    for (index, recorder) in state.recorders.enumerated() {
      points += (0..<recorder.eventCount).map { .insideHandler(recorder: index, event: $0 + 1) }
    }
    return points
  }

  /// What is wrong, at most once for each kind.
  var findings: [Violation] {
    let state = watch.state.withLock { $0 }
    guard let disposal = state.disposal else { return [] }
    var result: [Violation] = []
    for (index, recorder) in state.recorders.enumerated() {
      let before = disposal.counts.indices.contains(index) ? disposal.counts[index] : 0
      guard recorder.eventCount > before, result.isEmpty, disposal.subscribed.contains(index) else { continue }
      result.append(
        Violation(
          kind: "silence",
          message: "An event arrived after the disposal (law 7).\n\n" + picture(of: recorder, before, disposal)))
    }
    let leaked = state.remains + leaks.map { (kind: $0.kind.title, fact: $0.message) }
    // A task that is still running may leave virtual time as well, which is the same fault.
    let isTaskRunning = leaked.contains { $0.kind == Leak.Kind.taskStillRunning.title }
    let escapes = isTaskRunning ? [] : state.escapes.prefix(1)
    let facts = leaked + escapes.map { (kind: "escape", fact: "The chain caused this after its disposal. " + $0) }
    for (kind, fact) in facts where !result.contains(where: { $0.kind == kind }) {
      // The expectation with the most progress describes the point best.
      guard let index = disposal.counts.indices.max(by: { disposal.counts[$0] < disposal.counts[$1] }) else { continue }
      let picture = picture(of: state.recorders[index], disposal.counts[index], disposal)
      result.append(Violation(kind: kind, message: fact + "\n\n" + picture))
    }
    return result
  }

  private func picture(
    of recorder: any WatchedRecorder, _ before: Int, _ disposal: CancellationWatch.Disposal
  ) -> String {
    let events = recorder.notations
    func slot(_ nanoseconds: Int64) -> MarbleTable.Slot {
      MarbleTable.Slot(nanoseconds: nanoseconds, isInsideSubscribe: false)
    }
    var rows = [
      MarbleTable.Row(title: "received", cells: MarbleTable.cells(Array(events.prefix(before)))),
      MarbleTable.Row(title: "disposed", cells: [slot(disposal.nanoseconds): "!"]),
    ]
    let after = Array(events.dropFirst(before))
    if !after.isEmpty { rows.append(MarbleTable.Row(title: "and then", cells: MarbleTable.cells(after))) }
    let times = events.map(\.nanoseconds) + [disposal.nanoseconds]
    let frame = settings.frame.exactNanoseconds ?? 1
    let table = MarbleTable(
      rows: rows, marks: Set(after.map { slot($0.nanoseconds) }), end: (times.max() ?? 0) + frame,
      frame: MarbleTable.frame(frame, fitting: times))
    return (table.lines() + ["", "Disposed " + words(disposal) + "."]).joined(separator: "\n")
  }

  private func words(_ disposal: CancellationWatch.Disposal) -> String {
    let frame = settings.frame.exactNanoseconds ?? 1
    let time =
      disposal.nanoseconds % frame == 0
      ? "at frame \(disposal.nanoseconds / frame)" : "at \(MarbleDuration.spoken(disposal.nanoseconds))"
    switch watch.point {
    case .never: return ""
    case .frame: return "\(time), before all other work"
    case .beforePiece:
      return disposal.isBetween ? "\(time), between two work items" : "\(time), after all work of that moment"
    case .insideHandler(_, let event): return "\(time), inside the handler of event \(event)"
    }
  }
}

/// Disposes the subscriptions of a test at one point, and checks the remains at the next instant.
final class CancellationWatch: MarbleWatch {
  struct Disposal: Sendable {
    var nanoseconds: Int64
    /// Whether other work of the instant was left.
    var isBetween: Bool
    /// The number of events of each subscriber.
    var counts: [Int]
    /// The subscribers whose subscribe had returned. Only they may not get further events.
    var subscribed: Set<Int> = []
  }

  struct State: Sendable {
    var recorders: [any WatchedRecorder] = []
    /// The subscribers of inner signals, which subscribe while the test runs.
    var inner: [any WatchedRecorder] = []
    var logs: [SubscriptionLog] = []
    /// The limit of the numbers of the test's own subscriptions and work; nil during its declaration.
    var declaredLimit: UInt64?
    /// Whether only the expectations subscribe, and tasks of the test: then all other remains are theirs.
    var isPure = true
    var pieceCount = 0
    /// The first work item before which something is subscribed.
    var firstPiece = Int.max
    var lastTime: Int64 = 0
    var disposal: Disposal?
    var isChecked = false
    var remains: [(kind: String, fact: String)] = []
    /// The readers of asynchronous sequences.
    var readings: [SequenceReading] = []
    /// Descriptions of escapes from virtual time, which the chain has caused since the disposal.
    var escapes: [String] = []
  }

  let point: CancellationPoint
  let state = Mutex(State())
  private let recorder: GraphRecorder

  init(_ point: CancellationPoint, _ recorder: GraphRecorder) {
    self.point = point
    self.recorder = recorder
  }

  var isVariant: Bool { point != .never }

  func made(_ recorder: any WatchedRecorder) {
    let isDisposed = state.withLock { state in
      if state.declaredLimit == nil { state.recorders.append(recorder) } else { state.inner.append(recorder) }
      return state.declaredLimit != nil && state.disposal != nil
    }
    if isDisposed { recorder.dispose() }
  }

  func made(_ log: SubscriptionLog) { state.withLock { $0.logs.append(log) } }

  func started(_ reading: SequenceReading) { state.withLock { $0.readings.append(reading) } }

  func ended(_ departures: [Departure], at test: MarbleSource) {
    // The run without a disposal has none. Those that other threads cause depend on timing.
    let escapes = DepartureReport(
      departures.filter { Self.causes.contains($0.cause) && !$0.isOfTest }, of: test, in: Departure.Use())
    state.withLock { state in
      if state.isPure, state.disposal != nil { state.escapes = escapes.messages }
    }
  }

  private static let causes = Departure.Cause.known.subtracting([.otherTest]).union([.unfinished])

  func received(by recorder: any WatchedRecorder) {
    guard case .insideHandler(let index, let event) = point else { return }
    let isHere = state.withLock { state in
      state.disposal == nil && state.recorders.indices.contains(index) && state.recorders[index] === recorder
    }
    if isHere, recorder.eventCount == event { dispose(at: recorder.notations.last?.nanoseconds ?? 0) }
  }

  /// Leaves the order unchanged.
  func director(of scheduler: VirtualTimeScheduler) -> VirtualTimeScheduler.Director {
    if case .frame(let nanoseconds) = point {
      scheduler.schedule(at: SchedulerInstant(sinceOrigin: .nanoseconds(nanoseconds)), phase: .test) { [self] in
        dispose(at: nanoseconds)
      }
      // Before it the remains are checked, even if no other work comes.
      scheduler.schedule(at: SchedulerInstant(sinceOrigin: .nanoseconds(nanoseconds + 1)), phase: .test) {}
    }
    return { [self] scheduler, ready in
      guard next(ready, now: scheduler.nanoseconds) else { return 0 }
      // Work that the disposal has triggered comes before anything that is due later.
      return nil
    }
  }

  /// Notes that a work item is about to run.
  ///
  /// - Returns: Whether the subscriptions were disposed before it.
  private func next(_ ready: VirtualTimeScheduler.ReadyPieces, now: Int64) -> Bool {
    let due = ready.deadline.exactNanoseconds ?? .max
    if state.withLock({ $0.declaredLimit == nil }) { noteDeclared() }
    let (isHere, disposal) = state.withLock { state in
      let number = state.pieceCount
      state.pieceCount += 1
      state.lastTime = due
      if state.firstPiece == .max, state.recorders.contains(where: \.hasSubscribed) { state.firstPiece = number }
      return (point == .beforePiece(number) && state.disposal == nil, state.disposal)
    }
    if let disposal, due > disposal.nanoseconds { check() }
    if isHere { dispose(at: now, isBetween: due == now) }
    return isHere
  }

  /// Called before any work has run.
  private func noteDeclared() {
    let nodes = recorder.chainNodes()
    let numbers = nodes.map(\.id) + recorder.pendingWork.map(\.identifier)
    state.withLock { state in
      state.declaredLimit = numbers.max() ?? 0
      state.isPure = nodes.allSatisfy(\.isSource)
    }
  }

  private func dispose(at nanoseconds: Int64, isBetween: Bool = false) {
    let recorders = state.withLock { state in
      let recorders = state.recorders
      // Events of the others may come until the last of them is disposed: they may still get events.
      state.disposal = Disposal(
        nanoseconds: nanoseconds, isBetween: isBetween, counts: recorders.map(\.eventCount))
      return recorders
    }
    for (index, recorder) in recorders.enumerated() {
      let count = recorder.eventCount
      let hasSubscribed = recorder.hasSubscribed
      state.withLock { state in
        state.disposal?.counts[index] = count
        if hasSubscribed { state.disposal?.subscribed.insert(index) }
      }
      recorder.dispose()
    }
    for recorder in state.withLock({ $0.inner }) { recorder.dispose() }
  }

  /// Checks the remains once time has passed the disposal: cancelled tasks have run.
  private func check() {
    let known = state.withLock { state -> State? in
      guard !state.isChecked else { return nil }
      state.isChecked = true
      return state
    }
    guard let known else { return }
    var remains: [(kind: String, fact: String)] = []
    let limit = known.declaredLimit ?? 0
    let finder = LeakFinder(recorder)
    let leaks = finder.leaks { root in
      Chains.isExpectation(root)
        || (known.isPure && root.id > limit && !root.site.fileID.hasPrefix("SignalTesting/")
          && !Creation.isOfTest(root.trace))
    } work: { work in
      known.isPure && work.identifier > limit && !work.isOfTest
        && !(work.site?.fileID.hasPrefix("SignalTesting/") ?? false)
    }
    let open = known.isPure ? known.logs.reduce(0) { $0 + $1.openCount } : 0
    if open > 0 {
      remains.append(
        (
          "upstream",
          "\(open) subscription\(open == 1 ? "" : "s") to the sources of the test \(open == 1 ? "is" : "are") left after the "
            + "disposal (law 9)."
        ))
    }
    for leak in leaks + known.readings.compactMap(\.leak) { remains.append((leak.kind.title, leak.message)) }
    state.withLock { $0.remains = remains }
  }

  /// The end of the run.
  func settle() {
    if state.withLock({ $0.disposal != nil }) { check() }
  }
}

extension PendingWork {
  /// Whether a closure of the test started it, or a task of the test requested it: no chain has to end it.
  fileprivate var isOfTest: Bool { running?.isOfTest ?? Creation.isOfTest(trace) }
}

/// Where a subscription is created, or work is requested.
private struct Creation {
  /// Whether that is a task that a closure of the test started: no chain has to end it.
  let isOfTest: Bool

  static func isOfTest(_ trace: (any Sendable)?) -> Bool { (trace as? Creation)?.isOfTest ?? false }
}
