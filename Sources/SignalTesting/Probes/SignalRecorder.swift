public import Signals
import Synchronization

/// Collects the events of a signal, for tests without marbles.
///
/// ```swift
/// @Test func keepsTheNewest() {
///   let emitter = Emitter<Int>()
///   let recorder = emitter.signal.scan(0, +).record()
///   emitter.send(1)
///   emitter.send(2)
///   #expect(recorder.values == [1, 3])
///   #expect(!recorder.hasEnded)
/// }
/// ```
///
/// With a scheduler, it collects the times too:
///
/// ```swift
/// @Test func ticks() throws {
///   let scheduler = VirtualTimeScheduler()
///   let recorder = Signal.interval(every: .milliseconds(2), on: scheduler).prefix(2).record(timedBy: scheduler)
///   try scheduler.run()
///   #expect(recorder.times == [.milliseconds(2), .milliseconds(4), .milliseconds(4)])
///   #expect(recorder.diagram == "--0-(1|)")
/// }
/// ```
///
/// A recorder handles a failure: a test that reads only ``values`` does not notice it. Read ``events``, or use a probe,
/// whose unread events fail the test.
///
/// The subscription ends when the recorder is released.
public final class SignalRecorder<Value: Sendable>: Sendable {
  private struct State {
    var events: [(event: Event<Value>, time: Duration, isInsideSubscribe: Bool)] = []
    var isSubscribing = true
  }

  private let state: Shared
  private let bag = DisposeBag()

  init(_ signal: Signal<Value>, timedBy scheduler: (any Scheduler)?) {
    let state = Shared(of: scheduler)
    self.state = state
    let start = scheduler?.now
    let origin = state.origin
    let subscription = signal.subscribeToEvents { event in
      origin.noteEvent()
      let now = scheduler?.now
      let time = start.flatMap { start in now.map { start.duration(to: $0) } } ?? .zero
      state.state.withLock { $0.events.append((event, time, $0.isSubscribing)) }
    }
    state.state.withLock { $0.isSubscribing = false }
    bag.insert(subscription)
  }

  /// The storage of the subscription; it does not retain the recorder.
  private final class Shared: Sendable {
    let state = Mutex(State())
    let origin: EventOrigin

    init(of scheduler: (any Scheduler)?) {
      origin = EventOrigin(of: scheduler)
    }
  }

  /// The events so far, for a reader.
  private var noted: [(event: Event<Value>, time: Duration, isInsideSubscribe: Bool)] {
    state.origin.noteReading()
    return state.state.withLock { $0.events }
  }

  /// Unsubscribes. The collected events stay.
  public func dispose() { bag.close() }

  /// The events so far, in order.
  public var events: [Event<Value>] { noted.map(\.event) }

  /// The times of the events, since the beginning of the recording; all zero without a scheduler.
  public var times: [Duration] { noted.map(\.time) }

  /// The values so far, in order.
  public var values: [Value] {
    events.compactMap { if case .value(let value) = $0 { value } else { nil } }
  }

  /// The error with which the signal failed; nil if it has not.
  public var failure: (any Error)? {
    if case .failed(let error) = events.last { error } else { nil }
  }

  /// Whether the signal has finished regularly.
  public var isFinished: Bool {
    if case .finished = events.last { true } else { false }
  }

  /// Whether the signal has finished or failed.
  public var hasEnded: Bool { isFinished || failure != nil }

  /// The events as a diagram, with a frame of a millisecond.
  public var diagram: String { diagram(frame: MarbleDiagram.defaultFrame) }

  /// The events as a diagram. Values are written as their descriptions.
  ///
  /// - Parameter frame: The length of a `-`. Times are rounded down to it, as those of a real scheduler are never
  ///   exact; a frame that is not a whole number of nanoseconds above 0 counts as a millisecond.
  public func diagram(frame: Duration) -> String {
    let length = frame.exactNanoseconds.map { $0 > 0 ? $0 : 1_000_000 } ?? 1_000_000
    let events = noted.map { event, time, isInside in
      let nanoseconds = Int64(clamping: time.attoseconds / 1_000_000_000)
      return TimedEvent(
        nanoseconds: nanoseconds - nanoseconds % length, isInsideSubscribe: isInside && time == .zero,
        event: ReceivedEvent(event))
    }
    let recorded = RecordedDiagram(events, frame: length, values: MarbleValues(), areTextsEnough: true) { _, _ in false
    }
    return recorded.text ?? recorded.problem ?? ""
  }
}

extension Signal {
  /// Subscribes to this signal and collects its events; see ``SignalRecorder``.
  ///
  /// - Parameter scheduler: Provides the times; without it they are all zero.
  /// - Returns: The recorder, whose release ends the subscription.
  public func record(timedBy scheduler: (any Scheduler)? = nil) -> SignalRecorder<Value> {
    SignalRecorder(self, timedBy: scheduler)
  }
}
