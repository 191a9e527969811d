import CTaskHooks
import Signals
import Synchronization

/// Labels the work items of a run: those of this library carry a label, jobs are labelled by their task, and operators by what is
/// pending before an item and not after it.
final class PieceLabels: Sendable {
  private struct State {
    var labels: [PieceName: String] = [:]
    /// What is known of work items that this run has scheduled, by their numbers.
    var noted: [UInt64: String] = [:]
    var pending: [PendingWork] = []
    /// The tasks of this run, by what the runtime calls them.
    var tasks: [UInt64: Int] = [:]
    /// The task in which the scenario itself runs.
    var scenario: UInt64 = 0
    /// The numbers of tasks, by their first work item: the same in each run.
    var taskNumbers: [PieceName: Int] = [:]
  }

  @TaskLocal static var current: PieceLabels?

  private let recorder = GraphRecorder(endedLimit: 0)
  private let state = Mutex(State())

  var labels: [PieceName: String] { state.withLock { $0.labels } }

  /// Runs a scenario, with what it schedules recorded.
  func record(_ body: () -> Void) {
    state.withLock { state in
      state.noted = [:]
      state.pending = []
      state.tasks = [:]
    }
    recorder.record(body)
    recorder.close()
  }

  /// Notes that the scenario runs in the present task.
  func noteScenario() {
    let task = task_hooks_current_task_id()
    state.withLock { $0.scenario = task }
  }

  /// Notes what the work item is that was scheduled last.
  func noteLast(of scheduler: VirtualTimeScheduler, _ label: @autoclosure () -> String) {
    let number = scheduler.lastNumber
    let label = label()
    state.withLock { $0.noted[number] = label }
  }

  /// Notes that a work item is over, if there was one.
  func end(of record: OrderRecord) {
    let pending = recorder.pendingWork
    state.withLock { state in
      defer { state.pending = pending }
      guard let last = record.pieces.last, state.labels[last.name] == nil else { return }
      let left = Set(pending.filter { $0.stage != .onItsWay }.map(\.identifier))
      guard let over = state.pending.first(where: { !left.contains($0.identifier) }), let site = over.site else {
        return
      }
      state.labels[last.name] = "\(site.kind) \(Chains.place(site))"
    }
  }

  /// Notes that a work item begins.
  ///
  /// - Parameter job: The job, if it is a task's.
  func begin(_ name: PieceName, _ number: UInt64, _ job: UnownedJob?) {
    let task = job.map { task_hooks_task_id($0.address) }
    state.withLock { state in
      let label = state.noted[number] ?? task.map { Self.label(ofTask: $0, name, &state) }
      // The label of the first run stays.
      if let label, state.labels[name] == nil { state.labels[name] = label }
    }
  }

  private static func label(ofTask task: UInt64, _ name: PieceName, _ state: inout State) -> String {
    if task == 0 { return "an actor resumes" }
    if task == state.scenario { return "the scenario resumes" }
    if let known = state.tasks[task] { return "task \(known) resumes" }
    let number = state.taskNumbers[name] ?? state.taskNumbers.count + 1
    state.taskNumbers[name] = number
    state.tasks[task] = number
    return "task \(number) starts"
  }
}
