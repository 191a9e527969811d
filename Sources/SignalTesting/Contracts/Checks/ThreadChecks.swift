import Dispatch
import Foundation
import Signals

/// Laws 3, 4 and 7 with several threads. No check waits for time to pass: threads are released together, and then act.
extension ContractChecks {
  /// Gives another thread the time to act during some events. During each one it would take minutes on a busy machine, where a thread that yields waits
  /// for all others.
  private static func yield(at number: Int) { if number.isMultiple(of: 8) { sched_yield() } }

  // MARK: While user code runs

  /// The action of another thread while a handler or a closure of the operator runs.
  private enum Deed: String, CaseIterable, Sendable {
    case send = "send into the upstream"
    case sendOther = "send into the further input"
    case subscribe = "subscribe to the same signal"
    case dispose = "dispose the subscription"
  }

  /// The code that runs during another thread's action.
  private enum UserCode: String, CaseIterable, Sendable {
    case handler = "a handler"
    case closure = "a closure of the operator"
    case handlerOfEnd = "the handler of the end"

    /// Whether it is the handler of an event.
    func handles<Value>(_ event: Event<Value>) -> Bool {
      switch self {
      case .handler: true
      case .closure: false
      case .handlerOfEnd: if case .value = event { false } else { true }
      }
    }
  }

  /// The events during which the code runs.
  private enum Moment: String, Sendable {
    case values = ""
    case firstOfOther = ", or for the value of the further input"
    case insideSubscribe = ", inside subscribe"
  }

  func checkNoLock() throws {
    for code in UserCode.allCases { try checkNoLock(inside: code, at: .values) }
    for code in [UserCode.handler, .closure] {
      if try usesOther() { try checkNoLock(inside: code, at: .firstOfOther) }
      try checkNoLock(inside: code, at: .insideSubscribe)
    }
  }

  private func checkNoLock(inside code: UserCode, at moment: Moment) throws {
    let run = Run(contract)
    // The second subscription has its own source, which delivers at once whatever the first is doing.
    let first = Trigger()
    first.arm()
    let source = Signal<Int>.deferred {
      first.fire() ? moment == .insideSubscribe ? .sequence([1, 2, 3]) : run.upstream.signal : .just(8)
    }
    let trigger = Trigger()
    let probe = Guarded<Probe?>(nil)
    let signal = Guarded<Signal<Output>?>(nil)
    let deed = Guarded<Deed?>(nil)
    let blocked = Guarded<Deed?>(nil)
    let started = DispatchSemaphore(value: 0)
    let done = DispatchSemaphore(value: 0)
    let act: @Sendable () -> Void = { [patience] in
      guard trigger.fire() else { return }
      ContractThreads.start {
        started.signal()
        // One blocked call is enough.
        for next in Deed.allCases where blocked.value == nil {
          deed.value = next
          switch next {
          case .send: run.upstream.send(6)
          case .sendOther: run.other.send(7)
          case .subscribe: if let signal = signal.value { run.observe(signal).dispose() }
          case .dispose: probe.value?.dispose()
          }
        }
        deed.value = nil
        done.signal()
      }
      started.wait()
      if done.wait(timeout: .now() + patience / .seconds(1)) == .success {
        done.signal()
        return
      }
      blocked.value = deed.value
    }
    let made = run.signal(on: source) { _ in if code == .closure { act() } }
    signal.value = made
    if moment == .insideSubscribe { trigger.arm() }
    let observed = run.observe(made) { _, event in if code.handles(event) { act() } }
    probe.value = observed
    if moment == .firstOfOther { trigger.arm() }
    try run.prime()
    if moment == .values { trigger.arm() }
    for value in [1, 2, 3] where trigger.isArmed { try run.send([value]) }
    if code == .handlerOfEnd, trigger.isArmed { try run.end() }
    // The other thread continues once the lock is free.
    if !trigger.isArmed { _ = done.wait(timeout: .now() + patience / .seconds(1)) }
    probe.value = nil
    signal.value = nil
    try expect(
      observed.log.overlaps == 0, .serial, observed.log,
      "The subscriber was called on another thread before its previous call had returned.")
    if let blocked = blocked.value {
      throw broken(
        .noLock, observed.log,
        [
          "While \(code.rawValue) ran\(moment.rawValue), another thread could not \(blocked.rawValue): it was blocked until the call returned."
        ]
      )
    }
  }

  // MARK: Many threads

  func checkConcurrentSenders() throws {
    let run = Run(contract)
    let threads = 3
    let perThread = 40
    // The order in which the operator gets the values: its output has to be the one for this order.
    let order = Guarded<[Int]>([])
    // All subscribers of the source get the same order (law 2), also if the operator subscribes twice.
    let tap = run.upstream.signal.subscribe { value in order.withLock { $0.append(value) } }
    defer { tap.dispose() }
    let probe = run.observe(run.signal()) { number, _ in Self.yield(at: number) }
    try run.prime()
    ContractThreads.together(threads) { thread in
      // In the range of all checks, and different ones in each thread; two digits are easy to read in a diagram.
      for index in 0..<perThread { run.upstream.send(10 + 5 * thread + index % 5) }
    }
    try run.advance(frames: Run.aftermath)
    try expectSound(probe.log)

    let alone = Run(contract)
    let one = alone.observe(alone.signal())
    try alone.prime()
    switch (contract.delivery, contract.load) {
    case (.synchronous, _): for value in order.value { alone.send(value) }
    case (_, .valuesMayBeCombined):
      for value in order.value { alone.send(value) }
      try alone.advance(frames: Run.aftermath)
    case (_, .everyValueComesThrough), (_, .valuesMayBeDropped): try alone.send(order.value)
    }
    let fact =
      "\(threads) threads sent \(perThread) values each. The expected events are those of the same values from one thread."
    let (actual, expected) = (probe.log.events, one.log.events)
    switch (contract.delivery, contract.load) {
    case (.synchronous, _), (_, .valuesMayBeCombined), (.scheduled, .everyValueComesThrough):
      try expectSameOrder(actual, expected, fact)
    case (.partlyScheduled, .everyValueComesThrough):
      try expectSameValues(actual, expected, mayDrop: false, fact)
    case (_, .valuesMayBeDropped):
      try expectSameValues(actual, expected, mayDrop: true, fact)
    }
  }

