import Dispatch
import SignalTesting
import Signals
import Testing

@Suite struct AssertHealthyTests {
  private struct Broken: Error {}
  private let bag = DisposeBag()

  /// Never runs anything.
  private struct Asleep: Scheduler {
    let now = VirtualTimeScheduler().now

    func schedule(_ work: @escaping @Sendable () -> Void) {}

    func schedule(
      after delay: Duration, tolerance: Duration?, _ work: @escaping @Sendable () -> Void
    ) -> any Disposable { Subscription {} }
  }

  /// What fails in a check: the first word of its message, and its line in this file.
  private func faults(_ body: () -> Void) -> [String] { issuesOf(body).map(Self.fault) }

  private static func fault(_ issue: Issue) -> String {
    let message = issue.comments.first?.rawValue ?? ""
    let words = message.prefix { $0 != ":" && $0 != "(" }.trimmingPrefix("unused allowance ")
    return "\(words) \(issue.sourceLocation?.line ?? 0)"
  }

  // MARK: Faults and their healthy twins

  @Test func aDroppedTokenIsFound() {
    let issues = issuesOf {
      assertHealthy {
        let source = Emitter<Int>()
        _ = source.signal.map { $0 + 1 }.subscribe { print($0) }
        source.send(1)
      }
    }
    let line = #line
    #expect(issues.map(Self.fault) == ["unused-subscription \(line - 4)"])
    #expect(
      issues.first?.comments.first?.rawValue == """
        unused-subscription: this subscription was disposed as soon as it was made, before a value came
          in aDroppedTokenIsFound()
          To do: keep the token that `subscribe` returns: store it in a property, or in a `DisposeBag` that is stored in one; a subscription ends with its token, and with its bag.
          found by the check at AssertHealthyTests.swift:\(line - 6)
        """)
    #expect(issues.first?.sourceLocation?.filePath == #filePath)
  }

  /// The operators with inputs, with a queue or with a scheduler are chains of their own in the recording.
  private static let separateChains:
    [(name: String, build: @Sendable (Signal<Int>, VirtualTimeScheduler) -> Signal<Int>)] = [
      ("debounce", { $0.debounce(for: .milliseconds(300), on: $1) }),
      ("throttle", { $0.throttle(for: .milliseconds(300), on: $1, latest: true) }),
      ("delay", { $0.delay(for: .milliseconds(300), on: $1) }),
      ("receive", { $0.receive(on: $1) }),
      ("timeout", { $0.timeout(after: .seconds(300), on: $1) }),
      ("mapAsync", { signal, _ in signal.mapAsync { $0 } }),
      ("flatMapLatest", { signal, _ in signal.flatMapLatest { .just($0) } }),
      ("merge", { signal, _ in signal.merge(with: .never()) }),
      ("zip", { signal, _ in signal.zip(Signal<Int>.never()).map(\.0) }),
      ("combineLatest", { signal, _ in signal.combineLatest(Signal<Int>.never()).map(\.0) }),
      ("withLatest", { signal, _ in signal.withLatest(from: Signal.just(1)).map(\.0) }),
      ("retry", { signal, _ in signal.retry(2) }),
      ("catch", { signal, _ in signal.catch { _ in .just(0) } }),
      ("two of them", { $0.receive(on: $1).map { $0 }.debounce(for: .milliseconds(300), on: $1) }),
    ]

  @Test(arguments: 0..<separateChains.count) func aDroppedTokenBelowAnOperatorWithInputsIsFound(_ index: Int) {
    let build = Self.separateChains[index].build
    let found = faults {
      assertHealthy {
        let time = VirtualTimeScheduler()
        let source = Emitter<Int>()
        _ = build(source.signal, time).subscribe { print($0) }
        source.send(1)
        try? time.advance(by: .seconds(1))
      }
    }
    #expect(found == ["unused-subscription \(#line - 5)"], "\(Self.separateChains[index].name)")
  }

  /// Its source has sent a value, which the operator has not passed on.
  @Test(arguments: 0..<separateChains.count) func aReleasedTokenWhoseSourceHasSentIsHealthy(_ index: Int) {
    let build = Self.separateChains[index].build
    assertHealthy {
      let time = VirtualTimeScheduler()
      let source = Emitter<Int>()
      let token = build(source.signal.filter { $0 > 5 }, time).subscribe { _ in }
      source.send(1)
      withExtendedLifetime(token) {}
    }
  }

  /// A property has sent its value inside subscribe, which the operator holds.
  @Test func aReleasedTokenOfAPropertyIsHealthy() {
    assertHealthy {
      let time = VirtualTimeScheduler()
      let query = Property("")
      query.value = "a"
      let token = query.signal.debounce(for: .milliseconds(300), on: time).subscribe { _ in }
      try? time.advance(by: .milliseconds(100))
      withExtendedLifetime(token) {}
    }
  }

  /// Also where an operator has left it out.
  @Test(arguments: FilteredReplay.allCases) func aReleasedTokenBelowAFilteredReplayIsHealthy(_ chain: FilteredReplay) {
    assertHealthy {
      let user = Property<String?>("Ada")
      user.value = nil
      let names = Emitter<String?>(replay: 1)
      names.send(nil)
      let token = chain.signal(user, names).subscribe { _ in }
      withExtendedLifetime(token) {}
    }
  }

  enum FilteredReplay: CaseIterable {
    case plain, switched, dropped, replayed

    func signal(_ user: Property<String?>, _ names: Emitter<String?>) -> Signal<String> {
      switch self {
      case .plain: user.signal.compactMap { $0 }
      case .switched: user.signal.compactMap { $0 }.flatMapLatest { .just($0) }
      case .dropped: user.signal.dropFirst().map { $0 ?? "" }
      case .replayed: names.signal.compactMap { $0 }.flatMapLatest { .just($0) }
      }
    }
  }

  /// But nothing came inside subscribe, so its token was dropped.
  @Test(arguments: ChangesAlone.allCases) func aDroppedTokenOfChangesIsFound(_ chain: ChangesAlone) {
    let issues = Issues()
    withKnownIssue {
      assertHealthy {
        let time = VirtualTimeScheduler()
        let query = Property("")
        let keys = Emitter<String>(replay: 1)
        _ = chain.signal(query, keys, on: time).subscribe { _ in }
        query.value = "a"
        keys.send("a")
        try? time.advance(by: .seconds(1))
      }
    } matching: { issue in
      issues.add(issue)
      return true
    }
    #expect(issues.all.map(Self.fault) == ["unused-subscription \(#line - 9)"])
  }

  enum ChangesAlone: CaseIterable {
    case debounced, mapped, merged, switched, replayed

    func signal(
      _ query: Property<String>, _ keys: Emitter<String>, on time: VirtualTimeScheduler
    ) -> Signal<String> {
      switch self {
      case .debounced: query.changes.debounce(for: .milliseconds(300), on: time)
      case .mapped: query.changes.map { $0 + "!" }.delay(for: .milliseconds(300), on: time)
      case .merged: query.changes.merge(with: keys.signal)
      case .switched: query.changes.flatMapLatest { .just($0) }
      case .replayed: keys.signal.debounce(for: .milliseconds(300), on: time)
      }
    }
  }

  @Test func aTokenThatIsKeptIsHealthy() {
    assertHealthy {
      let source = Emitter<Int>()
      let token = source.signal.filter { $0 > 1 }.subscribe { _ in }
      source.send(1)
      withExtendedLifetime(token) {}
    }
  }

  @Test func aTokenThatIsDisposedIsHealthy() {
    assertHealthy {
      let source = Emitter<Int>()
      let other = DisposeBag()
      source.signal.subscribe { _ in }.store(in: other)
      other.disposeAll()
      source.signal.subscribe { _ in }.dispose()
      source.send(1)
    }
  }

  @Test func anObjectThatIsClosedBeforeAValueCameIsHealthy() {
    final class Screen {
      let bag = DisposeBag()

      init(_ source: Emitter<Int>) { source.signal.subscribe { _ in }.store(in: bag) }
    }

    assertHealthy {
      let source = Emitter<Int>()
      var screen: Screen? = Screen(source)
      #expect(screen?.bag.count == 1)
      screen = nil
      source.send(1)
    }
  }

  @Test func whatGoesWithTheTestsOwnVariablesLosesNothing() {
    final class Screen: Sendable {}

    let scheduler = VirtualTimeScheduler()
    assertHealthy {
      let names = Emitter<String>()
      let local = DisposeBag()
      let token = names.signal.receive(on: scheduler).subscribe { _ in }
      names.signal.receive(on: scheduler).subscribe { _ in }.store(in: local)
      names.send("ada")
      withExtendedLifetime(token) {}
    }
    assertHealthy {
      let names = Emitter<String>()
      let screen = Screen()
      names.signal.receive(on: scheduler).subscribe(with: screen) { _, _ in }
      names.send("ada")
      withExtendedLifetime(screen) {}
    }
  }

  @Test func valuesThatADisposalTakesAwayAreFound() {
    let issues = issuesOf {
      assertHealthy(ignoring: ["leak"]) {
        let names = Emitter<String>()
        let local = DisposeBag()
        names.signal.receive(on: Asleep()).subscribe { _ in }.store(in: local)
        for name in ["ada", "grace"] { names.send(name) }
        local.disposeAll()
      }
    }
    #expect(issues.map(Self.fault) == ["lost-values \(#line - 5)"])
    #expect(
      issues.first?.comments.first?.rawValue.contains(
        "in a test, pass it a virtual scheduler, so that every run is the same")
        == true)
  }

  @Test func aTimerOfWhatWasMadeOutsideIsNotLeftBehind() {
    let keys = Emitter<String>()
    let texts = keys.signal.debounce(for: .seconds(1), on: .qos(.utility))
    texts.subscribe { _ in }.store(in: bag)
    let sorted = keys.signal.delay(for: .seconds(1), on: .qos(.utility))
    sorted.subscribe { _ in }.store(in: bag)
    assertHealthy { keys.send("a") }
    assertNoLeaks { keys.send("b") }
    #expect(
      faults {
        assertHealthy { DispatchQueueScheduler.qos(.utility).schedule(after: .seconds(3_600)) {}.store(in: bag) }
      }.count == 1)
    bag.disposeAll()
  }

  @Test func aLateSubscriberIsFound() {
    let issues = issuesOf {
      assertHealthy {
        let source = Emitter<Int>()
        source.finish()
        let token = source.signal.subscribe { _ in }
        withExtendedLifetime(token) {}
      }
    }
    let line = #line
    #expect(issues.map(Self.fault) == ["late-subscriber \(line - 4)"])
    #expect(
      issues.first?.comments.first?.rawValue.contains(
        "\n  `emitter` has finished: AssertHealthyTests.swift:\(line - 6)\n") == true)
  }

  @Test func anUnhandledFailureIsFound() {
    let found = faults {
      assertHealthy {
        let source = Emitter<Int>()
        source.signal.subscribe { _ in }.store(in: bag)
        source.fail(Broken())
      }
    }
    #expect(found == ["unhandled-failure \(#line - 4)"])
  }

  @Test func aFailureSaysItsRuleAndItsCheck() {
    let issues = issuesOf {
      assertHealthy {
        let source = Emitter<Int>()
        source.signal.subscribe { _ in }.store(in: bag)
        source.fail(Broken())
      }
    }
    let text = issues.first?.comments.first?.rawValue
    #expect(text?.hasPrefix("unhandled-failure: unhandled failure of this subscription: Broken()\n") == true)
    #expect(text?.hasSuffix("\n  found by the check at AssertHealthyTests.swift:\(#line - 8)") == true)
  }

  @Test func aFailureThatIsExpectedIsHealthy() {
    assertHealthy {
      let source = Emitter<Int>()
      UnhandledFailure.withHandler { _ in
      } operation: {
        source.signal.subscribe { _ in }.store(in: bag)
        source.signal.subscribe(onValue: { _ in }, onFailure: { _ in }).store(in: bag)
      }
      source.fail(Broken())
    }
  }

  @Test func aLeakIsFoundOnce() {
    let source = Emitter<Int>()
    let found = faults {
      assertHealthy {
        for _ in 0..<20 { source.signal.subscribe { _ in }.store(in: bag) }
      }
    }
    #expect(found == ["subscription never disposed  \(#line - 3)"])
  }

  @Test func whatGrowsIsFoundAndWhatIsKeptOnceIsNot() {
    let source = Emitter<Int>()
    let found = faults {
      assertHealthy(repeating: 4) {
        source.signal.map { $0 }.subscribe { _ in }.store(in: bag)
      }
    }
    #expect(found == ["growth \(#line - 3)"])
    var kept: Subscription?
    assertHealthy(repeating: 3) {
      kept = kept ?? source.signal.subscribe { _ in }
    }
  }

  @Test func allowedChainMayGrowEverySecondRound() {
    let source = Emitter<Int>()
    var round = 0
    assertHealthy(repeating: 7, allowingChains: ["log"]) {
      round += 1
      if round.isMultiple(of: 2) { source.signal.map { $0 }.named("log").subscribe { _ in }.store(in: bag) }
    }
  }

  @Test func severalFaultsAreToldEachAtItsLine() {
    let found = faults {
      assertHealthy {
        let source = Emitter<Int>()
        _ = source.signal.subscribe { _ in }
        source.send(1)
        source.fail(Broken())
        source.signal.subscribe(onValue: { _ in }, onFailure: { _ in }).store(in: bag)
        Signal<Int>.fail(Broken()).subscribe { _ in }.store(in: bag)
      }
    }
    let line = #line
    #expect(
      Set(found) == [
        "unused-subscription \(line - 7)", "late-subscriber \(line - 4)",
        "unhandled-failure \(line - 3)",
      ])
  }

  @Test func theAsynchronousFormsFindTheSame() async {
    let issues = Issues()
    await withKnownIssue {
      await assertHealthy {
        let source = Emitter<Int>()
        await Task.yield()
        source.finish()
        source.signal.subscribe { _ in }.store(in: bag)
      }
      await assertHealthy(repeating: 3) {
        await Task.yield()
        let source = Emitter<Int>()
        source.finish()
        source.signal.subscribe { _ in }.store(in: bag)
      }
    } matching: { issue in
      issues.add(issue)
      return true
    }
    #expect(issues.all.map(Self.fault) == ["late-subscriber \(#line - 12)", "late-subscriber \(#line - 6)"])
  }

  @Test func theResultIsReturned() async {
    #expect(await assertHealthy { 8 } == 8)
  }

  @Test func theSynchronousFormReturnsItToo() {
    #expect(assertHealthy { 7 } == 7)
  }

  @Test func whatThrowsIsNotChecked() {
    #expect(throws: Broken.self) {
      try assertHealthy {
        let source = Emitter<Int>()
        source.finish()
        source.signal.subscribe { _ in }.store(in: bag)
        throw Broken()
      }
    }
  }

  // MARK: Allowances

  @Test func aRuleThatIsIgnoredIsNotAsked() {
    assertHealthy(ignoring: ["late-subscriber", "leak"]) {
      let source = Emitter<Int>()
      source.finish()
      source.signal.subscribe { _ in }.store(in: bag)
      let other = Emitter<Int>()
      other.signal.subscribe { _ in other.send(1) }.store(in: bag)
    }
  }

  @Test(arguments: [false, true]) func aNameThatNoRuleHasFailsWithTheRules(isAllowed: Bool) {
    let names: Set = ["late-subscribers"]
    let issues = issuesOf {
      if isAllowed { assertHealthy(allowing: names) {} } else { assertHealthy(ignoring: names) {} }
    }
    let message = issues.first?.comments.first?.rawValue ?? ""
    // An allowance that is not needed fails too.
    #expect(issues.count == (isAllowed ? 2 : 1))
    #expect(issues.first?.sourceLocation?.line == #line - 5)
    #expect(message.hasPrefix("there is no rule \"late-subscribers\"\n  The rules are: leak, "))
  }

  @Test func anAllowanceIsUsedOrFails() {
    func run(late: Bool) {
      assertHealthy(allowing: ["late-subscriber"]) {
        let source = Emitter<Int>()
        if late { source.finish() }
        let token = source.signal.subscribe { _ in }
        withExtendedLifetime(token) {}
      }
    }
    run(late: true)
    #expect(faults { run(late: false) } == ["\"late-subscriber\" \(#line - 8)"])
  }

  @Test func aChainIsIgnoredByItsName() {
    let source = Emitter<Int>()
    assertHealthy(ignoringChains: ["log"]) {
      source.signal.map { $0 }.named("log").subscribe { _ in }.store(in: bag)
      let ended = Emitter<Int>()
      ended.finish()
      let token = ended.signal.map { $0 }.named("log").subscribe { _ in }
      withExtendedLifetime(token) {}
    }
  }

  @Test func aChainThatIsAllowedIsNeededOrFails() {
    func run(late: Bool) {
      assertHealthy(allowingChains: ["news"]) {
        let source = Emitter<Int>()
        if late { source.finish() }
        let token = source.signal.map { $0 }.named("news").subscribe { _ in }
        withExtendedLifetime(token) {}
      }
    }
    run(late: true)
    #expect(faults { run(late: false) } == ["\"news\" \(#line - 8)"])
    // A leak needs it too.
    let source = Emitter<Int>()
    assertHealthy(allowingChains: ["news"]) {
      source.signal.map { $0 }.named("news").subscribe { _ in }.store(in: bag)
    }
  }

  // MARK: Beside others

  @Test func whatOthersMakeIsNotAsked() async {
    let source = Emitter<Int>()
    source.finish()
    await assertHealthy {
      await Task.detached {
        source.signal.subscribe { _ in }.dispose()
      }.value
    }
  }

  @Test func whatTheKitSubscribesToIsNoFault() {
    assertHealthy {
      marbles { m in
        let input = m.hot("-a-|")
        m.expect(input.signal, "---|", subscription: "--^")
        m.expect(Signal<String>.never(), "---")
      }
    }
  }
}
