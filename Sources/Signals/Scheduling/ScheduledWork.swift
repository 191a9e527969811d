import Synchronization

/// Work that waits for its deadline: it runs once, or is cancelled. One atomic exchange decides which.
// Safe: `state` is atomic; `work` is written after the initialiser only by the thread that changed `state` to `over`.
// The object whose address is in `state` is retained by the thread that stored it, and released by the thread that
// removes it. Unchecked exclusivity: `work` is moved out before it is called, so nothing is called while it is read or
// written.
final class ScheduledWork: QueuedWork, Disposable, @unchecked Sendable {
  private static var waiting: UInt { 0 }
  private static var over: UInt { 1 }

  /// `waiting` or `over`; or, while it waits, the address of the ``Departures`` to notify when it is over.
  private let state = Atomic<UInt>(ScheduledWork.waiting)
  @exclusivity(unchecked) private var work: (@Sendable () -> Void)?

  init(
    stage: WorkToken.Stage = .waiting, recorder: Recorder = .nobody, _ work: @escaping @Sendable () -> Void
  ) {
    self.work = Recorder.isAnyOn ? NotedWork.noting(work, stage, recorder) : work
  }

  /// Runs the work, unless it ran or was cancelled.
  func run() {
    if finish() { runClaimed() }
  }

  func dispose() {
    if finish() { work = nil }
  }

  var isDisposed: Bool { state.load(ordering: .acquiring) == Self.over }

  /// Ends the wait.
  ///
  /// - Returns: Whether this call ended it; only then may the caller take the work.
  private func finish(byScheduler: Bool = false) -> Bool {
    let before = state.exchange(Self.over, ordering: .acquiringAndReleasing)
    if let departures = Self.departures(before) {
      // The scheduler has removed the work itself, and still holds the departures.
      if !byScheduler { departures._withUnsafeGuaranteedRef { $0.note(self) } }
      departures.release()
    }
    return before != Self.over
  }

  private static func departures(_ state: UInt) -> Unmanaged<Departures>? {
    state == over ? nil : UnsafeRawPointer(bitPattern: state).map(Unmanaged.fromOpaque)
  }

  deinit {
    Self.departures(state.load(ordering: .relaxed))?.release()
  }

  // MARK: In a queue of virtual time

  override func moment(queuedFor key: Key) -> Key? { isDisposed ? nil : key }

  override func claim(queuedFor key: Key) -> Claim { finish(byScheduler: true) ? .due : .over }

  override func report(to departures: Departures) -> Bool {
    let departures = Unmanaged.passRetained(departures)
    let (isNew, before) = state.compareExchange(
      expected: Self.waiting, desired: UInt(bitPattern: departures.toOpaque()), ordering: .acquiringAndReleasing)
    if !isNew { departures.release() }
    return before != Self.over
  }

  override func runClaimed() {
    guard let work else { return }
    self.work = nil
    work()
  }
}

/// Work that is shown as pending in the graph until its closure is released.
// Safe: `work` is written only while no other code has the object.
private final class NotedWork: @unchecked Sendable {
  private var work: (@Sendable () -> Void)?
  private let token: WorkToken

  private init(_ work: @escaping @Sendable () -> Void, _ token: WorkToken) {
    self.work = work
    self.token = token
  }

  /// Returns the same work; releasing the returned closure ends its pending state.
  static func noting(
    _ work: @escaping @Sendable () -> Void, _ stage: WorkToken.Stage, _ recorder: Recorder
  ) -> @Sendable () -> Void {
    guard let token = WorkToken(stage, recorder) else { return work }
    let noted = NotedWork(work, token)
    return { noted.run() }
  }

  private func run() {
    token.run { work?() }
  }

  deinit {
    // In this order: the work counts as over once nothing retains its captures.
    work = nil
    token.end()
  }
}
