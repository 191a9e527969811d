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

@Suite("spellings: one input")
struct OneInputSpellings {
  private let users = Signal<User>.sequence([User(), User(name: "Bob", age: 12, nick: "B")])
  private let numbers = Signal<Int>.sequence([1, 2, 3])
  private let pairs = Signal<(Int, String)>.sequence([(1, "a"), (2, "b")])

  @Test("map, filter and compactMap with closures and key paths")
  func stages() {
    #expect(values(users.map(\.name)) == ["Ann", "Bob"])
    #expect(values(users.map(\.name.count)) == [3, 3])
    #expect(values(users.map { $0.age + 1 }) == [31, 13])
    #expect(values(users.map { user in user.age > 17 }) == [true, false])
    #expect(values(users.compactMap(\.nick)) == ["B"])
    #expect(values(users.compactMap { $0.nick }.map(\.count)) == [1])
    #expect(values(users.map(\.name).filter(\.isEmpty)) == [])
    #expect(values(users.filter { $0.age > 17 }.map(\.name)) == ["Ann"])
    #expect(values(numbers.map(String.init)) == ["1", "2", "3"])
    #expect(values(numbers.map { "\($0)" }.compactMap { Int($0) }) == [1, 2, 3])
  }

  @Test("tuples")
  func tuples() {
    #expect(values(pairs.map { $0.1 }) == ["a", "b"])
    #expect(values(pairs.map(\.1)) == ["a", "b"])
    #expect(values(pairs.map { $1 }) == ["a", "b"])
    #expect(values(pairs.map { number, letter in letter + "\(number)" }) == ["a1", "b2"])
    #expect(values(pairs.filter { $0.0 > 1 }.map(\.1)) == ["b"])
    #expect(values(pairs.filter { number, _ in number > 1 }.map { $0.0 }) == [2])
    #expect(values(numbers.map { (number: $0, square: $0 * $0) }.map(\.square)) == [1, 4, 9])
  }

  @Test("operators with state")
  func state() {
    #expect(values(numbers.scan(0) { $0 + $1 }) == [1, 3, 6])
    #expect(values(numbers.scan(0, +)) == [1, 3, 6])
    #expect(values(numbers.scan { $0 * $1 }) == [1, 2, 6])
    #expect(values(numbers.scan("") { text, number in text + "\(number)" }) == ["1", "12", "123"])
    #expect(values(numbers.map { $0 / 2 }.removeDuplicates()) == [0, 1])
    #expect(values(users.removeDuplicates { $0.name.count == $1.name.count }.map(\.age)) == [30])
    #expect(values(numbers.prefix(2)) == [1, 2])
    #expect(values(numbers.dropFirst()) == [2, 3])
  }

  @Test("some of the values")
  func selection() {
    #expect(values(numbers.first()) == [1])
    #expect(values(numbers.first { $0 > 1 }) == [2])
    #expect(values(numbers.first(where: { $0 > 1 }).map { $0 + 1 }) == [3])
    #expect(values(users.first(where: \.name.isEmpty)) == [])
    #expect(values(numbers.last()) == [3])
    #expect(values(numbers.last { $0 < 3 }) == [2])
    #expect(values(numbers.element(at: 1)) == [2])
    #expect(values(numbers.suffix(2)) == [2, 3])
    #expect(values(numbers.prefix { $0 < 3 }) == [1, 2])
    #expect(values(numbers.prefix(while: { $0 < 3 }, inclusive: true).map { $0 * 2 }) == [2, 4, 6])
    #expect(values(numbers.drop { $0 < 3 }) == [3])
    #expect(values(numbers.drop(while: { $0 < 3 }).map { "\($0)" }) == ["3"])
    #expect(values(pairs.drop { number, _ in number < 2 }.map(\.1)) == ["b"])
    #expect(values(numbers.drop(untilOutputFrom: Signal.just("now")).prefix(1)) == [1])
    #expect(values(numbers.sample(by: Signal<Void>.never())) == [])
    #expect(values(users.removeDuplicates(by: \.name.count).map(\.name)) == ["Ann"])
    #expect(values(users.removeDuplicates(by: \.id).map(\.age)) == [30, 12])
    #expect(values(users.removeDuplicates(by: { $0.id == $1.id }).map(\.age)) == [30, 12])
    #expect(values(pairs.removeDuplicates(by: \.1).map { $0.0 }) == [1, 2])
    #expect(values(pairs.removeDuplicates(by: ==).map { $0.0 }) == [1, 2])
  }

