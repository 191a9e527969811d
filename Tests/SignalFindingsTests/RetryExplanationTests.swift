import SignalFindings
import SignalGraph
import SignalRecording
import Signals
import Synchronization
import Testing

/// What `why` says of a `retry`, of what it retries, and of what is below it.
@Suite("why of a retry") struct RetryExplanationTests {
  private struct Offline: Error {}

  private let recorder = GraphRecorder()
  private let bag = DisposeBag()

  private func explanation(of kind: String, since before: GraphSnapshot? = nil) throws -> Explanation {
    let observation = Observation(recorder.snapshot(), since: before, time: before == nil ? .real : .none)
    let node = observation.now.snapshot.nodes.last { observation.now.definition(of: $0)?.kind == kind }
    return Explanation(of: try #require(node), in: observation)
  }

  private var failing: Signal<Int> {
    Signal { producer in producer.fail(Offline()) }
  }

  @Test func whatItWaitsForBetweenAttempts() throws {
    let scheduler = VirtualTimeScheduler()
    recorder.record {
      failing.map { $0 }.retry(after: .constant(.seconds(2)), on: scheduler).subscribe { _ in }.store(in: bag)
    }
    try scheduler.advance(by: .seconds(7))
    for kind in ["map", "retry(after:)", "subscribe"] {
      let why = try explanation(of: kind)
      #expect(!why.hasFired)
      #expect(!why.reason.contains("no more values can come"), "\(kind): \(why.reason)")
      #expect(why.reason.contains("has tried 4 times, and each failed, the last"), "\(kind): \(why.reason)")
      #expect(why.reason.hasSuffix("ago, with Offline(); it waits 2 s for attempt 5"), "\(kind): \(why.reason)")
    }
    let notes = try explanation(of: "subscribe").steps.map(\.notes).joined()
    #expect(notes.contains("4 attempts have ended"), "\(notes)")
  }

  @Test func aStormOfAttempts() throws {
    let source = Mutexed<[Emitter<Int>]>([])
    recorder.record {
      Signal<Int>.deferred {
        let emitter = Emitter<Int>()
        source.append(emitter)
        return emitter.signal
      }
      .retry().subscribe { _ in }.store(in: bag)
    }
    let before = recorder.snapshot()
    for index in 0..<237 { source.value[index].fail(Offline()) }
    for kind in ["retry", "subscribe"] {
      let why = try explanation(of: kind, since: before)
      #expect(why.reason.hasSuffix("has tried 237 times, and each failed, the last, with Offline()"), "\(why.reason)")
      let notes = why.steps.map(\.notes).joined()
      #expect(!notes.contains { $0.contains("more inputs") })
    }
    let attempt = try explanation(of: "emitter", since: before)
    #expect(attempt.reason.contains("has sent nothing: it is attempt 238 of `retry`"), "\(attempt.reason)")
  }

  @Test func oneThatSucceededAtLastIsNotAccused() throws {
    let scheduler = VirtualTimeScheduler()
    let sources = Mutexed<[Emitter<Int>]>([])
    recorder.record {
      Signal<Int>.deferred {
        let emitter = Emitter<Int>()
        sources.append(emitter)
        return emitter.signal
      }
      .retry(after: .constant(.seconds(2)), on: scheduler).subscribe { _ in }.store(in: bag)
    }
    sources.value[0].fail(Offline())
    try scheduler.advance(by: .seconds(3))
    #expect(try explanation(of: "subscribe").reason.hasSuffix("has never sent a value"))
    sources.value[1].send(1)
    #expect(try explanation(of: "subscribe").hasFired)
  }
}

/// A value that closures share.
private final class Mutexed<Value: Sendable>: Sendable {
  private let state: Mutex<Value>

  init(_ value: Value) { state = Mutex(value) }

  var value: Value { state.withLock { $0 } }

  func append<Element>(_ element: Element) where Value == [Element] { state.withLock { $0.append(element) } }
}
