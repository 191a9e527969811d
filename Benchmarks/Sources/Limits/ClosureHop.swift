import Synchronization

/// What one would write by hand to hand values to a queue: an array behind one mutex, emptied by one job at a time.
public final class ClosureHop<Value: Sendable>: @unchecked Sendable {
  // Safe: touched only under the mutex, but for `leaving`, which belongs to the one job that runs.
  private struct State {
    var waiting: [Value] = []
    var isRequested = false
  }

  private let state = Mutex(State())
  private var leaving: [Value] = []
  private let schedule: (@escaping @Sendable () -> Void) -> Void
  private let receive: (Value) -> Void

  /// Makes a hop whose jobs are run by `schedule`, one at a time.
  public init(schedule: @escaping (@escaping @Sendable () -> Void) -> Void, _ receive: @escaping (Value) -> Void) {
    self.schedule = schedule
    self.receive = receive
  }

  /// Takes a value.
  public func send(_ value: Value) {
    let isFirst = state.withLock { state in
      state.waiting.append(value)
      defer { state.isRequested = true }
      return !state.isRequested
    }
    if isFirst { schedule { self.deliver() } }
  }

  private func deliver() {
    state.withLock { state in
      state.isRequested = false
      swap(&state.waiting, &leaving)
    }
    for value in leaving { receive(value) }
    leaving.removeAll(keepingCapacity: true)
  }
}
