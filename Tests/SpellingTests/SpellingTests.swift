import Dispatch
import SignalTesting
import Signals
import Synchronization
import Testing

/// What users write, as they write it: each line has to compile without a type annotation, and to deliver what it says.
private struct User: Sendable, Equatable {
  var name = "Ann"
  var age = 30
  var nick: String?
  var id: Int { age }
}

/// Collects what a signal delivers until it ends.
private func values<Value: Sendable>(_ signal: Signal<Value>) -> [Value] {
  let collected = Mutex<[Value]>([])
  let subscription = signal.subscribe { value in collected.withLock { $0.append(value) } }
  return withExtendedLifetime(subscription) { collected.withLock { $0 } }
}

/// Compares what a signal delivers when someone subscribes. A function, as macros type-check an expression twice.
private func expect<Value: Sendable & Equatable>(
  _ signal: Signal<Value>, gives expected: [Value],
  fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
) {
  #expect(
    values(signal) == expected,
    sourceLocation: SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column))
}

@Suite("spellings: one input")
struct OneInputSpellings {
  private let users = Signal<User>.sequence([User(), User(name: "Bob", age: 12, nick: "B")])
  private let numbers = Signal<Int>.sequence([1, 2, 3])
  private let pairs = Signal<(Int, String)>.sequence([(1, "a"), (2, "b")])

  @Test("map, filter and compactMap with closures and key paths")
  func stages() {
    expect(users.map(\.name), gives: ["Ann", "Bob"])
    expect(users.map(\.name.count), gives: [3, 3])
    expect(users.map { $0.age + 1 }, gives: [31, 13])
    expect(users.map { user in user.age > 17 }, gives: [true, false])
    expect(users.compactMap(\.nick), gives: ["B"])
    expect(users.compactMap { $0.nick }.map(\.count), gives: [1])
    expect(users.map(\.name).filter(\.isEmpty), gives: [])
    expect(users.filter { $0.age > 17 }.map(\.name), gives: ["Ann"])
    expect(numbers.map(String.init), gives: ["1", "2", "3"])
    expect(numbers.map { "\($0)" }.compactMap { Int($0) }, gives: [1, 2, 3])
  }

  @Test("tuples")
  func tuples() {
    expect(pairs.map { $0.1 }, gives: ["a", "b"])
    expect(pairs.map(\.1), gives: ["a", "b"])
    expect(pairs.map { $1 }, gives: ["a", "b"])
    expect(pairs.map { number, letter in letter + "\(number)" }, gives: ["a1", "b2"])
    expect(pairs.filter { $0.0 > 1 }.map(\.1), gives: ["b"])
    expect(pairs.filter { number, _ in number > 1 }.map { $0.0 }, gives: [2])
    expect(numbers.map { (number: $0, square: $0 * $0) }.map(\.square), gives: [1, 4, 9])
  }

  @Test("operators with state")
  func state() {
    expect(numbers.scan(0) { $0 + $1 }, gives: [1, 3, 6])
    expect(numbers.scan(0, +), gives: [1, 3, 6])
    expect(numbers.scan { $0 * $1 }, gives: [1, 2, 6])
    expect(numbers.scan("") { text, number in text + "\(number)" }, gives: ["1", "12", "123"])
    expect(numbers.map { $0 / 2 }.removeDuplicates(), gives: [0, 1])
    expect(users.removeDuplicates { $0.name.count == $1.name.count }.map(\.age), gives: [30])
    expect(numbers.prefix(2), gives: [1, 2])
    expect(numbers.dropFirst(), gives: [2, 3])
  }

