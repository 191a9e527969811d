import Signals

/// One operator with its inputs and a virtual time of its own, for one run.
final class ContractRun<Output: Sendable & Equatable>: Sendable {
  /// How many frames lie between two values.
  static var spacing: Int { 5 }
  /// How many frames an operator of time waits.
  static var rest: Int { 2 }
  /// How many frames pass after the end.
  static var aftermath: Int { 10 }

  let contract: OperatorContract<Output>
  let clock: ContractClock
  let upstream = Emitter<Int>()
  let other = Emitter<Int>()
  /// Counts what the closures of the chain have captured.
  let lives = LifeCount()

  /// - Parameter clock: That of a run before, which this one goes on with.
  init(_ contract: OperatorContract<Output>, clock: ContractClock = ContractClock()) {
    (self.contract, self.clock) = (contract, clock)
  }

  // MARK: The chain

  /// The operator, on the emitter or on another upstream; its closures, one above it too, capture tokens.
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

  /// Lets frames pass, one after the other.
  func advance(frames: Int) throws {
    for _ in 0..<frames {
      do {
        try clock.perform(.advancing) { try clock.scheduler.advance(by: contract.frame) }
      } catch {
        throw BrokenLaw(law: .virtualTime, marble: "", facts: ["Virtual time cannot be advanced: \(error)."])
      }
    }
  }

  /// Lets work run that is due at this moment.
  func settle() { clock.perform(.advancing) { try? clock.scheduler.advance() } }

  /// Lets the further input deliver its first value.
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

  /// Ends all inputs and lets time pass.
  func end(_ completion: Completion = .finished) throws {
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
    try advance(frames: Self.aftermath)
  }

  /// The whole of it: the further input's first value, the values, and the end, if there is one.
  func play(_ values: [Int], _ completion: Completion? = .finished) throws {
    try prime()
    try send(values)
    if let completion { try end(completion) }
  }

  /// How many subscriptions the inputs have.
  var upstreamCount: Int { upstream.subscriberCount + other.subscriberCount }

  // MARK: What is left

  /// What should be gone and is not, a sentence each.
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

  private static func count(_ number: Int, _ word: String) -> String { "\(number) \(word)\(number == 1 ? "" : "s")" }
}
