import Foundation
import Probes
import Signals
import Testing

/// Inputs that another thread sends to while they are being connected from inside an operator's gate.
@Suite("Law 3: inputs that two threads send to while they are connected")
struct BusyConnectionTests {
  private static let operators: [String: @Sendable (Signal<Int>) -> Signal<Int>] = [
    "alone": { $0 },
    "merge": { $0.merge(with: .empty()) },
    "prefix": { $0.prefix(1_000) },
    "flatMap": { inner in Signal.just(0).flatMap { _ in inner } },
    "flatMap(maxConcurrent: 1)": { inner in Signal.sequence(0..<1).flatMap(maxConcurrent: 1) { _ in inner } },
    "flatMap in flatMap": { inner in
      Signal.just(0).flatMap { _ in Signal.sequence(0..<1).flatMap { _ in inner } }
    },
    "flatMapLatest": { inner in Signal.sequence(0..<1).flatMapLatest { _ in inner } },
    "concat": { $0.concat(.empty()) },
    "concat, second": { Signal.concat([.empty(), $0]) },
    "retry": { $0.retry(1) },
    "retry, second": { inner in
      let attempt = Box(0)
      return Signal.deferred {
        attempt.value += 1
        return attempt.value == 1 ? .fail(Failure()) : inner
      }.retry(1)
    },
    "catch": { inner in Signal.fail(Failure()).catch { _ in inner } },
    "timeout": { $0.timeout(after: .seconds(3600), on: VirtualTimeScheduler()) },
  ]

  @Test(
    "what another thread sent comes before what the connecting thread sends afterwards",
    arguments: operators.keys.sorted()
  )
  func order(name: String) throws {
    let apply = try #require(Self.operators[name])
    let source = Signal<Int> { producer in
      for round in 0..<3 {
        producer.send(round * 3)
        onThreads {
          producer.send(round * 3 + 1)
          producer.send(round * 3 + 2)
        }
      }
      producer.finish()
    }
    let log = EventLog<Int>()
    let subscription = apply(source).log(to: log)
    #expect(log.events == (0..<9).map(Event.value) + [.finished])
    #expect(subscription.isDisposed)
  }

  @Test("what another thread sent last, its end included, is not lost", arguments: operators.keys.sorted())
  func last(name: String) throws {
    let apply = try #require(Self.operators[name])
    let source = Signal<Int> { producer in
      producer.send(0)
      onThreads {
        producer.send(1)
        producer.finish()
      }
    }
    let log = EventLog<Int>()
    let subscription = apply(source).log(to: log)
    #expect(log.events == [.value(0), .value(1), .finished])
    #expect(subscription.isDisposed)
  }

  @Test("an endless source still stops once what is below has enough", arguments: operators.keys.sorted())
  func endless(name: String) throws {
    let apply = try #require(Self.operators[name])
    let source = Signal<Int> { producer in
      producer.send(0)
      onThreads { producer.send(1) }
      var value = 2
      while producer.send(value) { value += 1 }
    }
    let log = EventLog<Int>()
    let subscription = apply(source).prefix(100).log(to: log)
    #expect(log.events == (0..<100).map(Event.value) + [.finished])
    #expect(subscription.isDisposed)
  }

  @Test("a background source merged with one that delivers at once, inside flatMap: nothing is lost")
  func background() {
    for _ in 0..<200 {
      let queue = DispatchQueue(label: "background")
      let background = Signal<Int> { producer in
        queue.async {
          producer.send(-1)
          producer.finish()
        }
      }
      let ended = DispatchSemaphore(value: 0)
      let log = EventLog<Int>()
      let subscription = Signal.just(0).flatMap { _ in .merge([background, .sequence(0..<300)]) }
        .subscribeToEvents { event in
          log.append(event)
          if case .finished = event { ended.signal() }
        }
      ended.wait()
      #expect(log.values.filter { $0 >= 0 } == Array(0..<300))
      #expect(log.values.contains(-1))
      #expect(log.ends == [.finished])
      withExtendedLifetime(subscription) {}
    }
  }
}