  @Test("some of the values")
  func selection() {
    expect(numbers.first(), gives: [1])
    expect(numbers.first { $0 > 1 }, gives: [2])
    expect(numbers.first(where: { $0 > 1 }).map { $0 + 1 }, gives: [3])
    expect(users.first(where: \.name.isEmpty), gives: [])
    expect(numbers.last(), gives: [3])
    expect(numbers.last { $0 < 3 }, gives: [2])
    expect(numbers.element(at: 1), gives: [2])
    expect(numbers.suffix(2), gives: [2, 3])
    expect(numbers.prefix { $0 < 3 }, gives: [1, 2])
    expect(numbers.prefix(while: { $0 < 3 }, inclusive: true).map { $0 * 2 }, gives: [2, 4, 6])
    expect(numbers.drop { $0 < 3 }, gives: [3])
    expect(numbers.drop(while: { $0 < 3 }).map { "\($0)" }, gives: ["3"])
    expect(pairs.drop { number, _ in number < 2 }.map(\.1), gives: ["b"])
    expect(numbers.drop(untilOutputFrom: Signal.just("now")).prefix(1), gives: [1])
    expect(numbers.sample(by: Signal<Void>.never()), gives: [])
    expect(users.removeDuplicates(by: \.name.count).map(\.name), gives: ["Ann"])
    expect(users.removeDuplicates(by: \.id).map(\.age), gives: [30, 12])
    expect(users.removeDuplicates(by: { $0.id == $1.id }).map(\.age), gives: [30, 12])
    expect(pairs.removeDuplicates(by: \.1).map { $0.0 }, gives: [1, 2])
    expect(pairs.removeDuplicates(by: ==).map { $0.0 }, gives: [1, 2])
  }

  @Test("watching")
  func watching() {
    let count = Mutex(0)
    let add: @Sendable () -> Void = { count.withLock { $0 += 1 } }
    expect(numbers.handle { _ in add() }.map { $0 + 1 }, gives: [2, 3, 4])
    expect(numbers.handle(onFinish: add).prefix(3), gives: [1, 2, 3])
    expect(numbers.handle(onSubscribe: add, onValue: { _ in add() }, onDispose: add).first(), gives: [1])
    expect(numbers.handle(onDispose: { add() }), gives: [1, 2, 3])
    expect(numbers.breakpoint(onValue: { $0 > 9 }).map { $0 * 2 }, gives: [2, 4, 6])
    expect(
      Signal<Int>.fail(CancellationError()).mapError { _ in TimeoutError(interval: .zero) }.replaceError(with: 1),
      gives: [1])
    expect(Signal<Int?>.fail(CancellationError()).replaceError(with: nil), gives: [nil])
    expect(numbers.assertNoFailure(), gives: [1, 2, 3])
    #expect(count.withLock { $0 } == 6)
  }

  @Test("inner signals and failures")
  func inner() {
    expect(numbers.flatMap { .just($0 * 2) } as Signal<Int>, gives: [2, 4, 6])
    expect(numbers.flatMap { Signal.sequence([$0, $0]) }.prefix(3), gives: [1, 1, 2])
    expect(numbers.flatMapLatest { number in Signal.just("\(number)") }, gives: ["1", "2", "3"])
    expect(Signal<Int>.fail(CancellationError()).catch { _ in .just(0) }, gives: [0])
    expect(Signal<Int>.deferred { .just(1) }, gives: [1])
  }

  @Test("values before")
  func prepending() {
    expect(numbers.prepend(0), gives: [0, 1, 2, 3])
    expect(numbers.prepend(-1, 0), gives: [-1, 0, 1, 2, 3])
    expect(numbers.prepend([-1, 0]), gives: [-1, 0, 1, 2, 3])
    expect(numbers.prepend(-1...0), gives: [-1, 0, 1, 2, 3])
    expect(numbers.prepend(contentsOf: [0]), gives: [0, 1, 2, 3])
    expect(Signal.just([2]).prepend([1]), gives: [[1], [2]])
    expect(Signal.just([2]).prepend([]), gives: [[], [2]])
    expect(Signal.just([2]).prepend([[0], [1]]), gives: [[0], [1], [2]])
  }

  @Test("subscribing")
  func subscribing() {
    final class Owner: Sendable {
      let last = Property(0)
      let bag = DisposeBag()
      func bind(_ numbers: Signal<Int>) {
        numbers.subscribe { [last] in last.value += $0 }.store(in: bag)
        numbers.subscribe(with: self) { owner, value in owner.last.value += value }
        numbers.subscribe(with: self) { $0.last.value += $1 }
        bag += numbers.subscribe(onValue: { [last] in last.value += $0 }, onFailure: { _ in }, onFinish: {})
        bag += numbers.subscribe(onFinish: { [last] in last.value += 100 })
        numbers.subscribe {
          self.last.value += $0
        } onFailure: { _ in
        } onFinish: {
          self.last.value += 1000
        }.store(in: bag)
        numbers.handle { [last] in last.value += $0 }.subscribe().store(in: bag)
      }
    }
    let owner = Owner()
    owner.bind(numbers)
    #expect(owner.last.value == 6 * 6 + 1100)
  }
}

