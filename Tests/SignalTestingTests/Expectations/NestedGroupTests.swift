import SignalTesting
import Signals
import Testing

/// Groups in the place of signals of signals.
@Suite struct NestedGroupTests {
  @Test func groupsAreExpectedAsTheyCome() {
    marbles { m in
      let numbers = m.hot("-1-2-3-|", of: Int.self)
      m.expectNested(numbers.signal.grouped { $0 % 2 }, "-o-e---|", signals: ["o": "1---3-|", "e": "2---|"])
      m.expectNested(
        numbers.signal.grouped { $0 % 2 }, "-o-e---|", signals: ["o": "x---y-|", "e": "z---|"],
        values: ["x": 1, "y": 3, "z": 2])
    }
  }

  @Test func aGroupThatDiffersFails() {
    let message = failure(offset: 3) {
      marbles { m in
        let numbers = m.hot("-1-2-3-|", of: Int.self)
        m.expectNested(numbers.signal.grouped { $0 % 2 }, "-o-e---|", signals: ["o": "1---5-|", "e": "2---|"])
      }
    }
    #expect(message.contains("the signal o, in time since it came:"), "\(message)")
  }

  @Test func emptyDiagramOfASignalIsNamed() {
    let message = failure(offset: 3) {
      marbles { m in
        let numbers = m.hot("-1-2-3-|", of: Int.self)
        m.expectNested(numbers.signal.grouped { $0 % 2 }, "-o-e---|", signals: ["o": "1---3-|", "e": ""])
      }
    }
    #expect(message.contains("the diagram of \"e\" in signals: is empty"), "\(message)")
  }

  @Test func keyThatNoSignalUsesFails() {
    let message = failure(offset: 4) {
      marbles { m in
        let numbers = m.hot("-1-2-3-|", of: Int.self)
        m.expectNested(
          numbers.signal.grouped { $0 % 2 }, "-o-e---|", signals: ["o": "x---y-|", "e": "z---|"],
          values: ["x": 1, "y": 3, "z": 2, "unused": 4])
      }
    }
    #expect(message.contains("No diagram of the signals uses 'unused'."), "\(message)")
  }

  @Test func errorsOfSignalsAreExpected() {
    struct Refused: Error, Equatable { var code: Int }
    func run(_ code: Int) {
      marbles { m in
        let inner = m.cold("-1-#", error: Refused(code: 1))
        let outer = m.cold("-x-#", values: ["x": inner.signal], error: Refused(code: 2))
        m.expectNested(
          outer.signal, "-x-#outer", signals: ["x": "-1-#"], error: Refused(code: code),
          errors: ["outer": Refused(code: 2)])
      }
    }
    run(1)
    #expect(issuesOf { run(3) }.count == 1)
  }
}
