import Signals

/// One operator with its inputs and its own virtual time, for one run.
final class ContractRun<Output: Sendable & Equatable>: Sendable {
  /// The number of frames between two values.
  static var spacing: Int { 5 }
  /// The number of frames that a time-based operator waits.
  static var rest: Int { 2 }
  /// The number of frames after the end.
  static var aftermath: Int { 10 }

  let contract: OperatorContract<Output>
  let clock: ContractClock
  let upstream = Emitter<Int>()
  let other = Emitter<Int>()
  /// Counts the captures of the chain's closures.
  let lives = LifeCount()

  /// - Parameter clock: The clock of an earlier run that this one continues.
  init(_ contract: OperatorContract<Output>, clock: ContractClock = ContractClock()) {
    (self.contract, self.clock) = (contract, clock)
  }

  // MARK: The chain

  /// The operator, on the emitter or on another upstream; its closures, and one above it, capture tokens.
  func signal(
    on source: Signal<Int>? = nil, other secondSource: Signal<Int>? = nil,
    visiting: @escaping @Sendable (Int) throws -> Void = { _ in }
  ) -> Signal<Output> {
    let above = lives.token()
    let inside = lives.token()
    let counted = (source ?? upstream.signal).filter { _ in
      above.touch()
      return true
    }
    return bare(on: counted, other: secondSource) { value in
      inside.touch()
      try visiting(value)
    }
  }

  /// The operator directly on a source.
  func bare(
    on source: Signal<Int>? = nil, other secondSource: Signal<Int>? = nil,
    visiting: @escaping @Sendable (Int) throws -> Void = { _ in }
  ) -> Signal<Output> {
    contract.build(
      source ?? upstream.signal,
      OperatorInputs(
        scheduler: clock.scheduler, rest: contract.frame * Self.rest, other: secondSource ?? other.signal,
        visiting: visiting))
  }

  /// Subscribes.
  func observe(
    _ signal: @autoclosure () -> Signal<Output>,
    handler: @escaping @Sendable (_ number: Int, _ event: Event<Output>) -> Void = { _, _ in }
  ) -> ContractProbe<Output> {
    ContractProbe(signal(), clock, lives.token(), handler: handler)
  }

  // MARK: What happens

  func send(_ value: Int) { clock.perform(.sending) { upstream.send(value) } }

  func sendOther(_ value: Int) { clock.perform(.sending) { other.send(value) } }

  /// Advances frame by frame.
  func advance(frames: Int) throws {
    for _ in 0..<frames {
      do {
        try clock.perform(.advancing) { try clock.scheduler.advance(by: contract.frame) }
      } catch {
        throw BrokenLaw(law: .virtualTime, marble: "", facts: ["Virtual time cannot be advanced: \(error)."])
      }
    }
  }

  /// Runs work that is due at this instant.
  func settle() { clock.perform(.advancing) { try? clock.scheduler.advance() } }

  /// Delivers the first value of the further input.
  func prime() throws {
    try advance(frames: Self.rest)
    sendOther(OperatorInputs.firstOfOther)
    try advance(frames: Self.spacing - Self.rest)
  }

  /// Sends values with time between them, the first now.
  func send(_ values: [Int]) throws {
    for value in values {
      send(value)
      settle()
      try advance(frames: Self.spacing)
    }
  }

  /// Ends all inputs and advances time.
  func end(_ completion: Completion = .finished) throws {
    complete(completion)
    try advance(frames: Self.aftermath)
  }

  /// Ends all inputs.
  func complete(_ completion: Completion) {
    clock.perform(.sending) {
      switch completion {
      case .finished:
        other.finish()
        upstream.finish()
      case .failed(let error):
        upstream.fail(error)
        other.finish()
      }
    }
  }

  /// The whole sequence: the further input's first value, the values, and the end, if there is one.
  func play(_ values: [Int], _ completion: Completion? = .finished) throws {
    try prime()
    try send(values)
    if let completion { try end(completion) }
  }

  /// The number of subscriptions to the inputs.
  var upstreamCount: Int { upstream.subscriberCount + other.subscriberCount }

  // MARK: What is left

  /// Objects that should have been released, a sentence each.
  var remains: [(law: OperatorLaw, fact: String)] {
    var remains: [(OperatorLaw, String)] = []
    if upstreamCount > 0 {
      remains.append(
        (
          .upstreamRelease,
          "The operator has ended, but its inputs still have \(Self.count(upstreamCount, "subscription"))."
        ))
    }
    if clock.scheduler.pendingCount > 0 {
      let work = Self.count(clock.scheduler.pendingCount, "work item")
      remains.append((.virtualTime, "The operator has ended, but the scheduler still holds \(work) of it."))
    }
    if lives.alive > 0 {
      remains.append(
        (
          .disposal,
          "The operator has ended, but something still retains \(Self.count(lives.alive, "closure")) of its chain."
        ))
    }
    return remains
  }

  static func count(_ number: Int, _ word: String) -> String { "\(number) \(word)\(number == 1 ? "" : "s")" }
}
