#if !canImport(Darwin)
  import Dispatch
  import SignalTesting
  import Signals
  import XCTest

  /// Leaks in its tests, and expects the reports. They are caught in `recordFailure`, which exists outside of Apple's XCTest only.
  final class NoLeaksTestCaseTests: NoLeaksTestCase {
    private let keeper = LeakKeeper()
    private var expected: Leak.Kind?
    private var failsLate = false
    private var caught: [(message: String, file: String)] = []
    private var isLeakChecked = false

    override class var ignoredNames: Set<String> { ["may stay"] }

    override func invokeTest() {
      super.invokeTest()
      isLeakChecked = true
      XCTAssertEqual(caught.count, expected == nil && !failsLate ? 0 : 1)
      XCTAssertTrue(!failsLate || caught.first?.message.contains("LateFailure") == true, "\(caught)")
      guard let expected else { return }
      XCTAssertTrue(caught.allSatisfy { $0.message.hasPrefix(expected.title) }, "\(caught)")
      XCTAssertTrue(caught.allSatisfy { $0.file.hasSuffix("LeakSamples.swift") }, "\(caught)")
    }

    override func recordFailure(
      withDescription description: String, inFile filePath: String, atLine lineNumber: Int, expected: Bool
    ) {
      if isLeakChecked {
        super.recordFailure(withDescription: description, inFile: filePath, atLine: lineNumber, expected: expected)
      } else {
        caught.append((description, filePath))
      }
    }

    private func leak(_ sample: LeakSample) {
      expected = sample.kind
      sample.run(keeping: keeper)
    }

    func testNeverDisposed() { leak(.neverDisposed) }
    func testStillRetained() { leak(.stillRetained) }
    func testUpstreamStillSubscribed() { leak(.upstreamStillSubscribed) }
    func testWorkStillPending() { leak(.workStillPending) }

    func testAsynchronously() async {
      await Task.yield()
      leak(.neverDisposed)
    }

    func testAFailureWhileTheCheckWaits() {
      struct LateFailure: Error {}
      failsLate = true
      let queue = DispatchQueue(label: "late")
      queue.suspend()
      Signal<Int>.fail(LateFailure()).receive(on: .queue(queue)).subscribe { _ in }.retained()
      // By then the check waits for the queue.
      DispatchQueue.global().asyncAfter(deadline: .now() + 0.1) { queue.resume() }
    }

    func testIgnoredName() {
      let numbers = Emitter<Int>()
      numbers.signal.map { $0 }.named("may stay").subscribe { _ in }.store(in: keeper.bag)
      keeper.keep(numbers)
    }

    func testAllowedName() {
      let numbers = Emitter<Int>()
      allowLeaks(named: "known to leak")
      numbers.signal.map { $0 }.named("known to leak").subscribe { _ in }.store(in: keeper.bag)
      keeper.keep(numbers)
    }

    func testWhatIsOverIsNoLeak() {
      let numbers = Emitter<Int>()
      numbers.signal.subscribe { _ in }.store(in: keeper.bag)
      addTeardownBlock { [keeper] in keeper.bag.disposeAll() }
      numbers.send(1)
    }
  }
#endif
