import Signals
import Synchronization

/// Ways to connect a signal from inside an operator's gate. Each delivers exactly what the signal delivers.
enum Nesting: String, CaseIterable, Sendable, CustomStringConvertible {
  case flatMap, flatMapLatest, concat, retry, `catch`, timeout

  var description: String { rawValue }

  func nest(_ signal: Signal<Int>) -> Signal<Int> {
    switch self {
    case .flatMap: Signal<Int>.just(0).flatMap { _ in signal }
    case .flatMapLatest: Signal<Int>.just(0).flatMapLatest { _ in signal }
    case .concat: .concat([.empty(), signal])
    case .retry: Self.afterRetry(signal)
    case .catch: Signal<Int>.fail(PlannedFailure()).catch { _ in signal }
    case .timeout: signal.timeout(after: .seconds(86_400), on: VirtualTimeScheduler())
    }
  }

  /// The signal itself in the second attempt, which is the last: a failure of the signal is passed on. Counted for each subscription.
  private static func afterRetry(_ signal: Signal<Int>) -> Signal<Int> {
    .deferred {
      let attempts = Attempts()
      return Signal.deferred { attempts.isFirst ? .fail(PlannedFailure()) : signal }.retry(1)
    }
  }

  private final class Attempts: Sendable {
    private let count = Atomic<Int>(0)
    var isFirst: Bool { count.add(1, ordering: .relaxed).oldValue == 0 }
  }
}
