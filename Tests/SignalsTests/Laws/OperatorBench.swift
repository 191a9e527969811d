import OperatorTable
import Signals

/// One operator, with emitters as its inputs and an own virtual time, for one check.
final class OperatorBench: Sendable {
  let row: OperatorRow
  let scheduler = VirtualTimeScheduler()
  let input = Emitter<Int>()
  let other = Emitter<Int>()
  /// Counts what closures of the chain capture.
  let life = LifeCount()

  init(_ row: OperatorRow) {
    self.row = row
  }

  /// The operator on the emitter, or on another upstream. Its closures capture tokens of `life`.
  func signal(
    from upstream: Signal<Int>? = nil, visit: @escaping @Sendable (Int) throws -> Void = { _ in }
  ) -> Signal<Int> {
    let token = life.token()
    let above = life.token()
    let counted = (upstream ?? input.signal).filter { _ in
      above.touch()
      return true
    }
    return row.apply(
      counted,
      OperatorContext(scheduler: scheduler, other: other.signal) { value in
        token.touch()
        try visit(value)
      })
  }

  /// Subscribes; the closures capture a token too, and the signal itself is not kept.
  func subscribe(
    _ signal: @autoclosure () -> Signal<Int>, _ onEvent: @escaping @Sendable (Event<Int>) -> Void
  ) -> Subscription {
    let token = life.token()
    return signal().subscribeToEvents({ event in
      token.touch()
      onEvent(event)
    })
  }

  /// Sends the first value of the further input.
  func prime() {
    other.send(100)
  }

  /// Lets 100 ms pass and sends a value.
  func send(_ values: Int...) throws {
    try send(values)
  }

  func send(_ values: [Int]) throws {
    for value in values {
      try scheduler.advance(by: .milliseconds(100))
      input.send(value)
    }
  }

  /// Lets time pass, ends all inputs, and lets time pass.
  func end(_ end: Event<Int> = .finished) throws {
    try scheduler.advance(by: .milliseconds(100))
    other.finish()
    input.send(event: end)
    try scheduler.advance(by: .milliseconds(100))
  }

  /// How many subscriptions the inputs still have.
  var upstreamCount: Int { input.subscriberCount + other.subscriberCount }
}