  @Test("watching")
  func watching() {
    let count = Mutex(0)
    let add: @Sendable () -> Void = { count.withLock { $0 += 1 } }
    #expect(values(numbers.handle { _ in add() }.map { $0 + 1 }) == [2, 3, 4])
    #expect(values(numbers.handle(onFinish: add).prefix(3)) == [1, 2, 3])
    #expect(values(numbers.handle(onSubscribe: add, onValue: { _ in add() }, onDispose: add).first()) == [1])
    #expect(values(numbers.handle(onDispose: { add() })) == [1, 2, 3])
    #expect(values(numbers.breakpoint(onValue: { $0 > 9 }).map { $0 * 2 }) == [2, 4, 6])
    #expect(
      values(
        Signal<Int>.fail(CancellationError()).mapError { _ in TimeoutError(interval: .zero) }.replaceError(with: 1))
        == [1])
    #expect(values(Signal<Int?>.fail(CancellationError()).replaceError(with: nil)) == [nil])
    #expect(values(numbers.assertNoFailure()) == [1, 2, 3])
    #expect(count.withLock { $0 } == 6)
  }

  @Test("inner signals and failures")
  func inner() {
    #expect(values(numbers.flatMap { .just($0 * 2) } as Signal<Int>) == [2, 4, 6])
    #expect(values(numbers.flatMap { Signal.sequence([$0, $0]) }.prefix(3)) == [1, 1, 2])
    #expect(values(numbers.flatMapLatest { number in Signal.just("\(number)") }) == ["1", "2", "3"])
    #expect(values(Signal<Int>.fail(CancellationError()).catch { _ in .just(0) }) == [0])
    #expect(values(Signal<Int>.deferred { .just(1) }) == [1])
  }

  @Test("values before")
  func prepending() {
    #expect(values(numbers.prepend(0)) == [0, 1, 2, 3])
    #expect(values(numbers.prepend(-1, 0)) == [-1, 0, 1, 2, 3])
    #expect(values(numbers.prepend([-1, 0])) == [-1, 0, 1, 2, 3])
    #expect(values(numbers.prepend(-1...0)) == [-1, 0, 1, 2, 3])
    #expect(values(numbers.prepend(contentsOf: [0])) == [0, 1, 2, 3])
    #expect(values(Signal.just([2]).prepend([1])) == [[1], [2]])
    #expect(values(Signal.just([2]).prepend([])) == [[], [2]])
    #expect(values(Signal.just([2]).prepend([[0], [1]])) == [[0], [1], [2]])
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
    #expect(values(a.combineLatest(b).map { $0.1 }) == [2])
    #expect(values(a.combineLatest(b).map(\.1).map { $0 + 1 }) == [3])
    #expect(values(a.combineLatest(b).map { $0 + $1 }) == [3])
    #expect(values(a.combineLatest(b).map(+)) == [3])
    #expect(values(a.combineLatest(b).map { Swift.max($0.0, $0.1) }) == [2])
    #expect(values(a.combineLatest(c).map { number, text in text + "\(number)" }) == ["c1"])
    #expect(values(a.combineLatest(b).filter { $0.0 < $0.1 }.map { $0.0 }) == [1])
    #expect(values(a.combineLatest(b).filter { $0 < $1 }.map(\.0)) == [1])
    #expect(values(a.combineLatest(c).compactMap { $0.1.first }) == ["c"])
    #expect(values(a.combineLatest(b).scan(0) { $0 + $1.0 + $1.1 }) == [3])
    #expect(values(a.combineLatest(b).flatMapLatest { Signal.just($0.0 + $0.1) }) == [3])
    #expect(values(a.combineLatest(b).flatMap { first, second in Signal.just(first + second) }) == [3])
    #expect(values(a.combineLatest(b).removeDuplicates(by: ==).map { $0.0 }) == [1])
    #expect(values(a.combineLatest(.just("x")).map { $0.1 }) == ["x"])
    #expect(values(a.combineLatest(b).combineLatest(c).map { $0.0.1 + $0.1.count }) == [3])
    #expect(values(a.combineLatest(b).combineLatest(c).map { pair, text in pair.0 + text.count }) == [2])
    #expect(values(combineLatest(a, b).map { $0.1 }.removeDuplicates()) == [2])
    #expect(values(combineLatest(a, c).map(\.1)) == ["c"])
    let sum = Property(0)
    let bag = DisposeBag()
    a.combineLatest(b).subscribe { sum.value += $0.1 }.store(in: bag)
    a.combineLatest(b).subscribe { first, second in sum.value += first + second }.store(in: bag)
    combineLatest(a, b).handle { sum.value += $0.0 }.subscribe().store(in: bag)
    #expect(sum.value == 2 + 3 + 1)
  }

  @Test("zip of two")
  func pairsOfTwo() {
    #expect(values(a.zip(b).map { $0.1 }) == [2])
    #expect(values(a.zip(c).map(\.1)) == ["c"])
    #expect(values(a.zip(b).map { $0 + $1 }.map { $0 * 2 }) == [6])
    #expect(values(zip(a, b).map { $0.1 }.removeDuplicates()) == [2])
    #expect(values(zip(a, b).filter { $0.0 < $0.1 }.map(\.1)) == [2])
    #expect(values(zip(a, c).map { number, text in text + "\(number)" }) == ["c1"])
  }

  @Test("withLatest(from:) of one other")
  func latestFromOne() {
    #expect(values(a.withLatest(from: b).map { $0.1 }) == [2])
    #expect(values(a.withLatest(from: c).map(\.1)) == ["c"])
    #expect(values(a.withLatest(from: c).filter { $0.1.count == 1 }.map(\.1.count)) == [1])
    #expect(values(a.withLatest(from: b).map { $0 + $1 }) == [3])
    #expect(values(a.withLatest(from: b).map { first, _ in first }) == [1])
  }

  @Test("three and more")
  func more() {
    #expect(values(a.combineLatest(b, c).map { $0.1 }) == [2])
    #expect(values(a.combineLatest(b, c).map(\.2)) == ["c"])
    #expect(values(a.combineLatest(b, c).map { ($0.0, $0.2) }.map(\.1)) == ["c"])
    // Outside the macro, as it takes the type checker four seconds inside.
    let sums = a.combineLatest(b, c).map { $0 + $1 + $2.count }
    #expect(values(sums) == [4])
    #expect(values(a.combineLatest(b, c).filter { $0.0 < $0.1 }.map { $0.2 }) == ["c"])
    #expect(values(combineLatest(a, b, c).map { _, _, text in text }) == ["c"])
    #expect(values(zip(a, b, c).map { $0.2 }) == ["c"])
    #expect(values(a.zip(b, c).map(\.2)) == ["c"])
    #expect(values(a.withLatest(from: b, c).map { $0.2 }) == ["c"])
    #expect(values(a.combineLatest(b, c, d).map { $3 }) == [0.5])
    #expect(values(a.combineLatest(b, c, d).map { _, _, _, last in last }.map { $0 * 2 }) == [1])
    #expect(values(combineLatest(a, b, c, d, a).map { $4 + $0 }) == [2])
    #expect(values(zip(a, b, c, d).map { $0.0 + $0.1 }) == [3])
  }

  @Test("any number, in a function that is generic over a pack")
  func packs() {
    func firsts<each Value: Sendable>(_ signals: repeat Signal<each Value>) -> Signal<(repeat each Value)> {
      combineLatest(all: repeat each signals).prefix(1)
    }
    #expect(values(firsts(a, c).map { number, text in text + "\(number)" }) == ["c1"])
    #expect(values(combineLatest(all: a)) == [1])
    #expect(values(zip(all: a)) == [1])
  }

  @Test("rows of one type")
  func rows() {
    #expect(values(combineLatest([a, b])) == [[1, 2]])
    #expect(values(combineLatest([a, b]).map { $0.reduce(0, +) }) == [3])
    #expect(values(combineLatest([first, second].map(\.signal)).map(\.count)) == [2])
    #expect(values(merge(a, b)) == [1, 2])
    #expect(values(Signal.merge(a, b)) == [1, 2])
    #expect(values(Signal.merge([a, b]).map { $0 + 1 }) == [2, 3])
    #expect(values(a.merge(with: b, .just(3))) == [1, 2, 3])
    #expect(values(Signal.just(1).concat(.just(2), .just(3))) == [1, 2, 3])
    #expect(values(Signal.just(1).concat(b.prefix(1)).map { $0 * 2 }) == [2, 4])
    #expect(values(Signal.concat(.just(1), .just(2))) == [1, 2])
    #expect(values(Signal.concat([.just(1), .just(2)])) == [1, 2])
    #expect(values(Signal<Int>.merge([])) == [])
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
