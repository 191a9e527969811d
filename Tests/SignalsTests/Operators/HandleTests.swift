import Probes
import SignalTesting
import Signals
import Testing

/// Calls closures when things pass, and passes everything on unchanged.
@Suite("handle")
struct HandleTests {
  private enum Call: Equatable, Sendable {
    case subscribed, connected, value(String), received(String), failed(Failure?), finished, disposed, left
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

  /// The signal with all closures, that for disposal too.
  private func watchedToTheLast(_ signal: Signal<String>) -> Signal<String> {
    signal.handle(
      onSubscribe: { [calls] in calls.append(.subscribed) },
      onValue: { [calls] letter in
        if letter == "x" { throw Failure(number: 2) }
        calls.append(.value(letter))
      },
      onFailure: { [calls] in calls.append(.failed($0 as? Failure)) },
      onFinish: { [calls] in calls.append(.finished) },
      onDispose: { [calls] in calls.append(.disposed) })
  }

  @Test("with all closures, values and the end pass unchanged, and an end is no disposal")
  func ends() {
    marbles { m in
      let letters = m.hot("                       -a-b-|")
      m.expect(watchedToTheLast(letters.signal), "-a-b-|")
      m.expectSubscriptions(of: letters, "        ^----!")
      let failing = m.hot("                       ------#", error: Failure(number: 1))
      m.expect(watchedToTheLast(failing.signal), "------#", error: Failure(number: 1))
      let atOnce = m.cold("                       {ab}-----|")
      m.expect(watchedToTheLast(atOnce.signal), " {ab}-----|")
      let ended = m.cold("                        {|}")
      m.expect(watchedToTheLast(ended.signal), "  {|}")
    }
    #expect(calls.entries.filter { $0 == .subscribed }.count == 4)
    #expect(calls.entries.filter { $0 == .disposed }.isEmpty)
    #expect(calls.entries.filter { $0 == .finished }.count == 3)
  }

  @Test("a subscriber that disposes, or lets go of its subscription: onDispose is called once, and nothing after it")
  func disposing() {
    let emitter = Emitter<String>()
    let subscription = watchedToTheLast(emitter.signal).subscribe { _ in }
    emitter.send("a")
    subscription.dispose()
    subscription.dispose()
    emitter.send("b")
    emitter.finish()
    #expect(calls.entries == [.subscribed, .value("a"), .disposed])

    let other = Emitter<String>()
    var kept: Subscription? = watchedToTheLast(other.signal).subscribe { _ in }
    #expect(kept != nil)
    kept = nil
    #expect(calls.entries.dropFirst(3) == [.subscribed, .disposed])
    #expect(other.subscriberCount == 0)
  }

  @Test("onDispose is called before the source is left")
  func disposalOrder() {
    let source = Signal<String> { [calls] producer in
      producer.onDisposal { calls.append(.left) }
    }
    watchedToTheLast(source).subscribe { _ in }.dispose()
    #expect(calls.entries == [.subscribed, .disposed, .left])
  }

  @Test(
    "an operator below that has enough, or a closure that throws, here or below: onDispose is called, and only that")
  func leaving() {
    let emitter = Emitter<String>()
    let first = watchedToTheLast(emitter.signal).prefix(1).subscribe { _ in }
    emitter.send("a")
    #expect(calls.entries == [.subscribed, .value("a"), .disposed])
    let second = watchedToTheLast(emitter.signal).subscribe(onFailure: { [calls] in calls.append(.received("\($0)")) })
    emitter.send("x")
    #expect(calls.entries.dropFirst(3) == [.subscribed, .disposed, .received("Failure(number: 2)")])
    let third = watchedToTheLast(emitter.signal).handle { _ in throw Failure(number: 3) }
      .subscribe(onFailure: { _ in })
    emitter.send("b")
    #expect(calls.entries.dropFirst(6) == [.subscribed, .value("b"), .disposed])
    #expect(emitter.subscriberCount == 0)
    withExtendedLifetime((first, second, third)) {}
  }

  @Test("Law 7: onFinish that disposes its own subscription leaves no end to be told; that is no disposal any more")
  func disposingAtTheEnd() {
    let emitter = Emitter<Int>()
    let log = EventLog<Int>()
    let subscription = Box<Subscription?>(nil)
    subscription.value = emitter.signal.handle(
      onFinish: { [calls] in
        calls.append(.finished)
        subscription.value?.dispose()
      },
      onDispose: { [calls] in calls.append(.disposed) }
    ).log(to: log)
    emitter.finish()
    #expect(calls.entries == [.finished])
    #expect(log.events == [])
  }

  @Test("for each subscription there is one end or one disposal, however two threads race")
  func race() {
    for _ in 0..<300 {
      let ends = Box(0)
      let emitter = Emitter<Int>()
      let subscription = emitter.signal.handle(
        onFinish: { ends.withLock { $0 += 1 } }, onDispose: { ends.withLock { $0 += 1 } }
      ).subscribe { _ in }
      onThreads({ emitter.finish() }, { subscription.dispose() })
      #expect(ends.value == 1)
    }
  }
}
