import SignalGraph
import Synchronization

/// The step of another pipeline that asks, here and now, for a value or for a subscription. What is asked meanwhile feeds it, whatever is between the two.
package struct AskingStep: Sendable {
  private let node: ReportedNode

  @TaskLocal private static var current: AskingStep?
  /// Whether any step ever asked: before that, nobody need look for one.
  private static let isUsed = Atomic<Bool>(false)

  /// The innermost around this.
  package static var innermost: AskingStep? { isUsed.load(ordering: .relaxed) ? current : nil }

  /// It does not keep the step alive: tasks that are started meanwhile have this for as long as they run.
  package init?(_ reporter: GraphReporter) {
    guard let node = reporter.life?.node else { return nil }
    self.node = node
  }

  /// What tells it from others.
  package var nodeID: UInt64 { node.identifier }

  /// Runs a closure in which the step asks.
  package func ask<Result>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
  ) async rethrows -> Result {
    Self.isUsed.store(true, ordering: .relaxed)
    return try await Self.$current.withValue(self, operation: body)
  }

  /// Runs a closure in which the step asks.
  package func ask<Result>(_ body: () throws -> Result) rethrows -> Result {
    Self.isUsed.store(true, ordering: .relaxed)
    return try Self.$current.withValue(self, operation: body)
  }

  /// Connects a step to this.
  package func take(from reporter: GraphReporter) {
    if let source = reporter.life?.node { ReportedNode.connect(source, to: node, .data) }
  }
}
