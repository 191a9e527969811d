import Signals
import Synchronization
import Testing

@testable import SignalTesting

@Suite struct CancelEverywhereTests {
  @Test func healthyChainsReportNothing() {
    let debounce = cancelEverywhere { m in
      let keys = m.hot("-a-b----c--|")
      m.expect(keys.signal.debounce(for: .milliseconds(3), on: m.scheduler), "------b----(c|)")
      m.expectSubscriptions(of: keys, "^----------!")
    }
    #expect(debounce > 15)
    cancelEverywhere { m in
      let left = m.cold("{a}--b-|")
      let right = m.hot("--1--2--|")
      m.expect(
        left.signal.combineLatest(right.signal).map { $0 + $1 }.delay(for: .milliseconds(2), on: m.scheduler),
        "----('a1' 'b1')--'b2'--|")
    }
    cancelEverywhere { m in
      let outer = m.hot("-x---y---|")
      let inner = m.cold("-1-2-3-|")
      m.expect(outer.signal.flatMapLatest { _ in inner.signal }, "--1-2-1-2-3-|")
    }
    cancelEverywhere { m in
      let source = m.hot("-a-b-c-|")
      let shared = source.signal.share()
      m.expect(shared, "-a-b-c-|")
      m.expect(shared.prefix(2), "-a-(b|)")
    }
    cancelEverywhere { m in
      let emitter = Emitter<String>()
      m.expect(emitter.signal, "---a--(b|)")
      m.task { [scheduler = m.scheduler] in
        try await scheduler.sleep(for: .milliseconds(3))
        emitter.send("a")
        try await scheduler.sleep(for: .milliseconds(3))
        emitter.send("b")
        emitter.finish()
      }
    }
    cancelEverywhere { m in
      let source = m.hot("-a-b-c-|")
      m.expect(source.signal.values(), "-a-b-c-|")
    }
  }

  /// A model subscribes for itself; what it keeps when an expectation is disposed is its own business.
  @Test func signalsThatSendInsideSubscribeReportNothing() {
    cancelEverywhere { m in m.expect(m.cold("{a|}").signal, "{a|}") }
    cancelEverywhere { m in m.expect(Signal.sequence([1, 2]), "{12|}") }
    cancelEverywhere { m in
      m.expect(m.hot("-a-|").signal, "-a-|")
      m.expect(Signal.just(1), "{1|}")
    }
  }

  @Test func testThatPassesOnlyOnceFails() {
    let cache = Mutex<[String: String]>([:])
    let failures = heldFailures {
      let points = cancelEverywhere { m in
        let names = m.hot("-a---|")
        let images = names.signal.flatMap { [scheduler = m.scheduler] name in
          if let image = cache.withLock({ $0[name] }) { return Signal.just(image) }
          return Signal.timer(after: .milliseconds(3), on: scheduler).map {
            cache.withLock { $0[name] = name.uppercased() }
            return name.uppercased()
          }
        }
        m.expect(images, "----A|")
      }
      #expect(points > 0)
    }
    #expect(failures.count == 1)
    #expect(failures.first?.message.contains("passed in its first run, but not in a later one") == true)
    #expect(failures.first?.message.contains("To do: create everything in the closure") == true)
  }

  @Test func innerSignalsAreDisposedToo() {
    cancelEverywhere { m in
      let letters = m.hot("-a---b---|")
      let windows = letters.signal.map { [scheduler = m.scheduler] letter in
        Signal.interval(every: .milliseconds(1), on: scheduler).prefix(2).map { "\(letter)\($0)" }
      }
      m.expectNested(
        windows, "-x---y---|", signals: ["x": "-p(q|)", "y": "-r(s|)"],
        values: ["p": "a0", "q": "a1", "r": "b0", "s": "b1"])
    }
    cancelEverywhere { m in
      let letters = m.hot("-a---b---|")
      m.expectNested(
        letters.signal.map { Signal.just($0).concat(.never()) }, "-x---y---|", signals: ["x": "{a}-", "y": "{b}-"])
    }
    cancelEverywhere { m in
      let numbers = m.hot("-1-2-3-|", of: Int.self)
      m.expectNested(numbers.signal.grouped { $0 % 2 }, "-o-e---|", signals: ["o": "1---3-|", "e": "2---|"])
    }
    cancelEverywhere { m in
      let letters = m.hot("-a---b---|")
      let inner = m.cold("-x--y|")
      m.expectNested(letters.signal.map { _ in inner.signal }, "-p---q---|", signals: ["p": "-x--y|", "q": "-x--y|"])
    }
  }

