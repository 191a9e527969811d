import Foundation
import Probes
import SignalTesting
import Signals
import Testing

/// Stops in the debugger when a condition holds.
@Suite("breakpoint")
struct BreakpointTests {
  @Test("while no condition holds, everything passes unchanged, and all are asked")
  func values() {
    let asked = Journal<String>()
    func watched(_ signal: Signal<String>) -> Signal<String> {
      signal.breakpoint(
        onSubscribe: {
          asked.append("subscribed"); return false
        },
        onValue: {
          asked.append($0); return false
        },
        onFailure: { _ in
          asked.append("failed"); return false
        },
        onFinish: {
          asked.append("finished"); return false
        })
    }
    marbles { m in
      let letters = m.hot("               -a-b-|")
      m.expect(watched(letters.signal), " -a-b-|")
      m.expectSubscriptions(of: letters, "^----!")
    }
    #expect(asked.entries == ["subscribed", "a", "b", "finished"])
    marbles { m in
      let failing = m.hot("                   -a-#", error: Failure(number: 1))
      m.expect(watched(failing.signal), "     -a-#", error: Failure(number: 1))
      let plain = m.hot("                     -a-#", error: Failure(number: 1))
      m.expect(plain.signal.breakpoint(), "   -a-#", error: Failure(number: 1))
    }
    #expect(asked.entries.suffix(3) == ["subscribed", "a", "failed"])
  }

  @Test("Law 11: what the closure throws is the failure")
  func throwing() {
    marbles { m in
      let letters = m.hot("-a-b-|")
      let result = letters.signal.breakpoint(onValue: { letter in
        if letter == "b" { throw Failure(number: 2) }
        return false
      })
      m.expect(result, "   -a-#", error: Failure(number: 2))
    }
  }

  enum Moment: String, CaseIterable, Codable {
    case subscribe, value, failure, finish
  }

  @Test("where a condition holds the process is stopped by SIGTRAP", arguments: Moment.allCases)
  func stopping(at moment: Moment) async {
    await #expect(processExitsWith: .signal(SIGTRAP)) { [moment] in
      let source = moment == .failure ? Signal<Int>.fail(Failure()) : .just(1)
      source.breakpoint(
        onSubscribe: { moment == .subscribe },
        onValue: { $0 == 1 && moment == .value },
        onFailure: { _ in moment == .failure },
        onFinish: { moment == .finish }
      ).subscribe(onFailure: { _ in }).dispose()
    }
  }
}
