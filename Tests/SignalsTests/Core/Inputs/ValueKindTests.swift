import Probes
import Signals
import Testing

/// Values travel through memory that the library manages: their size, layout and kind must not matter, nor whether the compiler knows them.
@Suite("values of every kind")
struct ValueKindTests {
  private struct Three: Sendable { var bytes: (UInt8, UInt8, UInt8) }
  private struct Five: Sendable { var number: UInt32, byte: UInt8 }
  private struct Six: Sendable { var byte: UInt8, number: UInt32, last: UInt8 }
  private struct Sixteen: Sendable { var first: Int, second: Int }
  private struct Seventeen: Sendable { var first: Int, second: Int, byte: UInt8 }
  private struct Forty: Sendable { var numbers: (Int, Int, Int, Int, Int) }
  private struct SixtyFour: Sendable { var text: String, numbers: (Int, Int, Int, Int, Int, Int) }
  private struct SixtyFive: Sendable { var text: String, numbers: (Int, Int, Int, Int, Int, Int), byte: UInt8 }
  private struct Empty: Sendable {}
  private enum Single: Sendable { case only }
  private enum Payload: Sendable {
    indirect case nested(Payload)
    case text(String), number(Int), nothing
  }
  private protocol Named: Sendable { var name: String { get } }
  private protocol Shared: AnyObject, Sendable { var name: String { get } }
  private final class Object: Shared, Named {
    let name: String
    init(_ name: String) { self.name = name }
  }
  private struct Big: Named {
    let name: String
    let numbers = (1, 2, 3, 4, 5, 6, 7)
  }
  /// Cannot be moved bit by bit: the runtime knows where a weak reference is.
  // Safe: the test has it on one thread.
  private struct Weak: @unchecked Sendable {
    weak var object: Object?
    var number: Int
  }

  private static func each(_ check: ValueCheck) {
    let objects = (0..<40).map { Object("object \($0)") }
    check("Void", [(), ()]) { _ in "void" }
    check("empty struct", [Empty(), Empty()]) { _ in "empty" }
    check("single case", [Single.only]) { "\($0)" }
    check("never nil", [Empty?.some(Empty()), nil]) { $0 == nil ? "nil" : "empty" }
    check("3 bytes", (0..<40).map { Three(bytes: (UInt8($0), 255, UInt8($0) + 7)) }) { "\($0.bytes)" }
    check("5 bytes", (0..<40).map { Five(number: .max - UInt32($0), byte: UInt8($0)) }) { "\($0)" }
    check("9 bytes", (0..<40).map { Six(byte: UInt8($0), number: .max - UInt32($0), last: 3) }) { "\($0)" }
    check("16 bytes", (0..<40).map { Sixteen(first: $0, second: -$0) }) { "\($0)" }
    check("17 bytes", (0..<40).map { Seventeen(first: $0, second: -$0, byte: UInt8($0)) }) { "\($0)" }
    check("40 bytes", (0..<40).map { Forty(numbers: ($0, 1, 2, 3, -$0)) }) { "\($0.numbers)" }
    check(
      "64 bytes", (0..<40).map { SixtyFour(text: "a text that is on the heap \($0)", numbers: ($0, 1, 2, 3, 4, 5)) }
    ) {
      "\($0.text) \($0.numbers)"
    }
    check(
      "65 bytes",
      (0..<40).map { SixtyFive(text: "a text that is on the heap \($0)", numbers: ($0, 1, 2, 3, 4, 5), byte: 255) }
    ) { "\($0.text) \($0.numbers) \($0.byte)" }
    check("aligned to 32 bytes", (0..<40).map { SIMD4<Double>(repeating: Double($0)) }) { "\($0)" }
    check("aligned to 64 bytes", (0..<40).map { (UInt8($0), SIMD8<Double>(repeating: Double($0))) }) { "\($0)" }
    check("payloads", [Payload.nested(.nested(.text("deep"))), .number(3), .nothing, .text("a")]) { "\($0)" }
    check("optionals of optionals", [Int???.none, .some(.none), .some(.some(.none)), 4]) { "\($0 as Any)" }
    check("optional objects", objects.map { Optional($0) } + [nil]) { $0?.name ?? "nil" }
    check("functions", (0..<40).map { number in { @Sendable (more: Int) in number + more } }) { "\($0(1))" }
    check("metatypes", [Int.self, String.self] as [any Sendable.Type]) { "\($0)" }
    check("existentials", objects.map { $0 as any Named } + [Big(name: "big")]) { $0.name }
    check("class existentials", objects.map { $0 as any Shared }) { $0.name }
    check("anything", ["a", 1, objects[0].name, Forty(numbers: (1, 2, 3, 4, 5))] as [any Sendable]) { "\($0)" }
    check("errors", [Failure(number: 1), StopDelivery(), TimeoutError(interval: .seconds(1))] as [any Error]) {
      "\($0)"
    }
    check("weak references", objects.enumerated().map { Weak(object: $1, number: $0) }) {
      "\($0.object?.name ?? "gone") \($0.number)"
    }
    check("arrays", (0..<40).map { [$0, $0 + 1] }) { "\($0)" }
    check("large tuples", (0..<40).map { ($0, "text \($0)", SIMD64<Double>(repeating: Double($0))) }) { "\($0)" }
    withExtendedLifetime(objects) {}
  }