  @Test func modelsAreLeftAlone() {
    cancelEverywhere { m in
      let keys = m.hot("-a-b-|")
      let answers = m.cold("--1|")
      let results = Emitter<String>()
      let bag = DisposeBag()
      keys.signal.flatMapLatest { _ in answers.signal }.subscribe { results.send($0) }.store(in: bag)
      m.expect(results.signal.handle(onValue: { _ in withExtendedLifetime(bag) {} }), "-----1|")
    }
  }

  @Test func workThatIsLeftIsFound() throws {
    // The timer is cancelled by the end of the source only.
    let failures = heldFailures {
      cancelEverywhere { m in
        let source = m.hot("-a-----b-|")
        let late = Signal<String> { [scheduler = m.scheduler] producer in
          producer.own(
            source.signal.subscribe(
              onValue: { value in
                _ = scheduler.schedule(after: .milliseconds(3)) { producer.send(value) }
              }, onFinish: { _ = scheduler.schedule(after: .milliseconds(3)) { producer.finish() } }))
        }
        m.expect(late, "----a-----b-|")
      }
    }
    try #require(failures.count == 1)
    #expect(failures[0].message.contains("work still pending"))
    #expect(failures[0].message.contains("received"))
    #expect(failures[0].message.contains("Disposed "))
  }

  /// A chain that is disposed inside the handler of its first event, and only then, keeps a timer.
  @Test(arguments: [1, 2]) func eachEventHasADisposalInsideItsHandler(event: Int) {
    let failures = heldFailures {
      cancelEverywhere { m in
        let source = m.hot("-a-b-|")
        let (count, isInside) = (Property(0), Property(false))
        let faulty = Signal<String> { [scheduler = m.scheduler] producer in
          producer.own(
            source.signal.subscribe(
              onValue: { value in
                count.update { $0 += 1 }
                isInside.value = count.value == event
                producer.send(value)
                isInside.value = false
              }, onFinish: { producer.finish() }))
          producer.onDisposal {
            if isInside.value { _ = scheduler.schedule(after: .milliseconds(9)) {} }
          }
        }
        m.expect(faulty, "-a-b-|")
      }
    }
    #expect(failures.count == 1 && failures.allSatisfy { $0.message.contains("inside the handler of event \(event)") })
  }

  /// The last work of the test subscribes to something that says nothing.
  @Test func whatTheLastWorkBeginsIsDisposedToo() {
    let failures = heldFailures {
      cancelEverywhere { m in
        let doors = m.hot("-a---")
        let talk = m.hot("-----")
        let opening = Signal<String> { producer in
          producer.own(
            doors.signal.subscribe(
              onValue: { _ in talk.signal.subscribe { producer.send($0) }.retained() },
              onFinish: { producer.finish() }))
        }
        m.expect(opening, "-----")
      }
    }
    #expect(failures.contains { $0.message.contains("(law 9)") }, "\(failures.map(\.message))")
  }

  @Test func assertionsThatCannotBeWithheldAreExplained() throws {
    let failures = heldFailures {
      cancelEverywhere { m in
        let total = Property(0)
        let numbers = m.hot("-1-2---|", of: Int.self)
        m.expect(numbers.signal.handle(onValue: { value in total.update { $0 += value } }), "-1-2---|")
        m.at(.milliseconds(6)) {
          // As an assertion of XCTest does in a plain test case.
          guard total.value != 3 else { return }
          FailureCapture.current?.note(FailureCapture.Failure(message: "0 is not equal to 3", isTold: true))
        }
      }
    }
    try #require(failures.count == 1)
    #expect(failures[0].message.contains("ExploringTestCase"))
  }

  /// The tasks of a test hide nothing of its chains.
  @Test func faultsBesideATaskOfTheTestAreFound() throws {
    let leaking = heldFailures {
      cancelEverywhere { m in
        let source = m.hot("-a--b--|")
        m.task { m in try await m.sleep(for: .milliseconds(2)) }
        let signal = Signal<String> { producer in
          _ = source.signal.subscribe(onValue: { producer.send($0) }, onFinish: { producer.finish() }).retained()
        }
        m.expect(signal, "-a--b--|")
      }
    }
    #expect(leaking.contains { $0.message.contains("1 subscription to the sources of the test is left") }, "\(leaking)")
    let late = heldFailures {
      cancelEverywhere { m in
        let source = m.hot("-a-----b-|")
        m.task { m in try await m.sleep(for: .milliseconds(2)) }
        let late = Signal<String> { [scheduler = m.scheduler] producer in
          producer.own(
            source.signal.subscribe(
              onValue: { value in _ = scheduler.schedule(after: .milliseconds(3)) { producer.send(value) } },
              onFinish: { _ = scheduler.schedule(after: .milliseconds(3)) { producer.finish() } }))
        }
        m.expect(late, "----a-----b-|")
      }
    }
    try #require(late.count == 1)
    #expect(late[0].message.contains("work still pending"), "\(late[0].message)")
  }

