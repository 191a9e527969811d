#if !canImport(Darwin)
  import SignalTesting
  import Signals
  import XCTest

  /// Has faults in its tests, and expects the reports. They are caught in `recordFailure`, which exists outside of Apple's XCTest only.
  final class HealthyTestCaseTests: HealthyTestCase {
    private let bag = DisposeBag()
    private var expected: [String] = []
    private var caught: [(message: String, file: String, line: Int)] = []
    private var isChecked = false

    override class var ignoredNames: Set<String> { ["may be late"] }

    override func invokeTest() {
      super.invokeTest()
      isChecked = true
      XCTAssertEqual(caught.map { "\($0.message.prefix { $0 != ":" }) \($0.line)" }, expected)
      XCTAssertTrue(caught.allSatisfy { $0.file == #filePath }, "\(caught)")
    }

    override func tearDown() { bag.disposeAll() }

    override func recordFailure(
      withDescription description: String, inFile filePath: String, atLine lineNumber: Int, expected: Bool
    ) {
      if isChecked {
        super.recordFailure(withDescription: description, inFile: filePath, atLine: lineNumber, expected: expected)
      } else {
        caught.append((description, filePath, lineNumber))
      }
    }

    private func subscribeLate(_ name: String) {
      let source = Emitter<Int>()
      source.finish()
      source.signal.map { $0 }.named(name).subscribe { _ in }.store(in: bag)
    }

    private let lineOfLateSubscriber = 37

    func testALateSubscriber() {
      subscribeLate("news")
      expected = ["late-subscriber \(lineOfLateSubscriber)"]
    }

    func testAsynchronously() async {
      await Task.yield()
      subscribeLate("news")
      expected = ["late-subscriber \(lineOfLateSubscriber)"]
    }

    func testAFailureIsToldWithThePathOfItsFile() {
      let source = Emitter<Int>()
      source.signal.subscribe { _ in }.store(in: bag)
      source.fail(CancellationError())
      expected = ["unhandled-failure \(#line - 2)"]
    }

    func testAnIgnoredName() { subscribeLate("may be late") }

    func testAnAllowedRule() {
      allowFindings(of: "late-subscriber")
      subscribeLate("news")
    }

    func testAnAllowedName() {
      allowFindings(named: "news")
      subscribeLate("news")
    }

    func testAnAllowanceThatIsNotNeeded() {
      allowFindings(of: "late-subscriber")
      expected = ["unused allowance \"late-subscriber\" \(#line - 2)"]
    }

    func testAHealthyTest() {
      let source = Emitter<Int>()
      source.signal.subscribe { _ in }.store(in: bag)
      source.send(1)
    }
  }
#endif
