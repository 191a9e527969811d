public import Signals
import Synchronization

/// A source of a ``MarbleTest``: it sends the events of its diagram, and records its subscriptions.
///
/// Create one with ``MarbleTest/hot(_:error:errors:fileID:filePath:line:column:)`` or
/// ``MarbleTest/cold(_:error:errors:fileID:filePath:line:column:)``, and build the chain under test on its ``signal``.
public final class MarbleInput<Value: Sendable>: Sendable {
  /// The source itself, to build a chain on.
  public let signal: Signal<Value>
  let log: SubscriptionLog

  /// Creates a hot source; its events come before all other work of an instant, in the order of the sources' creation.
  ///
  /// - Parameter words: Its name in messages.
  init(hot events: [TimedEvent<Value>], scheduler: VirtualTimeScheduler, words: String = "a hot source") {
    let log = SubscriptionLog(scheduler: scheduler)
    let emitter = Emitter<Value>()
    let watch = MarbleWatching.current
    watch?.made(log)
    let number = watch?.number(isHot: true)
    let labels = PieceLabels.current
    for moment in MarbleInput.moments(watch?.schedule(events) ?? events) {
      guard moment.nanoseconds >= 0 else {
        for event in moment.events { emitter.send(event: event) }
        continue
      }
      // One work item for an instant: the order within a group is part of the diagram.
      scheduler.schedule(at: SchedulerInstant(sinceOrigin: .nanoseconds(moment.nanoseconds)), phase: .hotSource) {
        for event in moment.events {
          watch?.willSend(number)
          emitter.send(event: event)
        }
      }
      labels?.noteLast(of: scheduler, words)
    }
    self.log = log
    signal = Signal(
      named: "Signal", behavior: .startsWork, fileID: MarbleWatching.fileID(of: number),
      line: number.map { UInt($0) } ?? #line,
      function: #function
    ) { producer in
      log.begin(for: producer)
      producer.own(emitter.signal.subscribeToEvents { event in producer.send(event: event) })
    }
  }

  /// Creates a cold source; its events are ordinary work, in the order of the subscriptions.
  ///
  /// - Parameter words: Its name in messages.
  init(cold events: [TimedEvent<Value>], scheduler: VirtualTimeScheduler, words: String = "a cold source") {
    let log = SubscriptionLog(scheduler: scheduler)
    let watch = MarbleWatching.current
    watch?.made(log)
    let number = watch?.number(isHot: false)
    let moments = MarbleInput.moments(watch?.schedule(events) ?? events)
    let causes = watch.map { _ in ColdCauses() }
    self.log = log
    signal = Signal(
      named: "Signal", behavior: .startsWork, fileID: MarbleWatching.fileID(of: number),
      line: number.map { UInt($0) } ?? #line,
      function: #function
    ) { producer in
      log.begin(for: producer)
      let start = scheduler.now
      let labels = PieceLabels.current
      for moment in moments where producer.isActive {
        if moment.isInsideSubscribe {
          for event in moment.events { producer.send(event: event) }
        } else {
          producer.own(
            scheduler.schedule(at: start.advanced(by: .nanoseconds(moment.nanoseconds)), phase: .work) {
              for (index, event) in moment.events.enumerated() {
                if causes?.isNew(index, of: moment.nanoseconds, now: scheduler.nanoseconds) == true {
                  watch?.willSend(number)
                }
                producer.send(event: event)
              }
            })
          labels?.noteLast(of: scheduler, words)
        }
      }
    }
  }

  /// Creates a source without events, for one whose diagram cannot be parsed.
  init(brokenIn scheduler: VirtualTimeScheduler) {
    log = SubscriptionLog(scheduler: scheduler)
    signal = .never()
  }

  private struct Moment: Sendable {
    var nanoseconds: Int64
    var isInsideSubscribe: Bool
    var events: [Event<Value>]
  }

  private static func moments(_ events: [TimedEvent<Value>]) -> [Moment] {
    var result: [Moment] = []
    for timed in events {
      let event: Event<Value> =
        switch timed.event {
        case .value(let value): .value(value)
        case .failed(let error): .failed(error)
        case .finished: .finished
        }
      if let last = result.last, last.nanoseconds == timed.nanoseconds,
        last.isInsideSubscribe == timed.isInsideSubscribe
      {
        result[result.count - 1].events.append(event)
      } else {
        result.append(
          Moment(nanoseconds: timed.nanoseconds, isInsideSubscribe: timed.isInsideSubscribe, events: [event]))
      }
    }
    return result
  }
}

/// The events that a cold source sends at one instant: an event that several subscribers get then is one cause.
private final class ColdCauses: Sendable {
  private let sent = Mutex((now: Int64.min, events: Set<[Int64]>()))

  func isNew(_ index: Int, of moment: Int64, now: Int64) -> Bool {
    sent.withLock { sent in
      if sent.now != now { sent = (now, []) }
      return sent.events.insert([moment, Int64(index)]).inserted
    }
  }
}

/// The subscriptions of a source, with their times.
final class SubscriptionLog: Sendable {
  private let scheduler: VirtualTimeScheduler
  private let spans = Mutex<[Span]>([])

  private struct Span {
    let subscribed: Int64
    var unsubscribed: Int64?
    /// Whether a task of the test subscribed.
    let isOfTest: Bool
  }

  init(scheduler: VirtualTimeScheduler) { self.scheduler = scheduler }

  /// Notes a subscription, and its end when that comes.
  func begin<Value>(for producer: Producer<Value>) {
    let span = Span(subscribed: scheduler.nanoseconds, isOfTest: VirtualWorld.isRunningTaskOfTest)
    let index = spans.withLock { spans in
      spans.append(span)
      return spans.count - 1
    }
    producer.onDisposal { [self] in
      let time = scheduler.nanoseconds
      spans.withLock { $0[index].unsubscribed = time }
    }
  }

  var isEmpty: Bool { spans.withLock { $0.isEmpty } }

  /// The number of current subscriptions, without those of the test's own tasks.
  var openCount: Int { spans.withLock { $0.count { $0.unsubscribed == nil && !$0.isOfTest } } }

  func diagrams(frame: Int64) -> [SubscriptionDiagram] {
    spans.withLock { $0 }.map {
      SubscriptionDiagram(subscribed: $0.subscribed, unsubscribed: $0.unsubscribed, frame: frame)
    }
  }
}
