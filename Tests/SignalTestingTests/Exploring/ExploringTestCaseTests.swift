#if canImport(XCTest)
  import Signals
  import XCTest

  @testable import SignalTesting

  final class ExploringTestCaseTests: ExploringTestCase {
    /// Three work items, the last of which must not come first.
    private func explore() -> Interleavings {
      exploreInterleavings { scheduler in
        let order = Property<[Int]>([])
        for number in 0..<3 { scheduler.schedule { order.update { $0.append(number) } } }
        try scheduler.run()
        XCTAssertNotEqual(order.value.first, 2)
      }
    }

    func testAnAssertionIsHeldBackAndToldOnce() {
      let capture = FailureCapture()
      var result: Interleavings?
      capture.hold { result = explore() }
      let failures = capture.take()
      XCTAssertEqual(failures.count, 1)
      XCTAssertEqual(result?.swapCount, 2)
      XCTAssertTrue(failures.first?.message.contains("XCTAssertNotEqual failed") ?? false)
      XCTAssertTrue(failures.first?.source?.filePath.hasSuffix("ExploringTestCaseTests.swift") ?? false)
    }

    func testHealthyScenariosReportNothing() {
      let result = exploreInterleavings { scheduler in
        let total = Property(0)
        for price in [5, 7, 9] { scheduler.schedule { total.update { $0 += price } } }
        try scheduler.run()
        XCTAssertEqual(total.value, 21)
      }
      XCTAssertEqual(result.runCount, 6)
    }
  }
#endif
