import CTaskHooks
import Signals
import Synchronization

/// Labels the work items of a run: those of this library have a label, jobs are labelled by their task, and operators
/// by the work that is pending before an item and not after it. Of others only the scheduling location is known.
final class PieceLabels: Sendable {
  private struct State {
    var labels: [PieceName: PieceLabel] = [:]
    var origins: [PieceName: CreationTrace] = [:]
    /// The labels of work items that this run has scheduled, by their numbers.
    var noted: [UInt64: PieceLabel] = [:]
    var scheduled: [UInt64: CreationTrace] = [:]
    var pending: [PendingWork] = []
    /// The tasks of this run, by their runtime identifiers.
    var tasks: [UInt64: Int] = [:]
    /// The task in which the scenario itself runs.
    var scenario: UInt64 = 0
    /// The numbers of tasks, by their first work item: the same in each run.
    var taskNumbers: [PieceName: Int] = [:]
    /// What the next work item is, if that is known.
    var next: Next?
  }

  private enum Next {
    /// The end of a sleep.
    case sleep
    /// The next work of a dispatch queue, by the queue's label if it has one.
    case queue(String?)
  }

  @TaskLocal static var current: PieceLabels?

  private let recorder = GraphRecorder(endedLimit: 0)
  private let state = Mutex(State())

  /// The label of a work item; nil if nothing is known.
  func label(of name: PieceName) -> PieceLabel? { state.withLock { $0.labels[name] } }

  /// The location where a work item was scheduled, if known.
  func origin(of name: PieceName) -> CreationTrace? { state.withLock { $0.origins[name] } }

  /// Runs a scenario, and records the work that it schedules.
  func record(_ body: () -> Void) {
    state.withLock { state in
      state.noted = [:]
      state.scheduled = [:]
      state.pending = []
      state.tasks = [:]
    }
    recorder.record(body)
    recorder.close()
  }

  /// Notes that the scenario runs in the current task.
  func noteScenario() {
    let task = task_hooks_current_task_id()
    state.withLock { $0.scenario = task }
  }

  /// Labels the work item that was scheduled last.
  func noteLast(of scheduler: VirtualTimeScheduler, _ label: @autoclosure () -> String) {
    let number = scheduler.lastNumber
    let label = PieceLabel(words: label())
    state.withLock { $0.noted[number] = label }
  }

  /// Notes the location where the next work item is scheduled: here and now.
  func noteNext(of scheduler: VirtualTimeScheduler) {
    let number = scheduler.lastNumber + 1
    let task = task_hooks_current_task_id()
    let trace = CreationTrace.captureInnermost()
    state.withLock { state in
      state.scheduled[number] = trace
      guard let next = state.next else { return }
      state.next = nil
      switch next {
      case .sleep:
        state.noted[number] = PieceLabel(words: "the sleep of \(Self.words(for: task, state)) ends", trace: trace)
      case .queue(let label):
        let words = label.map { "work of the queue `\($0)`" } ?? "work of a dispatch queue"
        state.noted[number] = PieceLabel(words: words, trace: trace)
      }
    }
  }

  /// Notes that the current task is about to sleep.
  func noteSleep() {
    state.withLock { $0.next = .sleep }
  }

  /// Notes that work of a dispatch queue is about to be scheduled.
  func noteQueue(_ label: String?) {
    state.withLock { $0.next = .queue(label) }
  }

  /// Notes the end of a work item, if there was one.
  func end(of record: OrderRecord) {
    let pending = recorder.pendingWork
    state.withLock { state in
      defer { state.pending = pending }
      guard let last = record.pieces.last, state.labels[last.name] == nil else { return }
      let left = Set(pending.filter { $0.stage != .onItsWay }.map(\.identifier))
      guard let over = state.pending.first(where: { !left.contains($0.identifier) }), let site = over.site else {
        return
      }
      state.labels[last.name] = PieceLabel(words: "\(site.kind) \(Chains.place(site))")
    }
  }

  /// Notes the beginning of a work item.
  ///
  /// - Parameters:
  ///   - job: The job, if it is a task's.
  ///   - world: The virtual time of the run.
  func begin(_ name: PieceName, _ number: UInt64, _ job: UnownedJob?, in world: VirtualWorld?) {
    let task = job.map { task_hooks_task_id($0.address) }
    let calls = job.flatMap { job in waitingTrace { task_hooks_job_calls(job.address, $0, $1) } }
    let start = task.flatMap { world?.start(ofTask: $0) }
    state.withLock { state in
      let label = state.noted[number] ?? task.map { Self.label(ofTask: $0, name, start, calls, &state) }
      // The label of the first run stays.
      if let label, state.labels[name] == nil { state.labels[name] = label }
      if let trace = state.scheduled[number], state.origins[name] == nil { state.origins[name] = trace }
    }
  }

  private static func label(
    ofTask task: UInt64, _ name: PieceName, _ start: CreationTrace?, _ calls: CreationTrace?, _ state: inout State
  ) -> PieceLabel {
    if task != 0, task != state.scenario, state.tasks[task] == nil {
      let number = state.taskNumbers[name] ?? state.taskNumbers.count + 1
      state.taskNumbers[name] = number
      state.tasks[task] = number
      return PieceLabel(words: "task \(number) starts", trace: start)
    }
    return PieceLabel(words: "\(words(for: task, state)) resumes", trace: calls, isOfActor: task == 0)
  }

  private static func words(for task: UInt64, _ state: State) -> String {
    if task == 0 { return "an actor" }
    return state.tasks[task].map { "task \($0)" } ?? "the scenario"
  }
}
