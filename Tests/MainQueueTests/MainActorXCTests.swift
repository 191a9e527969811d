import MainQueueTrial
import XCTest

/// Law 14: the main queue, in tests of the main actor.
@MainActor
final class MainActorXCTests: XCTestCase {
  func testEverythingBelowAHopIsOnTheMainQueue() async {
    let complaints = await MainQueueTrial().complaints()
    XCTAssertEqual(complaints, [])
  }
}
