import Signals
import Synchronization

/// The unhandled failures of subscriptions that are created in a test.
final class FailureLog: Sendable {
  private struct Entry: Hashable {
    let site: Site
    let error: String
  }

  private struct State {
    /// The number of each, in the order in which they came first.
    var counts: [(entry: Entry, count: Int)] = []
    var positions: [Entry: Int] = [:]
    var isOver = false
  }

  private let state = Mutex(State())

  /// Collects the failures of subscriptions created in the closure, at any time up to the end of the test.
  func collect<Result>(_ body: () throws -> Result) rethrows -> Result {
    try UnhandledFailure.withHandler({ [self] in note($0) }, operation: body)
  }

  /// Collects the failures of subscriptions created in an asynchronous closure, at any time up to the end of the test.
  func collect<Result>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
  ) async rethrows -> Result {
    try await UnhandledFailure.withHandler({ [self] in note($0) }, operation: body)
  }

  /// Notes a failure.
  func note(_ failure: UnhandledFailure) {
    let entry = Entry(site: failure.site, error: String(describing: failure.error))
    let isOver = state.withLock { state in
      if state.isOver { return true }
      if let position = state.positions[entry] {
        state.counts[position].count += 1
      } else {
        state.positions[entry] = state.counts.count
        state.counts.append((entry, 1))
      }
      return false
    }
    // The test cannot fail any more.
    if isOver { failure.reportToProcess(asksTests: false) }
  }

  /// Ends the test, and returns the messages with the locations of the subscriptions.
  ///
  /// - Parameter place: A location in a file near the test, for the paths of others.
  func conclude(at place: MarbleSource) -> [(message: String, source: MarbleSource)] {
    let counts = state.withLock { state in
      defer {
        state = State()
        state.isOver = true
      }
      return state.counts
    }
    return counts.map { entry, count in
      let times = count == 1 ? "" : " (\(count) times)"
      return (
        "unhandled failure of this subscription\(times): \(entry.error)\n"
          + "  To do: add an onFailure: closure to the subscription, or handle the failure above it with catch or retry. "
          + "If the test expects the failure, subscribe inside UnhandledFailure.withHandler(_:operation:).",
        MarbleSource(entry.site, near: place)
      )
    }
  }
}
