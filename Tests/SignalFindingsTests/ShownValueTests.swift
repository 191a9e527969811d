import Foundation
import SignalGraph
import SignalRecording
import Signals
import Synchronization
import Testing

@Suite("values that are shown") struct ShownValueTests {
  private let bag = DisposeBag()
  private let recorder = GraphRecorder()
  private let scheduler = VirtualTimeScheduler()

  /// The last values of all nodes after some were sent.
  private func lastValues(of describe: (@Sendable (any Sendable) -> String?)?, _ values: [String]) -> [String?] {
    recorder.describeValues(describe)
    let source = Emitter<String>()
    recorder.record {
      source.signal.map { $0 + "!" }.subscribe { _ in }.store(in: bag)
      source.signal.scan("") { $0 + $1 }.map { $0.count }.debounce(for: .zero, on: scheduler).subscribe { _ in }
        .store(in: bag)
    }
    values.forEach(source.send)
    #expect(recorder.snapshot().nodes.allSatisfy { $0.lastValue == nil })
    recorder.traceHandlers(true)
    defer {
      recorder.traceHandlers(false)
      #expect(recorder.snapshot().nodes.allSatisfy { $0.lastValue == nil })
    }
    values.forEach(source.send)
    return recorder.snapshot().nodes.map(\.lastValue)
  }

  @Test func valuesAreShownOnlyWhereTheProgramWantsThat() {
    #expect(lastValues(of: nil, ["a", "b"]).allSatisfy { $0 == nil })
  }

  @Test func theLastValuesInWords() {
    let shown = lastValues(of: { String(describing: $0) }, ["a", "b"])
    #expect(shown.compactMap { $0 }.sorted() == ["4", "abab", "b!", "b!"])
  }

  @Test func whatIsHiddenHidesWhatWasBefore() {
    let shown = lastValues(of: { ($0 as? String)?.hasPrefix("s") == true ? nil : "\($0)" }, ["a", "s"])
    #expect(shown.compactMap { $0 }.sorted() == ["4", "asas"])
  }

  @Test func longValuesAreCut() {
    let shown = lastValues(of: { "\($0)" }, [String(repeating: "x", count: 300)])
    #expect(shown.compactMap { $0?.count }.sorted() == [3, 80, 80, 80])
    #expect(shown.contains { $0?.hasSuffix("x…") == true })
  }

  @Test func aCharacterOfManyScalarsIsCut() throws {
    let shown = lastValues(of: { _ in "e" + String(repeating: "\u{301}", count: 100_000) }, ["a"])
    #expect(shown.compactMap { $0 }.count == 4)
    #expect(shown.compactMap { $0?.utf8.count }.allSatisfy { $0 <= 700 })
    #expect(shown.contains { $0?.hasSuffix("…") == true })
  }

  @Test func whatItTakesToShowAValueIsNoTimeOfAHandler() throws {
    // The system may take the core from the handler meanwhile: it has several chances.
    var attempts = 1
    while try !showsValueOutsideOfTheHandlersTime(), attempts < 20 { attempts += 1 }
    #expect(attempts < 20)
  }

  private func showsValueOutsideOfTheHandlersTime() throws -> Bool {
    let recorder = GraphRecorder()
    let spent = Mutex(Duration.zero)
    recorder.describeValues { value in
      let clock = ContinuousClock()
      var words = ""
      let time = clock.measure { words = String(describing: Array(repeating: value, count: 30_000)) }
      spent.withLock { $0 += time }
      return words
    }
    let source = recorder.record { Emitter<Int>() }
    recorder.record {
      source.signal.receive(on: scheduler).map { $0 }.scan(0, +).named("end").subscribe { _ in }.store(in: bag)
    }
    recorder.traceHandlers(true)
    source.send(1)
    try scheduler.advance()
    let handler = recorder.snapshot().nodes.compactMap(\.handler).first
    #expect(handler?.calls == 1)
    let seconds = spent.withLock { $0 / .seconds(1) }
    #expect(seconds > 0)
    bag.disposeAll()
    return try #require(handler).seconds < seconds / 4
  }

  @Test func whatTakesLongIsShownNowAndThen() throws {
    let times = Mutex((spent: Duration.zero, longest: Duration.zero))
    recorder.describeValues { value in
      let start = Self.processorTime
      defer {
        let time = Self.processorTime - start
        times.withLock { $0 = ($0.spent + time, max($0.longest, time)) }
      }
      return String(describing: Array(repeating: value, count: 10_000))
    }
    let start = ContinuousClock.now
    let source = recorder.record { Emitter<Int>() }
    recorder.record { source.signal.map { $0 }.named("end").subscribe { _ in }.store(in: bag) }
    recorder.traceHandlers(true)
    for number in 0..<500 { source.send(number) }
    // For each of the two groups a hundredth of the time, with an advance of two seconds.
    let (spent, longest) = times.withLock { $0 }
    let allowed = (ContinuousClock.now - start + .seconds(2)) / 100 + longest
    #expect(spent > .zero && spent < allowed * 2)
    // Whoever looks is told that it was another one.
    let shown = recorder.snapshot().nodes.compactMap(\.lastValue)
    #expect(shown.allSatisfy { $0.hasPrefix("[0, 0") || $0.hasPrefix("[") })
    #expect(shown.allSatisfy { $0.hasSuffix(" (earlier)") })
    #expect(!shown.isEmpty)
  }

  /// The processor time of this thread.
  private static var processorTime: Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  @Test func whatIsShortIsAlwaysShown() throws {
    recorder.describeValues { "\($0)" }
    let source = recorder.record { Emitter<Int>() }
    recorder.record { source.signal.map { $0 }.named("end").subscribe { _ in }.store(in: bag) }
    recorder.traceHandlers(true)
    for number in 0..<100 {
      source.send(number)
      #expect(recorder.snapshot().nodes.compactMap(\.lastValue).first == "\(number)")
    }
  }
}