@Suite("spellings: several inputs")
struct SeveralInputSpellings {
  private let first = Property(1)
  private let second = Property(2)
  private let third = Property("c")
  private let fourth = Property(0.5)
  private var a: Signal<Int> { first.signal }
  private var b: Signal<Int> { second.signal }
  private var c: Signal<String> { third.signal }
  private var d: Signal<Double> { fourth.signal }

  @Test("combineLatest of two")
  func latestOfTwo() {
    expect(a.combineLatest(b).map { $0.1 }, gives: [2])
    expect(a.combineLatest(b).map(\.1).map { $0 + 1 }, gives: [3])
    expect(a.combineLatest(b).map { $0 + $1 }, gives: [3])
    expect(a.combineLatest(b).map(+), gives: [3])
    expect(a.combineLatest(b).map { Swift.max($0.0, $0.1) }, gives: [2])
    expect(a.combineLatest(c).map { number, text in text + "\(number)" }, gives: ["c1"])
    expect(a.combineLatest(b).filter { $0.0 < $0.1 }.map { $0.0 }, gives: [1])
    expect(a.combineLatest(b).filter { $0 < $1 }.map(\.0), gives: [1])
    expect(a.combineLatest(c).compactMap { $0.1.first }, gives: ["c"])
    expect(a.combineLatest(b).scan(0) { $0 + $1.0 + $1.1 }, gives: [3])
    expect(a.combineLatest(b).flatMapLatest { Signal.just($0.0 + $0.1) }, gives: [3])
    expect(a.combineLatest(b).flatMap { first, second in Signal.just(first + second) }, gives: [3])
    expect(a.combineLatest(b).removeDuplicates(by: ==).map { $0.0 }, gives: [1])
    expect(a.combineLatest(.just("x")).map { $0.1 }, gives: ["x"])
    expect(a.combineLatest(b).combineLatest(c).map { $0.0.1 + $0.1.count }, gives: [3])
    expect(a.combineLatest(b).combineLatest(c).map { pair, text in pair.0 + text.count }, gives: [2])
    expect(combineLatest(a, b).map { $0.1 }.removeDuplicates(), gives: [2])
    expect(combineLatest(a, c).map(\.1), gives: ["c"])
    let sum = Property(0)
    let bag = DisposeBag()
    a.combineLatest(b).subscribe { sum.value += $0.1 }.store(in: bag)
    a.combineLatest(b).subscribe { first, second in sum.value += first + second }.store(in: bag)
    combineLatest(a, b).handle { sum.value += $0.0 }.subscribe().store(in: bag)
    #expect(sum.value == 2 + 3 + 1)
  }

  @Test("zip of two")
  func pairsOfTwo() {
    expect(a.zip(b).map { $0.1 }, gives: [2])
    expect(a.zip(c).map(\.1), gives: ["c"])
    expect(a.zip(b).map { $0 + $1 }.map { $0 * 2 }, gives: [6])
    expect(zip(a, b).map { $0.1 }.removeDuplicates(), gives: [2])
    expect(zip(a, b).filter { $0.0 < $0.1 }.map(\.1), gives: [2])
    expect(zip(a, c).map { number, text in text + "\(number)" }, gives: ["c1"])
  }

  @Test("withLatest(from:) of one other")
  func latestFromOne() {
    expect(a.withLatest(from: b).map { $0.1 }, gives: [2])
    expect(a.withLatest(from: c).map(\.1), gives: ["c"])
    expect(a.withLatest(from: c).filter { $0.1.count == 1 }.map(\.1.count), gives: [1])
    expect(a.withLatest(from: b).map { $0 + $1 }, gives: [3])
    expect(a.withLatest(from: b).map { first, _ in first }, gives: [1])
  }

