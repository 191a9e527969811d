import SignalGraph
import Synchronization

/// The step of another pipeline, or the source of a signal that reads one, that requests a value or a subscription here
/// and now. Steps that are queried during the request are its inputs, whatever is between the two.
package struct AskingStep: Sendable {
  private enum Asker {
    case step(ReportedNode)
    /// The node of a chain, by its identifier.
    case source(UInt64)
  }

  private let asker: Asker

  @TaskLocal private static var current: AskingStep?
  /// Whether any step ever made a request: before that, the lookup is skipped.
  private static let isUsed = Atomic<Bool>(false)

  /// The innermost enclosing one.
  package static var innermost: AskingStep? { isUsed.load(ordering: .relaxed) ? current : nil }

  /// It does not retain the step: tasks started in the meantime have this as long as they run.
  package init?(_ reporter: GraphReporter) {
    guard let node = reporter.life?.node else { return nil }
    asker = .step(node)
  }

  /// The source of a signal, as the node of its chain.
  package init(_ node: NodeReference) {
    asker = .source(node.identifier)
  }

  /// Its identity.
  package var nodeID: UInt64 {
    switch asker {
    case .step(let node): node.identifier
    case .source(let identifier): identifier
    }
  }

  /// Runs a closure in which the step makes requests.
  package func ask<Result>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
  ) async rethrows -> Result {
    Self.isUsed.store(true, ordering: .relaxed)
    return try await Self.$current.withValue(self, operation: body)
  }

  /// Runs a closure in which the step makes requests.
  package func ask<Result>(_ body: () throws -> Result) rethrows -> Result {
    Self.isUsed.store(true, ordering: .relaxed)
    return try Self.$current.withValue(self, operation: body)
  }

  /// Connects a step to this.
  package func take(from reporter: GraphReporter) {
    guard let source = reporter.life?.node else { return }
    switch asker {
    case .step(let node): ReportedNode.connect(source, to: node, .data)
    case .source(let identifier): source.feeds(identifier)
    }
  }
}
