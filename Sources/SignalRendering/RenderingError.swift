/// The reason why libgraphviz created no drawing.
public struct RenderingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The step that failed.
  public enum Step: String, Hashable, Sendable {
    /// The library could not be started.
    case start
    /// The library could not read the graph.
    case read
    /// Computing the layout failed.
    case layout
    /// Painting failed.
    case paint
  }

  /// The step that failed.
  public var step: Step
  /// The library's messages, one per line.
  public var messages: [String]

  /// The failed step, the library's messages, and the remedy.
  public var description: String {
    let failure =
      switch step {
      case .start: "libgraphviz could not be started"
      case .read: "libgraphviz could not read the graph"
      case .layout: "libgraphviz could not lay out the graph"
      case .paint: "libgraphviz could not paint the graph"
      }
    let said = messages.isEmpty ? "" : ": \(messages.joined(separator: "; "))"
    return "\(failure)\(said). `signal-viz doctor` checks the installation."
  }
}