  /// A check for any type of values.
  private struct ValueCheck {
    let body: any ValueCheckBody
    func callAsFunction<Value: Sendable>(
      _ name: String, _ values: [Value], _ text: @escaping @Sendable (Value) -> String
    ) {
      body.check(name, values, text)
    }
  }

  private protocol ValueCheckBody {
    func check<Value: Sendable>(_ name: String, _ values: [Value], _ text: @escaping @Sendable (Value) -> String)
  }

  /// A value that came out of a chain.
  private struct Passed: Equatable, Sendable {
    enum Chain { case emitter, long, shared, scan, memory }

    var chain: Chain
    var text: String
  }

  private struct Chains: ValueCheckBody {
    // As in a library whose callers' types it does not know.
    @_semantics("optimize.sil.specialize.generic.never")
    @inline(never)
    func check<Value: Sendable>(_ name: String, _ values: [Value], _ text: @escaping @Sendable (Value) -> String) {
      let emitter = Emitter<Value>()
      let memory = Emitter<Value>(replay: 2)
      let log = EventLog<Passed>()
      let bag = DisposeBag()
      let steps: @Sendable (Signal<Value>) -> Signal<Value> = { signal in
        signal.filter { _ in true }.map { ($0, UInt8(1)) }.handle { _ in }.compactMap { $0.1 == 1 ? $0.0 : nil }
          .map { Optional($0) }.map { [$0] }.compactMap { $0[0] }
      }
      var long = steps(emitter.signal)
      for _ in 0..<70 { long = long.map { $0 } }
      bag += steps(emitter.signal).map { Passed(chain: .emitter, text: text($0)) }.log(to: log)
      bag += long.map { Passed(chain: .long, text: text($0)) }.log(to: log)
      bag += steps(memory.signal).map { Passed(chain: .memory, text: text($0)) }.log(to: log)
      bag += steps(steps(emitter.signal).share(replay: 1)).map { Passed(chain: .shared, text: text($0)) }.log(to: log)
      bag += steps(emitter.signal.scan(values[0]) { $1 }).map { Passed(chain: .scan, text: text($0)) }.log(to: log)
      for value in values {
        emitter.send(value)
        memory.send(value)
      }
      let expected = values.map(text).flatMap { text in
        [Passed.Chain.emitter, .long, .shared, .scan, .memory].map { Passed(chain: $0, text: text) }
      }
      #expect(log.values == expected, "\(name)")
      let late = EventLog<String>()
      bag += steps(memory.signal).map(text).log(to: late)
      bag += steps(.just(values[0])).map(text).log(to: late)
      #expect(late.values == values.suffix(2).map(text) + [text(values[0])], "\(name)")
    }
  }