  @Test("three and more")
  func more() {
    expect(a.combineLatest(b, c).map { $0.1 }, gives: [2])
    expect(a.combineLatest(b, c).map(\.2), gives: ["c"])
    expect(a.combineLatest(b, c).map { ($0.0, $0.2) }.map(\.1), gives: ["c"])
    expect(a.combineLatest(b, c).map { $0 + $1 + $2.count }, gives: [4])
    expect(a.combineLatest(b, c).filter { $0.0 < $0.1 }.map { $0.2 }, gives: ["c"])
    expect(combineLatest(a, b, c).map { _, _, text in text }, gives: ["c"])
    expect(zip(a, b, c).map { $0.2 }, gives: ["c"])
    expect(a.zip(b, c).map(\.2), gives: ["c"])
    expect(a.withLatest(from: b, c).map { $0.2 }, gives: ["c"])
    expect(a.combineLatest(b, c, d).map { $3 }, gives: [0.5])
    expect(a.combineLatest(b, c, d).map { _, _, _, last in last }.map { $0 * 2 }, gives: [1])
    expect(combineLatest(a, b, c, d, a).map { $4 + $0 }, gives: [2])
    expect(zip(a, b, c, d).map { $0.0 + $0.1 }, gives: [3])
  }

  @Test("any number, in a function that is generic over a pack")
  func packs() {
    func firsts<each Value: Sendable>(_ signals: repeat Signal<each Value>) -> Signal<(repeat each Value)> {
      combineLatest(all: repeat each signals).prefix(1)
    }
    expect(firsts(a, c).map { number, text in text + "\(number)" }, gives: ["c1"])
    #expect(values(combineLatest(all: a)) == [1])
    #expect(values(zip(all: a)) == [1])
  }

  @Test("rows of one type")
  func rows() {
    expect(combineLatest([a, b]), gives: [[1, 2]])
    expect(combineLatest([a, b]).map { $0.reduce(0, +) }, gives: [3])
    expect(combineLatest([first, second].map(\.signal)).map(\.count), gives: [2])
    expect(merge(a, b), gives: [1, 2])
    expect(Signal.merge(a, b), gives: [1, 2])
    expect(Signal.merge([a, b]).map { $0 + 1 }, gives: [2, 3])
    expect(a.merge(with: b, .just(3)), gives: [1, 2, 3])
    expect(Signal.just(1).concat(.just(2), .just(3)), gives: [1, 2, 3])
    expect(Signal.just(1).concat(b.prefix(1)).map { $0 * 2 }, gives: [2, 4])
    expect(Signal.concat(.just(1), .just(2)), gives: [1, 2])
    expect(Signal.concat([.just(1), .just(2)]), gives: [1, 2])
    expect(Signal<Int>.merge([]), gives: [])
  }
}

@Suite("spellings: time and queues")
struct TimeSpellings {
  /// Only compiled: real time passes.
  private func compiles(_ numbers: Signal<Int>, _ queue: DispatchQueue) -> [Signal<Int>] {
    [
      numbers.receive(on: .main), numbers.receive(on: .mainImmediate), numbers.receive(on: .queue(queue)),
      numbers.receive(on: .queue(.main)), numbers.receive(on: .qos(.utility)),
      numbers.debounce(for: .seconds(1), on: .main), numbers.debounce(for: .milliseconds(300), on: .queue(queue)),
      numbers.throttle(for: .seconds(1), on: .main, latest: true), numbers.delay(for: .seconds(0.5), on: .main),
      numbers.timeout(after: .seconds(1), on: .main),
      numbers.timeout(after: .seconds(1), on: .main, fallback: .just(0)),
      .interval(every: .seconds(1), on: .main), Signal.timer(after: .seconds(1), on: .main).map { 1 },
    ]
  }

  @Test("a search box")
  func searchBox() throws {
    let time = VirtualTimeScheduler()
    let text = Emitter<String>()
    let found = Mutex<[String]>([])
    let subscription = text.signal
      .map { $0.lowercased() }
      .removeDuplicates()
      .debounce(for: .milliseconds(300), on: time)
      .filter { $0.count > 1 }
      .flatMapLatest { Signal.just([$0, $0 + "!"]) }
      .map { $0.joined(separator: " ") }
      .receive(on: time)
      .subscribe { value in found.withLock { $0.append(value) } }
    text.send("A")
    text.send("AB")
    try time.advance(by: .seconds(1))
    withExtendedLifetime(subscription) { #expect(found.withLock { $0 } == ["ab ab!"]) }
    #expect(compiles(.never(), .global()).count == 13)
  }
}
