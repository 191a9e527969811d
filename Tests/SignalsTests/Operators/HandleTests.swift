import SignalTesting
import Signals
import Testing

/// Calls closures when things pass, and passes everything on unchanged.
@Suite("handle")
struct HandleTests {
  private enum Call: Equatable, Sendable {
    case subscribed, connected, value(String), received(String), failed(Failure?), finished
  }

  private let calls = Journal<Call>()

  /// The signal with all closures; that for values throws for x.
  private func watched(_ signal: Signal<String>) -> Signal<String> {
    signal.handle(
      onSubscribe: { [calls] in calls.append(.subscribed) },
      onValue: { [calls] letter in
        if letter == "x" { throw Failure(number: 2) }
        calls.append(.value(letter))
      },
      onFailure: { [calls] in calls.append(.failed($0 as? Failure)) },
      onFinish: { [calls] in calls.append(.finished) })
  }

  @Test("values and the end pass unchanged, at their own moments, and the closures are told")
  func values() {
    marbles { m in
      let letters = m.hot("               -a-b-|")
      m.expect(watched(letters.signal), " -a-b-|")
      m.expectSubscriptions(of: letters, "^----!")
    }
    #expect(calls.entries == [.subscribed, .value("a"), .value("b"), .finished])
  }

  @Test("a failure passes unchanged, and its closure is told")
  func failure() {
    marbles { m in
      let letters = m.hot("              -a-#", error: Failure(number: 1))
      m.expect(watched(letters.signal), "-a-#", error: Failure(number: 1))
    }
    #expect(calls.entries == [.subscribed, .value("a"), .failed(Failure(number: 1))])
  }

  @Test("each closure is called before what is above or below: subscribe before the source, a value before its handler")
  func order() {
    let source = Signal<String> { [calls] producer in
      calls.append(.connected)
      producer.send("a")
      producer.finish()
    }
    let below = watched(source).handle { [calls] in calls.append(.received($0)) }
    below.subscribe { _ in }.dispose()
    #expect(calls.entries == [.subscribed, .connected, .value("a"), .received("a"), .finished])
  }

  @Test("Laws 9 and 11: what the closure throws is the failure, and the source is left; only what is below is told")
  func throwing() {
    marbles { m in
      let letters = m.hot("               -a-x-b-|")
      m.expect(watched(letters.signal), " -a-#", error: Failure(number: 2))
      m.expectSubscriptions(of: letters, "^--!")
    }
    // `onFailure` is for failures of what is above.
    #expect(calls.entries == [.subscribed, .value("a")])
  }

  @Test("with a lone closure: told of each value; what it throws is the failure")
  func lone() {
    marbles { m in
      let letters = m.hot("               -a-x-b-|")
      let result = letters.signal.handle { [calls] letter in
        if letter == "x" { throw Failure(number: 2) }
        calls.append(.value(letter))
      }
      m.expect(result, "                  -a-#", error: Failure(number: 2))
      m.expectSubscriptions(of: letters, "^--!")

      let good = m.hot("                     -a-b-|")
      m.expect(good.signal.handle { _ in }, "-a-b-|")
    }
    #expect(calls.entries == [.value("a")])
  }

  @Test("without closures nothing changes; nor with values inside subscribe, only the end, or nothing")
  func nothing() {
    marbles { m in
      let letters = m.hot("              -a-#", error: Failure(number: 1))
      m.expect(letters.signal.handle(), "-a-#", error: Failure(number: 1))

      let atOnce = m.cold("             {ab}-c|")
      m.expect(watched(atOnce.signal), "{ab}-c|")

      let empty = m.hot("              --|")
      m.expect(watched(empty.signal), "--|")

      let never = m.hot("              ----")
      m.expect(watched(never.signal), "----")
    }
  }

  @Test("Law 7: after an early disposal no closure is called, and the source is left at that moment")
  func disposal() {
    marbles { m in
      let letters = m.hot("               -a-b-c-|")
      m.expect(watched(letters.signal), " -a-b----", subscription: "^---!")
      m.expectSubscriptions(of: letters, "^---!")
    }
    #expect(calls.entries == [.subscribed, .value("a"), .value("b")])
  }

  @Test("every subscription is told of")
  func subscriptions() {
    marbles { m in
      let letters = m.hot("-a-|")
      let result = watched(letters.signal)
      m.expect(result, "   -a-|")
      m.expect(result, "   ---|", subscription: "--^")
    }
    #expect(calls.entries == [.subscribed, .value("a"), .subscribed, .finished, .finished])
  }

  @Test("an endless source is read as far as somebody takes values")
  func endless() {
    marbles { m in
      m.expect(
        watched(Signal.sequence(1...).map { "\($0)" }).prefix(2),
        "{12|}")
    }
    // The end is made below.
    #expect(calls.entries == [.subscribed, .value("1"), .value("2")])
  }
}
