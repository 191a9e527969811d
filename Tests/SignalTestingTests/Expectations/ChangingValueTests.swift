import SignalTesting
import Signals
import Synchronization
import Testing

/// Values that change after they were sent.
@Suite struct ChangingValueTests {
  /// An object whose `==` is that of its content.
  final class Counter: Equatable, Sendable, CustomStringConvertible {
    private let content: Mutex<Int>

    init(_ count: Int) { content = Mutex(count) }

    var count: Int {
      get { content.withLock { $0 } }
      set { content.withLock { $0 = newValue } }
    }

    var description: String { "Counter(\(count))" }

    static func == (left: Counter, right: Counter) -> Bool { left.count == right.count }
  }

  struct Holder: Equatable, Sendable {
    var counters: [Counter]
  }

  /// Sends an object that holds 1, which holds 2 at the end.
  private func changing<Value>(_ m: MarbleTest, _ value: @escaping (Counter) -> Value) -> Signal<Value> {
    let counter = Counter(1)
    let emitter = Emitter<Value>()
    let sent = value(counter)
    m.at(.milliseconds(1)) { emitter.send(sent) }
    m.at(.milliseconds(2)) { counter.count = 2 }
    return emitter.signal
  }

  @Test func objectIsComparedWhenItArrives() {
    marbles { m in m.expect(changing(m) { $0 }, "-x", values: ["x": Counter(1)]) }
    let message = failure {
      marbles { m in m.expect(changing(m) { $0 }, "-x", values: ["x": Counter(2)]) }
    }
    #expect(message.contains("expected x = Counter(2), got a = Counter(1)"), "\(message)")
    #expect(message.contains("It arrived as Counter(1) and is Counter(2) now."), "\(message)")
  }

  @Test func changeThatTheDescriptionHidesIsNamed() {
    /// An object without its state in its description.
    struct Sealed: Equatable, Sendable, CustomStringConvertible, CustomReflectable {
      var counter: Counter
      var description: String { "Sealed" }
      var customMirror: Mirror { Mirror(self, children: []) }
    }
    let message = failure {
      marbles { m in m.expect(changing(m) { Sealed(counter: $0) }, "-x", values: ["x": Sealed(counter: Counter(2))]) }
    }
    #expect(message.contains("It differed when it arrived, and is equal now."), "\(message)")
    #expect(!message.contains("== returns false"), "\(message)")
  }

  @Test func objectInAStructureIsComparedWhenItArrives() {
    marbles { m in
      m.expect(changing(m) { Holder(counters: [$0]) }, "-x", values: ["x": Holder(counters: [Counter(1)])])
    }
    let message = failure(offset: 3) {
      marbles { m in
        m.expect(
          changing(m) { Holder(counters: [$0]) }, "-x", values: ["x": Holder(counters: [Counter(2)])])
      }
    }
    #expect(message.contains("got a = Holder(counters: [Counter(1)])"), "\(message)")
  }

  @Test func predicateSeesTheValueAtItsTime() {
    marbles { m in m.expect(changing(m) { $0 }, "-x", matching: ["x": { $0.count == 1 }]) }
    #expect(
      issuesOf { marbles { m in m.expect(changing(m) { $0 }, "-x", matching: ["x": { $0.count == 2 }]) } }.count == 1)
  }

  @Test func predicateIsNotCalledWithValuesOfOtherKeys() {
    marbles { m in
      let source = m.hot("-a-b-(c & d)", values: ["a": [], "b": [1], "c": [3], "d": [2]])
      m.expect(
        source.signal, "-x-y-(z & v)",
        matching: ["x": \.isEmpty, "y": { $0[0] == 1 }, "z": { $0[0] == 2 }, "v": { $0[0] == 3 }])
    }
  }

  @Test func objectsInAnyOrderAreComparedWhenTheyArrive() {
    func run(_ keys: [String: Counter]) {
      marbles { m in
        let counters = [Counter(1), Counter(2)]
        let emitter = Emitter<Counter>()
        m.at(.milliseconds(1)) {
          emitter.send(counters[0])
          emitter.send(counters[1])
        }
        m.at(.milliseconds(2)) { for counter in counters { counter.count += 10 } }
        m.expect(emitter.signal, "-(y & x)", values: keys)
      }
    }
    run(["x": Counter(1), "y": Counter(2)])
    #expect(issuesOf { run(["x": Counter(11), "y": Counter(12)]) }.count == 1)
  }

  @Test func objectInANestedSignalIsComparedWhenItArrives() {
    func run(_ expected: Int) {
      marbles { m in
        let inner = changing(m) { $0 }
        m.expectNested(Signal.just(inner), "{s|}", signals: ["s": "-x"], values: ["x": Counter(expected)])
      }
    }
    run(1)
    #expect(issuesOf { run(2) }.count == 1)
  }

  @Test func identityStaysIdentity() {
    final class Model: Equatable, Sendable {
      let count = Mutex(0)
      static func == (left: Model, right: Model) -> Bool { left === right }
    }
    let model = Model()
    marbles { m in
      let source = m.hot("-a", values: ["a": model])
      m.at(.milliseconds(2)) { model.count.withLock { $0 += 1 } }
      m.expect(source.signal, "-x", values: ["x": model])
    }
  }

  @Test func manyObjectsInANestedSignalAreComparedWhenTheyArrive() {
    marbles { m in
      let counters = (1...210).map { _ in Counter(1) }
      let emitter = Emitter<Counter>()
      m.at(.milliseconds(1)) { for counter in counters { emitter.send(counter) } }
      m.at(.milliseconds(2)) { for counter in counters { counter.count = 2 } }
      let diagram = "-(\(String(repeating: "x", count: counters.count)))"
      m.expectNested(Signal.just(emitter.signal), "{s|}", signals: ["s": diagram], values: ["x": Counter(1)])
    }
  }
}