  /// A closure of the test sends, and the chain schedules inside it.
  @Test func faultsOfAChainToWhichAClosureSendsAreFound() {
    let failures = heldFailures {
      cancelEverywhere { m in
        let source = Emitter<String>()
        let late = Signal<String> { [scheduler = m.scheduler] producer in
          producer.own(
            source.signal.subscribe(
              onValue: { value in _ = scheduler.schedule(after: .milliseconds(3)) { producer.send(value) } }))
        }
        m.at(.milliseconds(1)) { source.send("a") }
        m.expect(late, "----a-")
      }
    }
    #expect(failures.contains { $0.message.contains("work still pending") }, "\(failures)")
  }

  /// What a task of the test subscribes to, schedules and starts is its own, and not the chains'.
  @Test func whatATaskOfTheTestLeavesIsIgnored() {
    cancelEverywhere { m in
      let source = m.hot("-a--b--|")
      m.task { [scheduler = m.scheduler] in
        let bag = DisposeBag()
        source.signal.subscribe { _ in }.store(in: bag)
        let work = scheduler.schedule(after: .milliseconds(9)) {}
        let inner = Task { try await scheduler.sleep(for: .milliseconds(9)) }
        try await scheduler.sleep(for: .milliseconds(5))
        bag.disposeAll()
        work.dispose()
        inner.cancel()
      }
      m.expect(source.signal, "-a--b--|")
    }
  }

  @Test func taskThatWaitsForAStreamIsFound() throws {
    let failures = heldFailures {
      cancelEverywhere { m in
        let (ringing, bell) = AsyncStream<Void>.makeStream()
        let answer = Signal<Int> { producer in
          // The disposal does not cancel it.
          Task {
            for await _ in ringing { break }
            producer.send(1)
            producer.finish()
          }
        }
        m.at(.milliseconds(4)) { bell.yield() }
        m.expect(answer, "----(1|)")
      }
    }
    try #require(!failures.isEmpty)
    #expect(failures[0].message.contains("task still running"), "\(failures[0].message)")
  }

  @Test func anUpstreamThatStaysIsFound() throws {
    let failures = heldFailures {
      cancelEverywhere { m in
        let source = m.hot("-a-b-c-|")
        // Ends with the source, but not with its own subscriber.
        let stubborn = Signal<String> { producer in
          source.signal.subscribe(onValue: { producer.send($0) }, onFinish: { producer.finish() }).retained()
        }
        m.expect(stubborn, "-a-b-c-|")
      }
    }
    try #require(!failures.isEmpty)
    #expect(
      failures[0].message.contains("1 subscription to the sources of the test is left after the disposal (law 9)."))
  }

  @Test func whatComesAfterADisposalIsFound() throws {
    let failures = heldFailures {
      // What a test's subscriber gets cannot come after a disposal, unless an operator violates its contract.
      cancelEverywhere { m in
        let source = m.hot("-a-b-c-|")
        let other = m.hot("--d-e---|")
        m.expect(source.signal.adding(other.signal), "-adbec-|")
      }
    }
    try #require(!failures.isEmpty)
    #expect(failures[0].message.contains("An event arrived after the disposal (law 7)."))
    #expect(failures[0].message.contains("and then"))
  }

  @Test func aTestThatFailsIsToldAsItIs() {
    var count: Int?
    let failures = heldFailures {
      count = cancelEverywhere { m in
        let source = m.hot("-a-|")
        m.expect(source.signal, "-b-|")
      }
    }
    #expect(failures.count == 1)
    #expect(count == 0)
  }

  @Test func testWithoutSubscriberIsRejected() {
    var count: Int?
    let failures = heldFailures {
      count = cancelEverywhere { m in m.task { m in try await m.sleep(for: .seconds(1)) } }
    }
    #expect(
      failures.map(\.message) == [
        "There is nothing to dispose: no expectation of the test subscribes. Add m.expect(signal, \"--a--|\")."
      ])
    #expect(count == 0)
  }
}

extension Signal {
  /// Keeps delivering what another signal sends, although nobody listens any more.
  fileprivate func adding(
    _ other: Signal<Value>, fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal {
    unsafeLift(Site("adding", fileID: fileID, line: line, function: function)) { downstream in
      let receive = downstream.receive
      let end = downstream.end
      other.subscribe(onValue: { try? receive($0) }, onFailure: { _ in }).retained()
      return Observer(for: downstream, receive: receive, end: end)
    }
  }
}
