#if !canImport(Darwin)
  import SignalTesting
  import Testing
  import XCTest

  /// Under XCTest the issue of a `#require` goes nowhere: only its error tells that a search has found something. The failures are caught in
  /// `recordFailure`, which exists outside of Apple's XCTest only.
  final class SearchRacesTestCase: XCTestCase {
    private var caught: [String] = []
    private var isOver = false

    override func invokeTest() {
      super.invokeTest()
      isOver = true
      XCTAssertEqual(caught.count, 1)
      XCTAssertTrue(caught.first?.contains("threw") == true, "\(caught)")
    }

    override func recordFailure(
      withDescription description: String, inFile filePath: String, atLine lineNumber: Int, expected: Bool
    ) {
      if isOver {
        super.recordFailure(withDescription: description, inFile: filePath, atLine: lineNumber, expected: expected)
      } else {
        caught.append(description)
      }
    }

    private func search(failingIn place: String) {
      let fail: @Sendable (String) throws -> Void = { if $0 == place { _ = try #require(Int("two")) } }
      searchRaces(rounds: 3) { race in
        race.thread { _ in try fail("thread") }
        race.thread { _ in }
        race.anywhere("require") { try fail("anywhere") }
        race.check { try fail("check") }
        try fail("scenario")
      }
    }

    func testARequirementOfACheck() { search(failingIn: "check") }
    func testARequirementOfAThread() { search(failingIn: "thread") }
    func testARequirementAnywhere() { search(failingIn: "anywhere") }
    func testARequirementOfTheScenario() { search(failingIn: "scenario") }
  }
#endif
