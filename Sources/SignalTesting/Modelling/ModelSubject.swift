import Signals
import Synchronization

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
  /// The virtual time of the subscription, in nanoseconds.
  private static var start: Int64 { 1_009 * ModelPlan.frame }

  /// The events of the upstream, the further inputs and the inner signals.
  let inputs: [[TimedEvent<Int>]]
  var expected: [TimedEvent<Output>] = []
  var actual: [TimedEvent<Output>] = []
  var failures: [FailureCapture.Failure] = []
  /// The comparisons of the actual values on arrival, by the position of their events.
  private(set) var arrivals: [Int: ModelArrival] = [:]

  init(_ subject: ModelSubject<Output>, _ plan: ModelPlan, _ settings: ModelSettings, _ capture: FailureCapture) {
    let events = (0..<subject.inputCount).map { plan.events(of: $0, values: settings.values) }
    inputs = events
    let firstInner = 1 + subject.otherCount
    let limit = settings.horizon.exactNanoseconds ?? .max
    let place = settings.place
    let reference = subject.reference(
      events[0], ModelEvents(others: Array(events[1..<firstInner]), inners: Array(events[firstInner...])))
    for event in reference where event.nanoseconds <= limit {
      expected.append(event)
      if event.event.isEnd { break }
    }
    let book = ModelArrivalBook(expected)
    do {
      try withVirtualTime(
        workLimit: settings.workLimit, fileID: place.fileID, filePath: place.filePath, line: place.line,
        column: place.column
      ) { scheduler throws -> Void in
        // Times count from the subscription, which is not the beginning of virtual time.
        try scheduler.advance(by: .nanoseconds(Self.start))
        let hot = events[..<firstInner].map { ModelSource($0, startingAt: Self.start, scheduler).signal }
        let cold = events[firstInner...].map { MarbleInput(cold: $0, scheduler: scheduler).signal }
        let inputs = ModelInputs(scheduler: scheduler, others: Array(hot.dropFirst()), inners: cold)
        let recorder = EventRecorder<Output>(scheduler: scheduler, start: Self.start) { value, position in
          book.note(value, at: position)
          return ArrivalNote()
        }
        recorder.subscribe(to: try subject.build(hot[0], inputs))
        defer {
          recorder.dispose()
          actual = recorder.events.filter { $0.nanoseconds <= limit }
        }
        try scheduler.advance(by: settings.horizon)
      }
    } catch {
      capture.note(error, of: "The run")
    }
    failures = capture.take()
    arrivals = book.arrivals
  }

  /// The first position at which both differ; nil if they are equal.
  var difference: Int? {
    for index in 0..<max(expected.count, actual.count) {
      guard index < expected.count, index < actual.count, isSame(index) else { return index }
    }
    return nil
  }

  /// The time of the first value of the operator or its reference.
  var firstValue: Int64? {
    (expected + actual).filter { !$0.event.isEnd }.map(\.nanoseconds).min()
  }

  var isWrong: Bool { difference != nil || !failures.isEmpty }

  private func isSame(_ index: Int) -> Bool {
    let (left, right) = (expected[index], actual[index])
    guard left.nanoseconds == right.nanoseconds, left.isInsideSubscribe == right.isInsideSubscribe else { return false }
    switch (left.event, right.event) {
    case (.value(let left), .value(let right)): return arrivals[index]?.isFit ?? (left == right)
    case (.failed(let left), .failed(let right)):
      return EventMatcher<Output>(isEqual: ==).areEqual(left, right)
    case (.finished, .finished): return true
    default: return false
    }
  }
}

/// The comparison of a value on arrival, before it could change.
struct ModelArrival: Sendable {
  var isFit: Bool
  /// Its description on arrival; nil if it was the expected value.
  var notation: MarbleEvent?
}

/// Compares values with the expected ones as they arrive.
private final class ModelArrivalBook<Output: Sendable & Equatable>: Sendable {
  private let expected: [TimedEvent<Output>]
  private let state = Mutex<[Int: ModelArrival]>([:])

  init(_ expected: [TimedEvent<Output>]) { self.expected = expected }

  var arrivals: [Int: ModelArrival] { state.withLock { $0 } }

  func note(_ value: Output, at position: Int) {
    guard expected.indices.contains(position), case .value(let wanted) = expected[position].event else { return }
    let isFit = wanted == value
    let notation = isFit ? nil : ModelPicture<Output>.notation(of: .value(value))
    state.withLock { $0[position] = ModelArrival(isFit: isFit, notation: notation) }
  }
}

/// A hot input that also sends values inside subscribe, as a property does.
private final class ModelSource: Sendable {
  let signal: Signal<Int>

  init(_ events: [TimedEvent<Int>], startingAt start: Int64, _ scheduler: VirtualTimeScheduler) {
    let first = events.filter(\.isInsideSubscribe)
    let rest = events.filter { !$0.isInsideSubscribe }.map { event in
      var event = event
      event.nanoseconds += start
      return event
    }
    let later = MarbleInput(hot: rest, scheduler: scheduler).signal
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
