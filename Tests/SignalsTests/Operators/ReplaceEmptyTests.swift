import Probes
import SignalTesting
import Signals
import Testing

/// Delivers a value at the end if there was none.
@Suite("replaceEmpty")
struct ReplaceEmptyTests {
  @Test("a source without a value gets one, with the end; others are as they are")
  func values() {
    marbles { m in
      let empty = m.hot("                             --|")
      m.expect(empty.signal.replaceEmpty(with: "x"), "--(x|)")
      m.expectSubscriptions(of: empty, "              ^-!")

      let letters = m.hot("                             -a-b|")
      m.expect(letters.signal.replaceEmpty(with: "x"), "-a-b|")

      let atOnce = m.cold("                            {|}")
      m.expect(atOnce.signal.replaceEmpty(with: "x"), "{x|}")
    }
  }

  @Test("each subscription looks for itself")
  func subscriptions() {
    marbles { m in
      let letters = m.hot("-a---|")
      let result = letters.signal.replaceEmpty(with: "x")
      m.expect(result, "   -a---|")
      m.expect(result, "   -----(x|)", subscription: "--^")
    }
  }

  @Test("without an end, and after a failure, it does not come")
  func nothing() {
    marbles { m in
      let never = m.hot("                             ----")
      m.expect(never.signal.replaceEmpty(with: "x"), "----")

      let failing = m.hot("                             --#", error: Failure(number: 1))
      m.expect(failing.signal.replaceEmpty(with: "x"), "--#", error: Failure(number: 1))
    }
  }

  @Test("Law 7: after an early disposal nothing comes, and the source is left at that moment")
  func disposal() {
    marbles { m in
      let empty = m.hot("               ----|")
      m.expect(empty.signal.replaceEmpty(with: "x"), "-----", subscription: "^--!")
      m.expectSubscriptions(of: empty, "^--!")
    }
  }

  @Test("Law 7: who disposes when it comes is not told of the end; law 11: what a handler throws at it is the failure")
  func atTheEnd() {
    let log = EventLog<Int>()
    let kept = Box<Subscription?>(nil)
    let emitter = Emitter<Int>()
    kept.value = emitter.signal.replaceEmpty(with: 5).subscribeToEvents { event in
      log.append(event)
      kept.value?.dispose()
    }
    emitter.finish()
    #expect(log.events == [.value(5)])

    let failures = EventLog<Int>()
    let failed = Signal<Int>.empty().replaceEmpty(with: 5).map { _ -> Int in throw Failure(number: 2) }.log(
      to: failures)
    #expect(failures.events == [.failed(Failure(number: 2))])
    #expect(failed.isDisposed)
  }

  @Test("Law 2: a value that is sent by the handler of one counts, whatever ends the source")
  func reentrant() {
    let emitter = Emitter<Int>()
    let log = EventLog<Int>()
    let subscription = emitter.signal.replaceEmpty(with: 5).handle { _ in emitter.finish() }.log(to: log)
    emitter.send(1)
    #expect(log.events == [.value(1), .finished])
    #expect(subscription.isDisposed)
  }
}
