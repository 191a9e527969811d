import Probes
import Signals
import Testing

/// Operators with several inputs keep values of any types in memory of their own.
@Suite("inputs of several types")
struct InputTests {
  private struct Odd: Sendable, Equatable {
    var first: UInt8
    var second: UInt16
    var third: UInt8
  }

  /// A row that an operator made of its inputs; `withLatest` has only some of them here.
  private struct Row: Equatable, Sendable {
    enum Maker { case latest, zip, withLatest }

    let maker: Maker
    let byte: UInt8
    let text: String
    let flag: Bool
    let odd: Odd
    let number: Double?
    let vector: SIMD8<Double>?

    init(
      _ maker: Maker, _ byte: UInt8, _ text: String, _ flag: Bool, _ odd: Odd, _ number: Double? = nil,
      _ vector: SIMD8<Double>? = nil
    ) {
      self.maker = maker
      self.byte = byte
      self.text = text
      self.flag = flag
      self.odd = odd
      self.number = number
      self.vector = vector
    }
  }

  @Test("combineLatest, zip and withLatest give every element its value, however the tuple is laid out")
  func layouts() {
    let bytes = Emitter<UInt8>()
    let texts = Emitter<String>()
    let flags = Emitter<Bool>()
    let odd = Emitter<Odd>()
    let numbers = Emitter<Double?>()
    let vectors = Emitter<SIMD8<Double>>()
    let nothing = Emitter<Void>()
    let log = EventLog<Row>()
    let bag = DisposeBag()
    bag += combineLatest(
      bytes.signal, texts.signal, flags.signal, odd.signal, numbers.signal, vectors.signal, nothing.signal
    ).map { byte, text, flag, odd, number, vector, _ in Row(.latest, byte, text, flag, odd, number ?? -1, vector) }.log(
      to: log)
    bag += zip(
      bytes.signal, texts.signal, flags.signal, odd.signal, numbers.signal, vectors.signal, nothing.signal
    ).map { byte, text, flag, odd, number, vector, _ in Row(.zip, byte, text, flag, odd, number ?? -1, vector) }.log(
      to: log)
    bag += texts.signal.withLatest(from: bytes.signal, flags.signal, odd.signal)
      .map { text, byte, flag, odd in Row(.withLatest, byte, text, flag, odd) }.log(to: log)
    bytes.send(1)
    flags.send(true)
    let (first, long) = (Odd(first: 7, second: 300, third: 9), "a longer text that is not kept in place")
    odd.send(first)
    texts.send(long)
    numbers.send(nil)
    nothing.send()
    vectors.send(SIMD8(repeating: 2.5))
    #expect(
      log.values == [
        Row(.withLatest, 1, long, true, first),
        Row(.latest, 1, long, true, first, -1, SIMD8(repeating: 2.5)),
        Row(.zip, 1, long, true, first, -1, SIMD8(repeating: 2.5)),
      ])
    texts.send("b")
    numbers.send(4)
    bytes.send(2)
    flags.send(false)
    let second = Odd(first: 0, second: 65_535, third: 0)
    odd.send(second)
    vectors.send(.zero)
    nothing.send()
    #expect(log.values.last == Row(.zip, 2, "b", false, second, 4, .zero))
    #expect(log.values.contains(Row(.latest, 2, "b", false, second, 4, .zero)))
  }

  @Test("values are released once they are replaced, delivered, or the subscription ends")
  func releases() {
    let first = Emitter<LifeCount.Token>()
    let second = Emitter<LifeCount.Token>()
    let count = LifeCount()
    let latest = combineLatest(first.signal, second.signal).subscribe { _ in }
    first.send(count.token())
    first.send(count.token())
    second.send(count.token())
    #expect(count.alive == 2)
    latest.dispose()
    #expect(count.alive == 0)
    let rows = Box(0)
    let zipped = zip(first.signal, second.signal).subscribe { _ in rows.value += 1 }
    for _ in 0..<100 { first.send(count.token()) }
    #expect(count.alive == 100)
    for _ in 0..<40 { second.send(count.token()) }
    #expect(count.alive == 60 && rows.value == 40)
    zipped.dispose()
    #expect(count.alive == 0)
    let supplied = first.signal.withLatest(from: second.signal).subscribe { _ in throwAway() }
    second.send(count.token())
    first.send(count.token())
    supplied.dispose()
    #expect(count.alive == 0)
  }

  private func throwAway() {}

  @Test("inputs that send from several threads at once lose nothing")
  func racing() {
    let first = Emitter<String>()
    let second = Emitter<String>()
    let zips = EventLog<Int>()
    let latest = Box(0)
    let bag = DisposeBag()
    bag += zip(first.signal, second.signal).map { Int($0)! + Int($1)! }.log(to: zips)
    bag += combineLatest(first.signal, second.signal).subscribe { _, _ in latest.value += 1 }
    onThreads(2) { index in
      for number in 1...2_000 { (index == 0 ? first : second).send("\(number)") }
    }
    #expect(zips.values == (1...2_000).map { 2 * $0 })
    #expect((2_000...3_999).contains(latest.value))
  }
}
