import SignalPicture
import Synchronization
import Testing

/// What is known for the picture of a failure, while a marble test looks at what came.
///
/// Comparisons note what differs, and the next failure that is reported takes it. Nothing is drawn unless a test fails.
final class FailureSketch: Sendable {
  /// A source of a test.
  typealias Input = (log: SubscriptionLog, text: MarbleText, isHot: Bool)

  private struct State {
    var span: SubscriptionDiagram?
    var lines: ComparedLines?
    var subscriptions: SubscriptionComparison?
  }

  /// That of the test whose expectations are looked at.
  @TaskLocal static var current: FailureSketch?

  private let inputs: [Input]
  private let dialect: MarbleDialect
  private let frame: Duration
  private let state = Mutex(State())

  init(inputs: [Input], dialect: MarbleDialect, frame: Duration) {
    self.inputs = inputs
    self.dialect = dialect
    self.frame = frame
  }

  /// Draws what the closure reports.
  static func collect(for test: MarbleTest, _ body: () -> Void) {
    let sketch = FailureSketch(inputs: test.drawnInputs, dialect: test.dialect, frame: test.frame)
    $current.withValue(sketch, operation: body)
  }

  /// Begins with an observer.
  func begin(_ span: SubscriptionDiagram) { state.withLock { $0 = State(span: span) } }

  /// Notes what differs; only the first comparison of an observer is drawn, the others are parts of it.
  func note<Value>(_ comparison: MarbleComparison<Value>) {
    guard state.withLock({ $0.lines == nil }) else { return }
    let lines = comparison.compared
    state.withLock { $0.lines = lines }
  }

  /// Notes which subscriptions differ.
  func note(_ comparison: SubscriptionComparison) { state.withLock { $0 = State(subscriptions: comparison) } }

  /// Attaches the picture of what was noted to the running test.
  ///
  /// - Returns: What the message has to say about it; empty where there is nothing to say.
  static func attach(at place: MarbleSource) -> String {
    guard let picture = current?.take(at: place) else { return "" }
    let svg = picture.svg(options: MarbleDrawingOptions(maximumWidth: 960, showsTitle: true))
    let path = FailureAttachment.add(svg, kind: "svg", at: place)
    return path.map { "\n\n  picture: \($0)" } ?? ""
  }

  /// The picture of what was noted since the last one.
  func take(at place: MarbleSource) -> MarblePicture? {
    let state = state.withLock { state in
      defer { state = State() }
      return state
    }
    let title = [Test.current.map { $0.displayName ?? $0.name }, "\(place.fileName):\(place.line)"]
      .compactMap(\.self).joined(separator: ", ")
    if let comparison = state.subscriptions {
      let frame = (comparison.expected + comparison.actual).map(\.frame).min() ?? 1_000_000
      return MarblePicture(title: title, rows: inputRows + comparison.rows, frame: frame)
    }
    guard let lines = state.lines else { return nil }
    let code = TestedCode(at: place)?.expectedExpression.map { [MarblePicture.Row.box($0)] } ?? []
    return lines.picture(
      title: title, above: inputRows + code, from: state.span?.subscribed ?? 0, to: state.span?.unsubscribed)
  }

  /// The sources: one that runs on its own, or one line for each subscription to one that begins anew.
  private var inputRows: [MarblePicture.Row] {
    inputs.enumerated().flatMap { index, input -> [MarblePicture.Row] in
      let name = input.text.source.flatMap(TestedCode.init)?.assignedName ?? "input \(index + 1)"
      let parsed = try? ParsedMarbleDiagram(
        input.text, role: input.isHot ? .hot : .cold, dialect: dialect, frame: frame)
      guard let diagram = parsed?.diagram else { return [] }
      if input.isHot {
        var line = MarblePicture.Line(name, diagram)
        line.begin = min(0, diagram.start)
        return [.line(line)]
      }
      return input.log.diagrams(frame: diagram.frame).prefix(4).map { span in
        .line(MarblePicture.Line(name, diagram, offset: span.subscribed ?? 0, left: span.unsubscribed))
      }
    }
  }
}