  private struct Properties: ValueCheckBody {
    @_semantics("optimize.sil.specialize.generic.never")
    @inline(never)
    func check<Value: Sendable>(_ name: String, _ values: [Value], _ text: @escaping @Sendable (Value) -> String) {
      let property = Property(values[0])
      let log = EventLog<String>()
      let changes = EventLog<String>()
      let bag = DisposeBag()
      bag += property.signal.map { $0 }.map(text).log(to: log)
      bag += property.changes.filter { _ in true }.map(text).log(to: changes)
      bag += property.signal.subscribe { [unowned property] value in
        if text(property.value) != text(value) { Issue.record("\(name): \(text(property.value)) in \(text(value))") }
      }
      for value in values {
        property.value = value
        #expect(text(property.value) == text(value), "\(name)")
        property.update { $0 = values[0] }
        #expect(text(property.value) == text(values[0]), "\(name)")
      }
      let expected = values.flatMap { [text($0), text(values[0])] }
      #expect(changes.values == expected, "\(name)")
      #expect(log.values == [text(values[0])] + expected, "\(name)")
    }
  }

  private struct Rows: ValueCheckBody {
    @_semantics("optimize.sil.specialize.generic.never")
    @inline(never)
    func check<Value: Sendable>(_ name: String, _ values: [Value], _ text: @escaping @Sendable (Value) -> String) {
      let last = text(values[values.count - 1])
      let number = values.count - 1
      let zipped = run(values, text) { emitter, bytes, _ in
        zip(emitter, bytes, emitter.map { $0 }).map { [text($0.0), "\($0.1)", text($0.2)] }
      }
      #expect(zipped == values.enumerated().map { [text($1), "\($0)", text($1)] }, "\(name)")
      let latest = run(values, text) { emitter, bytes, property in
        combineLatest(bytes, emitter, bytes, property, emitter.map { $0 })
          .map { a, b, c, d, e in ["\(a)", text(b), "\(c)", text(d), text(e)] }
      }
      #expect(latest.last == ["\(number)", last, "\(number)", last, last], "\(name)")
      let with = run(values, text) { emitter, bytes, property in
        bytes.withLatest(from: property, bytes, emitter).map { a, b, c, d in ["\(a)", text(b), "\(c)", text(d)] }
      }
      #expect(with.last == ["\(number)", last, "\(number)", last], "\(name)")
      let alone = run(values, text) { emitter, bytes, _ in
        zip(combineLatest(all: emitter), bytes).map { first, _ in [text(first)] }
      }
      #expect(alone == values.map { [text($0)] }, "\(name)")
    }

    private func run<Value: Sendable>(
      _ values: [Value], _ text: @escaping @Sendable (Value) -> String,
      _ make: (Signal<Value>, Signal<UInt8>, Signal<Value>) -> Signal<[String]>
    ) -> [[String]] {
      let emitter = Emitter<Value>()
      let bytes = Emitter<UInt8>()
      let property = Property(values[0])
      let log = EventLog<[String]>()
      let isFirst = Box(true)
      let subscription = make(emitter.signal, bytes.signal, property.signal).subscribe { row in
        log.append(.value(row))
        guard isFirst.value else { return }
        isFirst.value = false
        // These come while a row is being delivered, so they wait outside the operator's own memory.
        for value in values.dropFirst() { emitter.send(value) }
        for value in values.reversed() { property.value = value }
        property.value = values[values.count - 1]
        for number in 1..<max(1, values.count) { bytes.send(UInt8(number)) }
      }
      emitter.send(values[0])
      bytes.send(0)
      subscription.dispose()
      return log.values
    }
  }

  @Test("chains of joined stages pass on what was sent")
  func chains() { Self.each(ValueCheck(body: Chains())) }

  @Test("Law 12: properties give back what was written")
  func properties() { Self.each(ValueCheck(body: Properties())) }

  @Test("operators of several inputs give every element its value, also while others wait")
  func rows() { Self.each(ValueCheck(body: Rows())) }
}
