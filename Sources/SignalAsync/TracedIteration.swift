import SignalRecording
import Synchronization

/// A traced sequence.
protocol TracedSequence {}

/// Its name is the kind of a sequence that is traced twice.
private enum Traced {}

/// An iteration of a traced sequence, as a node of the graph.
final class TracedIteration: Sendable {
  private let reporter: GraphReporter
  private let step: AskingStep
  /// The node that requested last; 0 before the first request.
  private let lastAsking = Atomic<UInt64>(0)

  /// - Returns: Nil while the graph is off.
  init?(of type: Any.Type, name: String?, fileID: StaticString, line: UInt, function: StaticString) {
    reporter = GraphReporter(
      kindOf: type is any TracedSequence.Type ? Traced.self : type, removing: ["Async", "Sequence"], named: name,
      fileID: fileID, line: line, function: function)
    guard let step = AskingStep(reporter) else { return nil }
    self.step = step
  }

  /// Begins the iteration.
  func begin<Iterator>(_ make: () -> Iterator) -> Iterator { step.ask(make) }

  /// Requests a value from the sequence, and records the result.
  func ask<Element, Failure>(
    isolation: isolated (any Actor)? = #isolation, _ next: () async -> Result<Element?, Failure>
  ) async -> Result<Element?, Failure> {
    begin()
    let result = await step.ask(isolation: isolation, next)
    switch result {
    case .success(.some): reporter.notePassing()
    case .success(nil): if Task.isCancelled { reporter.cancel() } else { reporter.finish() }
    case .failure(let error): if error is CancellationError { reporter.cancel() } else { reporter.fail(error) }
    }
    reporter.endAsked()
    return result
  }

  private func begin() {
    if let asking = AskingStep.innermost, lastAsking.exchange(asking.nodeID, ordering: .relaxed) != asking.nodeID {
      asking.take(from: reporter)
    }
    reporter.beginAsked()
  }
}
