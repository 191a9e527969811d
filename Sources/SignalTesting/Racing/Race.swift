public import Signals
import Synchronization

/// One round of a race search: its threads, their actions, and the checks at the end.
///
/// ``searchRaces(rounds:seed:replaying:patience:fileID:filePath:line:column:_:)`` creates one for each round.
public final class Race {
  struct Act {
    var name: String
    var body: @Sendable () throws -> Void
  }

  let placement: RacePlacement
  private(set) var threads: [@Sendable (RaceThread) throws -> Void] = []
  private(set) var acts: [Act] = []
  private(set) var checks: [() throws -> Void] = []
  private(set) var logs: [any RaceLogCheck] = []
  let notes = RaceNotes()

  init(_ placement: RacePlacement) { self.placement = placement }

  /// Adds a thread. All threads begin together, when the scenario's closure has returned; there have to be two to four.
  ///
  /// - Parameter body: The thread's actions. At each ``RaceThread/step(_:_:)`` the seed may let it wait. An error that
  ///   it throws fails the round.
  public func thread(_ body: @escaping @Sendable (_ thread: RaceThread) throws -> Void) { threads.append(body) }

  /// Adds an action that runs once, on a thread and before or after a step that the seed picks: a disposal, a value, an
  /// end.
  ///
  /// - Parameters:
  ///   - name: The action's name in messages.
  ///   - body: The action.
  public func anywhere(_ name: String, _ body: @escaping @Sendable () throws -> Void) {
    acts.append(Act(name: name, body: body))
  }

  /// Adds a check, which runs on the test's thread when all threads are done. `#expect`, assertions and thrown errors fail the round.
  ///
  /// - Parameter body: The check.
  public func check(_ body: @escaping () throws -> Void) { checks.append(body) }

  /// Subscribes to a signal, and checks its events: one at a time, none after the end, and none after a disposal except
  /// a running one (laws 1, 3 and 7).
  ///
  /// - Parameter signal: The signal. It is unsubscribed when the round is over.
  /// - Returns: The log of its events.
  public func observe<Value: Sendable>(_ signal: Signal<Value>) -> RaceLog<Value> {
    let log = RaceLog<Value>(notes)
    logs.append(log)
    log.subscribe(to: signal)
    return log
  }
}

/// A thread of a ``Race``, for the code that runs on it.
public final class RaceThread: Sendable {
  /// Its number, from 1.
  public let number: Int
  private let placement: RacePlacement
  private let notes: RaceNotes
  private let acts: [Int: [Race.Act]]
  private let stepCount = Atomic<Int>(0)
  private let hasEnded = Atomic<Bool>(false)

  init(number: Int, placement: RacePlacement, notes: RaceNotes, acts: [Int: [Race.Act]]) {
    self.number = number
    self.placement = placement
    self.notes = notes
    self.acts = acts
  }

  /// Runs an action, after a pause that the seed picks.
  ///
  /// - Parameters:
  ///   - name: The action's name in messages.
  ///   - body: The action.
  /// - Returns: The result of the closure.
  /// - Throws: Rethrows the errors of the closure.
  @discardableResult
  public func step<Result>(_ name: String = "", _ body: () throws -> Result) rethrows -> Result {
    let index = stepCount.add(1, ordering: .relaxed).oldValue
    runActs(before: index)
    raceSpin(placement.pause(thread: number, step: index))
    let begin = notes.begin(thread: number, name.isEmpty ? "step \(index + 1)" : name)
    defer { notes.end(thread: number) }
    return try RaceNotes.$step.withValue(begin) { try body() }
  }

  /// The number of completed steps.
  var steps: Int { stepCount.load(ordering: .relaxed) }

  /// Whether it has finished all its actions.
  var isDone: Bool { hasEnded.load(ordering: .acquiring) }

  /// Notes that none of its code runs any more.
  func noteEnd() { hasEnded.store(true, ordering: .releasing) }

  /// Runs the actions that the seed has put behind the last step, or behind steps that did not run.
  func finish() {
    for index in acts.keys.sorted() where index >= steps { runActs(before: index) }
  }

  private func runActs(before index: Int) {
    for act in acts[index] ?? [] {
      raceSpin(placement.pause(thread: number, step: 1_000 + index))
      let begin = notes.begin(thread: number, act.name)
      defer { notes.end(thread: number) }
      do { try RaceNotes.$step.withValue(begin) { try act.body() } } catch {
        FailureCapture.current?.note(error, of: "The closure of anywhere(\"\(act.name)\")")
      }
    }
  }
}

/// The beginnings and ends of steps, in order.
final class RaceNotes: Sendable {
  struct Note: Sendable {
    var thread: Int
    /// nil at the end of a step.
    var name: String?
  }

  // Separate for each thread, so that recording does not synchronize the threads: only the counter is shared.
  private let counter = Atomic<Int>(0)
  private let lists: [SeenLock<[(number: Int, note: Note)]>] = (0..<RaceNotes.limit).map { _ in SeenLock([]) }
  static let limit = 4

  /// The number at which the running step began.
  @TaskLocal static var step: Int?

  /// - Returns: The number at which the step begins.
  func begin(thread: Int, _ name: String) -> Int { add(Note(thread: thread, name: name)) }

  func end(thread: Int) { _ = add(Note(thread: thread, name: nil)) }

  /// Counts: actions before a smaller number was returned are visible to a thread that gets a larger one.
  func tick() -> Int {
    // Fences, which Thread Sanitizer ignores: an ordering of the counter would hide races from it.
    atomicMemoryFence(ordering: .releasing)
    defer { atomicMemoryFence(ordering: .acquiring) }
    return counter.add(1, ordering: .relaxed).oldValue
  }

  private func add(_ note: Note) -> Int {
    let number = tick()
    lists[(note.thread - 1) % Self.limit].withLock { $0.append((number, note)) }
    return number
  }

  var notes: [Note] {
    lists.flatMap { $0.withLock { $0.map { ($0.number, $0.note) } } }.sorted { $0.0 < $1.0 }.map(\.1)
  }

  /// A row for each thread, over the instants at which a step began or ended.
  func lines(threadCount: Int) -> [String] {
    let notes = notes
    guard !notes.isEmpty, notes.count <= 60 else { return [] }
    var rows = (1...threadCount).map { "thread \($0)  " }
    var isInside = Array(repeating: false, count: threadCount)
    for note in notes {
      let text = note.name.map { "[\($0) " } ?? "]"
      for index in rows.indices {
        let fill = isInside[index] ? "." : " "
        if index == note.thread - 1 {
          rows[index] += text
        } else {
          rows[index] += String(repeating: fill, count: text.count)
        }
      }
      isInside[note.thread - 1] = note.name != nil
    }
    return rows.map { $0.trimmingEnd() }
  }
}