  /// Fails if the events or their order differ; times are ignored.
  private func expectSameOrder(
    _ actual: [TimedEvent<Output>], _ expected: [TimedEvent<Output>], _ fact: String
  ) throws {
    let count = max(actual.count, expected.count)
    func isSame(_ index: Int) -> Bool {
      index < actual.count && index < expected.count
        && Timeline([expected[index]], isTimed: false).difference(from: [actual[index]], frame: frame) == nil
    }
    guard let first = (0..<count).first(where: { !isSame($0) }) else { return }
    // A few events are enough to show.
    let shown = max(0, first - 3)..<(first + 7)
    throw BrokenLaw(
      law: .serial,
      marble: Timeline(expected.numbered(shown, frame), isTimed: true)
        .difference(from: actual.numbered(shown, frame), frame: frame) ?? "",
      facts: [
        fact,
        "The diagrams begin with event \(shown.lowerBound + 1); there are \(actual.count) events"
          + (actual.count == expected.count ? ", as many as expected." : " instead of \(expected.count)."),
      ], advice: actual.values().count < expected.values().count ? adviceWhereValuesAreMissing : nil)
  }

  /// Fails if a value came too often, or not at all although none may be dropped; the order is ignored.
  private func expectSameValues(
    _ actual: [TimedEvent<Output>], _ expected: [TimedEvent<Output>], mayDrop: Bool, _ fact: String
  ) throws {
    var rest: [Output] = expected.values()
    for value: Output in actual.values() {
      guard let index = rest.firstIndex(where: { Timeline.isSame($0, value) }) else {
        throw BrokenLaw(law: .serial, marble: "", facts: [fact, "\(value) arrived too often."])
      }
      rest.remove(at: index)
    }
    if mayDrop || rest.isEmpty { return }
    throw BrokenLaw(
      law: .serial, marble: "",
      facts: [fact, "Missing values: \(rest.prefix(10).map { "\($0)" }.joined(separator: ", "))."],
      advice: adviceWhereValuesAreMissing)
  }

  /// Only an operator with scheduled events may declare that it drops values; nil for others, which get the law's
  /// advice.
  private var adviceWhereValuesAreMissing: String? {
    contract.delivery == .synchronous
      ? nil
      : "if the operator drops fast values on purpose, declare load: .valuesMayBeDropped; if it combines them, .valuesMayBeCombined. Otherwise "
        + OperatorLaw.serial.advice
  }

  func checkConcurrentInputs() throws {
    let run = Run(contract)
    let perThread = 100
    let probe = run.observe(run.signal()) { number, _ in Self.yield(at: number) }
    try run.prime()
    ContractThreads.together(4) { [contract] thread in
      for index in 0..<perThread {
        switch thread {
        case 0, 1: run.upstream.send(12 * thread + index % 12 + 1)
        case 2: run.other.send(index % 24 + 1)
        default: try? run.clock.scheduler.advance(by: contract.frame)
        }
      }
      if thread == 1 {
        run.other.finish()
        run.upstream.finish()
      }
    }
    try run.end()
    try expectSound(probe.log)
    try expect(probe.log.ends.count == 1, .grammar, probe.log, "There were \(probe.log.ends.count) ends.")
    try expectNothingLeft(run, probe.log)
  }

  func checkConcurrentDisposal() throws {
    for _ in 0..<10 {
      let run = Run(contract)
      let probe = run.observe(run.signal())
      ContractThreads.together(3) { [contract] thread in
        switch thread {
        case 0:
          run.other.send(OperatorInputs.firstOfOther)
          for index in 0..<50 { run.upstream.send(index % 24 + 1) }
        case 1: for _ in 0..<10 { try? run.clock.scheduler.advance(by: contract.frame) }
        default: probe.dispose()
        }
      }
      let before = probe.log.begun
      run.send(7)
      try run.advance(frames: Run.aftermath)
      try expectSound(probe.log)
      try expect(
        probe.log.begun == before, .disposal, probe.log, "An event arrived after the subscription was disposed.")
      try expectNothingLeft(run, probe.log)
    }
  }
}

extension Array {
  /// Some of the events, a frame apart: with several threads only the order counts.
  fileprivate func numbered<Output>(_ range: Range<Int>, _ frame: Int64) -> [TimedEvent<Output>]
  where Element == TimedEvent<Output> {
    self[range.clamped(to: indices)].enumerated().map {
      TimedEvent(nanoseconds: Int64($0.offset) * frame, event: $0.element.event)
    }
  }
}
