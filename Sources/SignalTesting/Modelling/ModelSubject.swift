import Signals

/// The subject of a model check: an operator and its reference.
struct ModelSubject<Output: Sendable & Equatable> {
  /// The name in messages.
  var name: String
  var otherCount: Int
  var innerCount: Int
  var build: (Signal<Int>, ModelInputs) throws -> Signal<Output>
  var reference: ([TimedEvent<Int>], ModelEvents) -> [TimedEvent<Output>]

  var inputCount: Int { 1 + otherCount + innerCount }
}

/// One run of an operator, with the result of its reference.
struct ModelTrial<Output: Sendable & Equatable> {
  let plan: ModelPlan
  /// The events of the upstream, the further inputs and the inner signals.
  let inputs: [[TimedEvent<Int>]]
  var expected: [TimedEvent<Output>] = []
  var actual: [TimedEvent<Output>] = []
  var failures: [FailureCapture.Failure] = []

  init(_ subject: ModelSubject<Output>, _ plan: ModelPlan, _ settings: ModelSettings, _ capture: FailureCapture) {
    self.plan = plan
    let events = (0..<subject.inputCount).map { plan.events(of: $0, values: settings.values) }
    inputs = events
    let firstInner = 1 + subject.otherCount
    let limit = settings.horizon.exactNanoseconds ?? .max
    let place = settings.place
    do {
      try withVirtualTime(
        workLimit: settings.workLimit, fileID: place.fileID, filePath: place.filePath, line: place.line,
        column: place.column
      ) { scheduler throws -> Void in
        let hot = events[..<firstInner].map { ModelSource($0, scheduler).signal }
        let cold = events[firstInner...].map { MarbleInput(cold: $0, scheduler: scheduler).signal }
        let inputs = ModelInputs(scheduler: scheduler, others: Array(hot.dropFirst()), inners: cold)
        let recorder = EventRecorder<Output>(scheduler: scheduler)
        recorder.subscribe(to: try subject.build(hot[0], inputs))
        defer {
          recorder.dispose()
          actual = recorder.events.filter { $0.nanoseconds <= limit }
        }
        try scheduler.advance(by: settings.horizon)
      }
    } catch {
      capture.note(FailureCapture.Failure(message: "The run threw \(error)."))
    }
    failures = capture.take()
    let reference = subject.reference(
      events[0], ModelEvents(others: Array(events[1..<firstInner]), inners: Array(events[firstInner...])))
    for event in reference where event.nanoseconds <= limit {
      expected.append(event)
      if event.event.isEnd { break }
    }
  }

  /// The first position at which both differ; nil if they are equal.
  var difference: Int? {
    for index in 0..<max(expected.count, actual.count) {
      guard index < expected.count, index < actual.count, isSame(expected[index], actual[index]) else { return index }
    }
    return nil
  }

  /// The time of the first value of the operator or its reference.
  var firstValue: Int64? {
    (expected + actual).filter { !$0.event.isEnd }.map(\.nanoseconds).min()
  }

  var isWrong: Bool { difference != nil || !failures.isEmpty }

  private func isSame(_ left: TimedEvent<Output>, _ right: TimedEvent<Output>) -> Bool {
    guard left.nanoseconds == right.nanoseconds, left.isInsideSubscribe == right.isInsideSubscribe else { return false }
    switch (left.event, right.event) {
    case (.value(let left), .value(let right)): return left == right
    case (.failed(let left), .failed(let right)):
      return EventMatcher<Output>(isEqual: ==).areEqual(left, right)
    case (.finished, .finished): return true
    default: return false
    }
  }
}

/// A hot input that also sends values inside subscribe, as a property does.
private final class ModelSource: Sendable {
  let signal: Signal<Int>

  init(_ events: [TimedEvent<Int>], _ scheduler: VirtualTimeScheduler) {
    let first = events.filter(\.isInsideSubscribe)
    let later = MarbleInput(hot: events.filter { !$0.isInsideSubscribe }, scheduler: scheduler).signal
    guard !first.isEmpty else {
      signal = later
      return
    }
    signal = Signal { producer in
      for timed in first {
        switch timed.event {
        case .value(let value): producer.send(value)
        case .failed(let error): producer.fail(error)
        case .finished: producer.finish()
        }
      }
      guard producer.isActive else { return }
      producer.own(later.subscribeToEvents { producer.send(event: $0) })
    }
  }
}
