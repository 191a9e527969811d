/// Why libgraphviz made no picture.
public struct RenderingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The step that failed.
  public enum Step: String, Hashable, Sendable {
    /// The library could not be started.
    case start
    /// The library could not read the graph.
    case read
    /// Computing places failed.
    case layout
    /// Painting failed.
    case paint
  }

  /// The step that failed.
  public var step: Step
  /// What the library said, one message a line.
  public var messages: [String]

  /// What failed, what the library said, and what to do.
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
