import Probes
import Signals
import Testing

/// Operators without state are joined into runs; what goes through them may be of any size and kind.
@Suite("joined stages")
struct StageTests {
  @Test("any number of stages", arguments: [1, 2, 63, 64, 65, 200, 1_000])
  func length(_ count: Int) {
    let emitter = Emitter<Int>()
    var signal = emitter.signal
    for step in 0..<count {
      signal = step % 3 == 2 ? signal.filter { $0 % 7 != 3 || $0 < 0 } : signal.map { $0 + 1 }
    }
    var expected: [Int] = []
    for start in 0..<10 {
      var value: Int? = start
      for step in 0..<count {
        guard let current = value else { break }
        if step % 3 == 2 { value = current % 7 != 3 || current < 0 ? current : nil } else { value = current + 1 }
      }
      if let value { expected.append(value) }
    }
    let log = EventLog<Int>()
    let subscription = signal.log(to: log)
    for start in 0..<10 { emitter.send(start) }
    #expect(log.values == expected)
    withExtendedLifetime(subscription) {}
  }

  private struct Large: Sendable, Equatable {
    var numbers: InlineNumbers
    var text: String

    struct InlineNumbers: Sendable, Equatable {
      var values = SIMD64<Double>.zero
      var more = SIMD64<Double>.zero
      var most = SIMD64<Double>.zero
    }
  }

  private struct Reading: Equatable, Sendable {
    var text: String
    var number: Double
  }

  @Test("values that do not fit the usual place")
  func largeValues() {
    let emitter = Emitter<Int>()
    #expect(MemoryLayout<Large>.size > 1_024)
    let log = EventLog<Reading>()
    let subscription = emitter.signal
      .filter { $0 < 4 }
      .map { number in
        var large = Large(numbers: .init(), text: "number \(number)")
        large.numbers.most[63] = Double(number)
        return large
      }
      .filter { $0.numbers.most[63] > 1 }
      .map { (first: $0, second: $0.numbers.most[63]) }
      .map { Reading(text: $0.first.text, number: $0.second) }
      .log(to: log)
    for number in 1...4 { emitter.send(number) }
    #expect(log.values == [Reading(text: "number 2", number: 2), Reading(text: "number 3", number: 3)])
    withExtendedLifetime(subscription) {}
  }

  @Test("values of medium size, on the stack")
  func mediumValues() {
    let emitter = Emitter<(Int, Int, Int, Int, Int, Int, Int, Int, String)>()
    let log = EventLog<Reading>()
    let subscription = emitter.signal.filter { $0.7 > 0 }.map { ($0.8, $0) }
      .map { Reading(text: $0.0, number: Double($0.1.7)) }.log(to: log)
    emitter.send((1, 2, 3, 4, 5, 6, 7, 0, "a"))
    emitter.send((1, 2, 3, 4, 5, 6, 7, 8, "b"))
    #expect(log.values == [Reading(text: "b", number: 8)])
    withExtendedLifetime(subscription) {}
  }

  /// What happens to a value in the middle of a run.
  enum Fate: CaseIterable, Sendable {
    case delivered, filteredOut, leftOut, thrownInMap, thrownInFilter, thrownInHandle, thrownInCompactMap
  }

  @Test("a value is released exactly once, whatever happens to it", arguments: Fate.allCases)
  func releases(_ fate: Fate) {
    let emitter = Emitter<LifeCount.Token>()
    let count = LifeCount()
    let delivered = Box(0)
    let log = EventLog<Int>()
    let subscription = emitter.signal
      .map { token in
        if fate == .thrownInMap { throw Failure(number: 1) }
        return [token]
      }
      .filter { _ in
        if fate == .thrownInFilter { throw Failure(number: 2) }
        return fate != .filteredOut
      }
      .handle { _ in if fate == .thrownInHandle { throw Failure(number: 3) } }
      .compactMap { tokens -> [LifeCount.Token]? in
        if fate == .thrownInCompactMap { throw Failure(number: 4) }
        return fate == .leftOut ? nil : tokens + tokens
      }
      .subscribe(onValue: { delivered.value += $0.count }, onFailure: { log.append(.failed($0)) })
    emitter.send(count.token())
    #expect(count.alive == 0)
    #expect(delivered.value == (fate == .delivered ? 2 : 0))
    let isThrown = ![.delivered, .filteredOut, .leftOut].contains(fate)
    #expect(log.ends.count == (isThrown ? 1 : 0))
    #expect(emitter.subscriberCount == (isThrown ? 0 : 1))
    withExtendedLifetime(subscription) {}
  }

  /// What came out of which chain.
  private enum Passed: Equatable, Sendable {
    case scan(Int), property(Int), changes(Int), share(Int), just(Int), inner(Int), both(Int, Int)
  }

  @Test("below and above every other kind of signal")
  func neighbours() {
    let emitter = Emitter<Int>()
    let property = Property(1)
    let log = EventLog<Passed>()
    let bag = DisposeBag()
    bag += emitter.signal.map { $0 + 1 }.scan(0, +).map { Passed.scan($0) }.named("sum").filter { _ in true }.log(
      to: log)
    bag += property.signal.map { $0 * 2 }.map { Passed.property($0) }.log(to: log)
    bag += property.changes.map { Passed.changes($0) }.log(to: log)
    bag += emitter.signal.map { $0 * 100 }.share(replay: 1).map { Passed.share($0) }.log(to: log)
    bag += Signal.just(5).map { Passed.just($0) }.log(to: log)
    bag += emitter.signal.flatMap { Signal.just($0).map { Passed.inner($0) } }.log(to: log)
    bag += combineLatest(property.signal.map { $0 + 10 }, emitter.signal.filter { $0 > 0 }).map { Passed.both($0, $1) }
      .log(to: log)
    #expect(log.values == [.property(2), .just(5)])
    emitter.send(3)
    property.value = 4
    #expect(
      log.values.dropFirst(2) == [
        .scan(4), .share(300), .inner(3), .both(11, 3), .property(8), .changes(4), .both(14, 3),
      ])
  }

  @Test("a run that sends into its own source is entered again only afterwards")
  func nested() {
    let emitter = Emitter<Int>()
    let log = EventLog<Int>()
    let subscription = emitter.signal
      .map { value in
        if value < 3 { emitter.send(value + 1) }
        return value * 10
      }
      .log(to: log)
    emitter.send(1)
    #expect(log.values == [10, 20, 30])
    withExtendedLifetime(subscription) {}
  }
}
