import DequeModule
import Signals
import Synchronization

/// Delivers events on demand: values wait until they are requested, and the end is delivered after them.
///
/// It does not depend on Combine. All methods are thread-safe, and may be called from within the closures: one thread
/// at a time delivers, and concurrent calls are noted for it. No lock is held while a closure runs.
final class DemandQueue<Value: Sendable>: Sendable {
  /// Demand without a limit.
  static var unlimited: Int { .max }

  private struct State {
    var waiting: Deque<Value> = []
    var demand = 0
    var completion: Completion?
    var isBusy = false
    var isOver = false
  }

  private enum Step {
    case value(Value)
    case end(Completion)
    case nothing
  }

  private let state = Mutex(State())
  private let policy: OverflowPolicy
  private let deliver: @Sendable (Value) -> Int
  private let end: @Sendable (Completion) -> Void

  /// Creates a queue without demand.
  ///
  /// - Parameters:
  ///   - policy: What happens to a value when the queue is full.
  ///   - deliver: Takes a value, and returns the additional demand.
  ///   - end: Takes the end, at most once.
  init(
    _ policy: OverflowPolicy, deliver: @escaping @Sendable (Value) -> Int, end: @escaping @Sendable (Completion) -> Void
  ) {
    self.policy = policy
    self.deliver = deliver
    self.end = end
  }

  /// Whether more values are taken: it was not cancelled, and the end has not come.
  var isOpen: Bool { state.withLock { !$0.isOver && $0.completion == nil } }

  /// Requests more values. Less than one is ignored.
  func request(_ count: Int) {
    guard count > 0 else { return }
    state.withLock { $0.demand = Self.sum($0.demand, count) }
    handOver()
  }

  /// Takes a value, which waits if there is no demand.
  func send(_ value: Value) {
    // Released outside the lock: a release may run any code.
    let dropped = state.withLock { state -> Value? in
      guard !state.isOver, state.completion == nil else { return value }
      if state.waiting.count >= state.demand, let limit = policy.limit, state.waiting.count - state.demand >= limit {
        switch policy {
        case .newest where limit > 0:
          state.waiting.append(value)
          return state.waiting.popFirst()
        case .fail: state.completion = .failed(OverflowError(limit: limit))
        default: break
        }
        return value
      }
      state.waiting.append(value)
      return nil
    }
    handOver()
    withExtendedLifetime(dropped) {}
  }

  /// Takes the end, which is delivered once no value waits.
  func send(_ completion: Completion) {
    state.withLock { if $0.completion == nil { $0.completion = completion } }
    handOver()
  }

  /// Drops the waiting values. Nothing is delivered any more, even if another thread is about to.
  func cancel() {
    let dropped = state.withLock { state -> Deque<Value> in
      state.isOver = true
      defer { state.waiting = [] }
      return state.waiting
    }
    withExtendedLifetime(dropped) {}
  }

  private func handOver() {
    let mayBegin = state.withLock { state in
      if state.isBusy { return false }
      state.isBusy = true
      return true
    }
    guard mayBegin else { return }
    while true {
      switch state.withLock({ Self.step(&$0) }) {
      case .value(let value):
        let more = deliver(value)
        if more > 0 { state.withLock { $0.demand = Self.sum($0.demand, more) } }
      case .end(let completion): end(completion)
      case .nothing: return
      }
    }
  }

  private static func step(_ state: inout State) -> Step {
    if !state.isOver {
      if state.demand > 0, let value = state.waiting.popFirst() {
        if state.demand != unlimited { state.demand -= 1 }
        return .value(value)
      }
      if state.waiting.isEmpty, let completion = state.completion {
        state.isOver = true
        return .end(completion)
      }
    }
    state.isBusy = false
    return .nothing
  }

  private static func sum(_ first: Int, _ second: Int) -> Int {
    let (sum, isTooMuch) = first.addingReportingOverflow(second)
    return isTooMuch ? unlimited : sum
  }
}
