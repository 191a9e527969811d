import Signals
import Testing

@Suite("catch and retry")
struct ReplacementTests {
  @Test("retry subscribes again so many times", arguments: [Int.min, -1, 0, 1, 3])
  func retry(limit: Int) {
    let starts = Box(0)
    let log = EventLog<Int>()
    let subscription = Signal<Int>.concat([.just(1), .fail(Failure())]).handle(onSubscribe: { starts.value += 1 })
      .retry(limit).log(to: log)
    let count = max(0, limit) + 1
    #expect(starts.value == count)
    #expect(log.events == Array(repeating: .value(1), count: count) + [.failed(Failure())])
    #expect(subscription.isDisposed)
  }

  @Test("retry without a limit goes on until it works, or until nobody wants more")
  func endless() {
    let starts = Box(0)
    let log = EventLog<Int>()
    let flaky = Signal<Int>.deferred {
      starts.value += 1
      return starts.value < 10 ? .fail(Failure()) : .just(starts.value)
    }
    let first = flaky.retry().log(to: log)
    #expect(log.events == [.value(10), .finished])
    let limited = EventLog<Int>()
    let second = Signal<Int>.concat([.just(1), .fail(Failure())]).retry().prefix(4).log(to: limited)
    #expect(limited.events == Array(repeating: .value(1), count: 4) + [.finished])
    #expect(first.isDisposed && second.isDisposed)
  }

  @Test("catch: the replacement's own failure and a throwing closure are passed on")
  func replacement() {
    let failing = EventLog<Int>()
    let first = Signal<Int>.fail(Failure()).catch { _ in .fail(Failure(number: 2)) }.log(to: failing)
    #expect(failing.events == [.failed(Failure(number: 2))])
    let throwing = EventLog<Int>()
    let second = Signal<Int>.fail(Failure()).catch { _ in throw Failure(number: 3) }.log(to: throwing)
    #expect(throwing.events == [.failed(Failure(number: 3))])
    #expect(first.isDisposed && second.isDisposed)
  }
}
