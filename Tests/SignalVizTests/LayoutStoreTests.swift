import SampleGraphs
import Synchronization
import Testing

@testable import signal_viz

/// Layouts of the live page that fail.
@Suite(.timeLimit(.minutes(20))) struct LayoutStoreTests {
  private final class Attempts: Sendable {
    struct State {
      var now = ContinuousClock.now
      var count = 0
      var fails = true
    }
    let state = Mutex(State())
  }

  private struct Broken: Error {}

  private func failure(_ answer: LayoutStore.Answer) -> Bool? {
    switch answer {
    case .waiting: nil
    case .done: false
    case .failed: true
    }
  }

  @Test func aFailedOneIsTriedAgainAfterAWhile() throws {
    let attempts = Attempts()
    let store = LayoutStore {
      attempts.state.withLock { $0.now }
    } lay: { _ in
      try attempts.state.withLock { state in
        state.count += 1
        // An attempt takes two seconds.
        state.now += .seconds(2)
        if state.fails { throw Broken() }
        return LiveLayout()
      }
    }
    let picture = try LivePicture(of: SampleGraphs.searchBox, view: PageView(PageQuery("")), last: nil)
    func isFailed() -> Bool? { failure(store.layout(of: picture)) }
    #expect(try ProcessTable.eventually("it fails") { isFailed() })
    attempts.state.withLock { state in
      state.fails = false
      state.now += .seconds(19)
    }
    #expect(isFailed() == true && attempts.state.withLock { $0.count } == 1)
    attempts.state.withLock { $0.now += .seconds(1) }
    // Until there is another result it is the earlier one.
    #expect(try ProcessTable.eventually("it is tried again") { isFailed() == true ? nil : false } == false)
    #expect(isFailed() == false && attempts.state.withLock { $0.count } == 2)
  }
}
