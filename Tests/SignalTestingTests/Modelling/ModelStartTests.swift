import SignalTesting
import Signals
import Synchronization
import Testing

/// A model check subscribes late, and each input has a failure of its own.
@Suite struct ModelStartTests {
  @Test func timeSinceTheBeginningIsNotTimeSinceTheSubscription() {
    let message = failure {
      expectModel(of: "stamped") { upstream, inputs in
        upstream.map { _ in Int(inputs.scheduler.now.sinceOrigin / .milliseconds(1)) }
      } reference: { events, _ in
        events.map { event in
          event.event.value == nil ? event : event.with(.value(Int(event.nanoseconds / 1_000_000)))
        }
      }
    }
    #expect(message.contains("expected"), "\(message)")
  }

  @Test func aFailureInsideSubscribeThatBecomesAnEndIsFound() {
    let message = failure {
      expectModel(of: "lenient") { upstream, _ in
        Signal { producer in
          let isStarted = Mutex(false)
          producer.own(
            upstream.subscribe(
              onValue: { producer.send($0) },
              onFailure: { error in
                if isStarted.withLock({ $0 }) { producer.fail(error) } else { producer.finish() }
              },
              onFinish: { producer.finish() }))
          isStarted.withLock { $0 = true }
        }
      } reference: { events, _ in
        events
      }
    }
    #expect(message.contains("{#}"), "\(message)")
  }

  @Test func theWrongFailureIsFound() {
    func check(_ apply: @escaping (Signal<Int>, Signal<Int>) -> Signal<Int>) {
      expectModel(of: "orElse", inners: 1) { upstream, inputs in
        apply(upstream, inputs.inners[0])
      } reference: { events, inputs in
        // It fails with the first failure.
        events.flatMap { event -> [TimedEvent<Int>] in
          guard case .failed(let first) = event.event else { return [event] }
          return inputs.inners[0].map { inner in
            var new = inner
            new.nanoseconds += event.nanoseconds
            new.isInsideSubscribe = inner.isInsideSubscribe && event.isInsideSubscribe
            if case .failed = inner.event { new.event = .failed(first) }
            return new
          }
        }
      }
    }
    let message = failure(offset: -16) { check { upstream, other in upstream.catch { _ in other } } }
    #expect(message.contains("#"), "\(message)")
    check { upstream, other in upstream.catch { first in other.mapError { _ in first } } }
  }
}
