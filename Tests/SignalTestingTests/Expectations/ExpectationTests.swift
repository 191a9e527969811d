import Observation
import SignalTesting
import Signals
import Synchronization
import Testing

private struct ServerError: Error, Equatable { var status: Int }
private struct OtherError: Error {}
private struct Item: Equatable, Sendable { var name: String }

/// What can be expected, beside equal values at equal times.
@Suite struct ExpectationTests {
  // MARK: Errors

  @Test func anErrorByTypeAndByPredicate() {
    marbles { m in
      let answer = m.cold("--#", error: ServerError(status: 503))
      m.expect(answer.signal, "--#", error: ServerError(status: 503))
      m.expect(answer.signal, "--#", error: ErrorPattern.ofType(ServerError.self))
      m.expect(answer.signal, "--#", error: ErrorPattern.of(ServerError.self) { $0.status > 500 })
      m.expect(answer.signal, "--#e", errors: ["e": ErrorPattern.any(where: "it is one") { _ in true }])
    }
  }

  @Test func anErrorOfAnotherType() {
    let message = failure(offset: 4) {
      marbles { m in
        let answer = m.cold("--#", error: OtherError())
        m.expect(
          answer.signal, "--#", error: ErrorPattern.of(ServerError.self, where: "it is 503") { $0.status == 503 })
      }
    }
    #expect(
      message.contains("frame 2: expected # (any ServerError where it is 503), got #other (OtherError())"), "\(message)"
    )
    #expect(!message.contains("fits"), "\(message)")
  }

  @Test func aSourceCannotSendAPattern() {
    let message = failure(offset: 2) {
      marbles { m in
        let source = m.cold("--#", error: ErrorPattern.ofType(ServerError.self))
        m.expect(source.signal, "--#")
      }
    }
    #expect(message == "A source cannot send a pattern (any ServerError). Pass an error to it.")
  }

  // MARK: Predicates

  @Test func valuesByPredicates() {
    marbles { m in
      let source = m.hot("-a-b-c-|")
      m.expect(
        source.signal.map { Item(name: $0) }, "-x-y-x-|",
        matching: ["x": { $0.name != "b" }, "y": { $0.name == "b" }])
    }
  }

  @Test func aPredicateThatDoesNotHold() {
    let message = failure(offset: 4) {
      marbles { m in
        let source = m.hot("-a-b-|")
        m.expect(
          source.signal.map { Item(name: $0) }, "-x-y-|",
          matching: ["x": { $0.name == "a" }, "y": { $0.name == "c" }])
      }
    }
    #expect(message.contains("frame 3: expected y, got a = Item(name: \"b\")\n"), "\(message)")
    #expect(message.contains(#"received: "-x-a-|", where a is Item(name: "b")"#), "\(message)")
    #expect(!message.contains("Candidate"), "\(message)")
  }

  @Test func aPredicateThatNobodyUses() {
    let message = failure(offset: 3) {
      marbles { m in
        let source = m.hot("-a|")
        m.expect(source.signal, "-x|", matching: ["x": { _ in true }, "y": { _ in true }])
      }
    }
    #expect(message.contains("the diagram never uses 'y'"))
  }

  // MARK: Tolerance

  @Test(arguments: ["-a--b-|", "a--b-|", "--a-b---|", "-a-b--|", "-a--b---|", "a-b-|"])
  func aTimeWithinTheTolerance(received: String) {
    marbles { m in
      let source = m.hot(received)
      m.expect(source.signal, "-a--b-|", tolerance: .milliseconds(2))
    }
  }

  @Test func aTimeOutsideTheTolerance() {
    let message = failure(offset: 3) {
      marbles { m in
        let source = m.hot("-a----b-|")
        m.expect(source.signal, "-a--b-|", tolerance: .milliseconds(1))
      }
    }
    #expect(message.contains("b at frame 6 instead of frame 4"), "\(message)")
    #expect(message.contains("Times up to 1 ms from the expected ones count as equal."), "\(message)")
  }

  @Test func toleranceKeepsTheOrder() {
    let message = failure(offset: 3) {
      marbles { m in
        let source = m.hot("-ab|")
        m.expect(source.signal, "-ba|", tolerance: .milliseconds(5))
      }
    }
    #expect(message.contains("frame"), "\(message)")
    marbles { m in
      let source = m.hot("-ab-|")
      m.expect(source.signal, "-(b & a)-|", tolerance: .milliseconds(1))
    }
  }

  @Test(arguments: ["-a-b-|", "-b-a-|", "--(ab)|"])
  func toleranceAssignsAGroupWithAnyValue(received: String) {
    marbles { m in
      let source = m.hot(received)
      m.expect(source.signal, "--(? & a)|", tolerance: .milliseconds(4))
    }
  }

  @Test func toleranceReportsAMissingValueOfAGroup() {
    let message = failure(offset: 3) {
      marbles { m in
        let source = m.hot("-b-c-|")
        m.expect(source.signal, "--(? & a)|", tolerance: .milliseconds(4))
      }
    }
    #expect(message.contains("frame 2: missing a"), "\(message)")
  }

  @Test func timesThatAreFinerThanANanosecond() {
    let fine = Duration(secondsComponent: 0, attosecondsComponent: 2_000_000_999_999_999)
    marbles { m in
      m.expect(Signal.just("a").delay(for: fine, on: m.scheduler), "--(a|)")
    }
    let message = failure(offset: 2) {
      marbles { m in
        m.expect(Signal.just("a").delay(for: fine * 2, on: m.scheduler), "--(a|)", tolerance: .milliseconds(1))
      }
    }
    #expect(message.contains("instead of"), "\(message)")
  }

  @Test(arguments: [Duration.seconds(-1), .nanoseconds(-1), Duration(attoseconds: -1)])
  func negativeToleranceIsRejected(tolerance: Duration) {
    let message = failure(offset: 2) {
      marbles { m in
        m.expect(m.hot("-a|").signal, "-a|", tolerance: tolerance)
      }
    }
    #expect(message == "The tolerance is negative. Pass zero or a positive duration.")
  }

  // MARK: Nothing

  @Test func nothingComes() {
    marbles { m in
      let source = m.hot("-a-b-|")
      m.expectNoEvents(of: source.signal.debounce(for: .milliseconds(9), on: m.scheduler), for: .milliseconds(4))
      m.expectNoEvents(of: Signal<Item>.never())
    }
  }

  @Test func somethingComes() {
    let message = failure(offset: 3) {
      marbles { m in
        let source = m.hot("-a-b-|")
        m.expectNoEvents(of: source.signal.map { Item(name: $0) }, for: .milliseconds(4))
      }
    }
    #expect(message.contains("expected nothing, but 2 events arrived"), "\(message)")
    #expect(message.contains("received: \"-'Item("), "\(message)")
    let end = failure(offset: 2) {
      marbles { m in
        m.expectNoEvents(of: m.hot("-|").signal)
      }
    }
    #expect(end.contains("but 1 event arrived"), "\(end)")
    #expect(end.contains("received: \"-|\""), "\(end)")
  }

  // MARK: Properties

  @Test func aProperty() {
    marbles { m in
      let count = Property(0)
      m.at(.milliseconds(2)) { count.value = 1 }
      m.expect(count, "{0}--1")
      m.expect(count.map { Item(name: "\($0)") }, "{x}--y", values: ["x": Item(name: "0"), "y": Item(name: "1")])
    }
  }

  @Test func aPropertyThatDiffers() {
    let message = failure(offset: 4) {
      marbles { m in
        let count = Property(0)
        m.at(.milliseconds(2)) { count.value = 1 }
        m.expect(count, "{0}---1")
      }
    }
    #expect(message.contains("1 at frame 2 instead of frame 3"), "\(message)")
  }

  @Test func anObservableObject() {
    marbles { m in
      let counter = Counter()
      m.at(.milliseconds(2)) {
        counter.count += 1
        counter.count += 1
      }
      m.at(.milliseconds(4)) { counter.count += 1 }
      m.expect(counter, \.count, "{0}--2-3")
      m.expect(counter, \.items, "{x}--y-z", values: ["x": [], "y": [0, 1], "z": [0, 1, 2]])
      m.expect(m.observing { counter.count }, "-02-3", subscription: "-^")
    }
  }

  @Test func eachWorkItemOfAMomentShowsItsOwnChange() {
    marbles { m in
      let counter = Counter()
      m.at(.milliseconds(2)) { counter.count = 7 }
      m.at(.milliseconds(2)) { counter.count = 0 }
      m.expect(counter, \.count, "{0}--(70)")
      m.expect(m.observing { counter.count }, "{0}--(70)")
    }
  }

  @Test func anObservableObjectThatDiffers() {
    let message = failure(offset: 4) {
      marbles { m in
        let counter = Counter()
        m.at(.milliseconds(2)) { counter.count += 1 }
        m.expect(counter, \.count, "{0}---1")
      }
    }
    #expect(message.contains("1 at frame 2 instead of frame 3"), "\(message)")
  }

  @Test func aChangeThatIsNotAnnouncedFails() {
    let count = Property(0)
    let message = failure(offset: 3) {
      marbles { m in
        m.at(.milliseconds(3)) { count.value = 1 }
        m.expect(m.observing { count.value }, "{0}")
      }
    }
    #expect(message.contains("m.observing { } read 0 last, and reads 1 at the end"), "\(message)")
  }

  @Test func aChangeThatIsNotAnnouncedWhileItIsWatchedFails() {
    let count = Property(0)
    let message = failure(offset: 3) {
      marbles { m in
        m.at(.milliseconds(2)) { count.value = 1 }
        m.expect(m.observing { count.value }, "{0}", subscription: "^----!")
      }
    }
    #expect(message.contains("m.observing { } read 0 last, and reads 1 at the end"), "\(message)")
  }

  @Test func observedNaNIsNoUnannouncedChange() {
    let ratio = Property(Double.nan)
    marbles { m in m.expect(m.observing { ratio.value }, "{?}") }
    let message = failure(offset: 3) {
      marbles { m in
        m.at(.milliseconds(2)) { ratio.value = 1 }
        m.expect(m.observing { ratio.value }, "{?}")
      }
    }
    #expect(message.contains("m.observing { } read nan last, and reads 1.0 at the end"), "\(message)")
  }

  @Test func errorsThatContainATypeCanBeCompared() {
    func mismatch(_ type: any Any.Type) -> DecodingError {
      .typeMismatch(type, DecodingError.Context(codingPath: [], debugDescription: "x"))
    }
    marbles { m in
      m.expect(m.cold("--#", error: mismatch(Int.self)).signal, "--#", error: mismatch(Int.self))
    }
    let message = failure(offset: 2) {
      marbles { m in
        m.expect(m.cold("--#", error: mismatch(Int.self)).signal, "--#", error: mismatch(String.self))
      }
    }
    #expect(message.contains("typeMismatch"), "\(message)")
  }

  @MainActor @Test func anObservableObjectOfTheMainActor() {
    marbles { m in
      let model = MainModel()
      m.at(.milliseconds(1)) { model.title = "b" }
      m.expect(model, \.title, "{a}-b")
      m.expect(m.observing { model.title.uppercased() }, "{A}-B")
    }
  }

  @Test func observingFailsWithWhatItThrows() {
    marbles { m in
      let counter = Counter()
      m.at(.milliseconds(1)) { counter.count = 7 }
      m.expect(
        m.observing {
          if counter.count == 7 { throw OtherError() }
          return counter.count
        }, "{0}-#", error: ErrorPattern.ofType(OtherError.self))
    }
  }

  @Test func observingIsForItsTest() throws {
    let escaped = Mutex<Signal<Int>?>(nil)
    marbles { m in
      let signal = m.observing { 1 }
      escaped.withLock { $0 = signal }
      m.expect(signal, "{1}")
    }
    let events = Mutex<[String]>([])
    let signal = try #require(escaped.withLock { $0 })
    signal.subscribeToEvents { event in events.withLock { $0.append("\(event)") } }.retained()
    #expect(events.withLock { $0.count } == 1)
    #expect(events.withLock { $0.first }?.contains("outside of the test") == true)
  }

  // MARK: What is kept

  @Test func aTestIsNotKeptByWhatItDeclares() {
    weak var kept: MarbleTest?
    do {
      let m = MarbleTest()
      kept = m
      let source = m.hot("-a|")
      let counter = Counter()
      m.expect(source.signal, "-a|")
      m.expect(source.signal, "-a|", matching: ["a": { $0 == "a" }], tolerance: .milliseconds(1))
      m.expect(counter, \.count, "{0}")
      m.expect(m.elements(of: AsyncStream<Int> { $0.finish() }), "(|)")
      m.expect(Property(0), "{0|}")
      m.expectNoEvents(of: Signal<Int>.never())
      m.expectSubscriptions(of: source, "^-!", "^-!")
      m.at(.zero) {}
      m.task { m in _ = m.now }
      m.run()
    }
    #expect(kept == nil)
  }

  // MARK: In between

  @Test func whatTheTestDoesInBetween() {
    var order: [Int] = []
    marbles { m in
      let emitter = Emitter<Int>()
      m.at(.milliseconds(304)) {
        order.append(1)
        emitter.send(1)
      }
      m.at(.milliseconds(304)) { order.append(2) }
      m.expect(emitter.signal, " 304ms 1")
    }
    #expect(order == [1, 2])
  }

  @Test func whatTheTestDoesThrows() {
    let message = failure(offset: 3) {
      marbles { m in
        m.expect(Signal<Int>.never(), "-")
        m.at(.milliseconds(304)) { throw OtherError() }
      }
    }
    #expect(message == "The closure at 304 ms threw OtherError().")
  }

  @Test func aMomentThatIsNone() {
    let message = failure(offset: 3) {
      marbles { m in
        m.expect(Signal<Int>.never(), "-")
        m.at(.milliseconds(-1)) {}
      }
    }
    #expect(message.contains("is not a moment of the test"))
  }

  @Test func sequenceThatHasEndedReleasesItsStream() {
    marbles { m in
      let ticks = AsyncStream { [scheduler = m.scheduler] continuation in
        let task = Task {
          for number in 1... {
            try await scheduler.sleep(for: .milliseconds(2))
            continuation.yield(number)
          }
        }
        continuation.onTermination = { _ in task.cancel() }
      }
      m.expect(ticks.prefix(2), "--1-(2|)")
    }
  }

  @Test func aTaskWithItsTime() {
    let times = Mutex<[Duration]>([])
    marbles { m in
      m.expect(Signal<Int>.never(), "-")
      m.task { m in
        try await m.sleep(until: .milliseconds(7))
        times.withLock { $0.append(m.now) }
        try await m.sleep(for: .milliseconds(5))
        times.withLock { $0.append(m.now) }
      }
    }
    #expect(times.withLock { $0 } == [.milliseconds(7), .milliseconds(12)])
  }
}

@Observable private final class Counter {
  var count = 0
  var items: [Int] { Array(0..<count) }
}

@MainActor @Observable private final class MainModel {
  var title = "a"
}
