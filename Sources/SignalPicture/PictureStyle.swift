import SignalGraph

/// The colours and lines of drawings: the Okabe-Ito palette, which is distinguishable with any colour vision. State is
/// never shown by colour alone: a word or a line style shows it too.
enum PictureStyle {
  /// The paint of a box.
  struct Paint: Equatable {
    var name: String
    var fill: String
    var line: String
    var dashed = false
    var width = 1.2
  }

  /// The style of a link.
  struct Stroke: Equatable {
    var line: String
    /// Graphviz's `style`.
    var style: String
    var arrow: String
    /// Whether the line is doubled.
    var doubled = false
    /// The width, if it differs from the default.
    var width: Double?
    /// Mermaid's arrow.
    var mermaid: String
    /// The meaning shown in the legend.
    var meaning: String

    /// Mermaid's arrow with a number.
    func mermaid(_ number: String?) -> String {
      guard let number else { return mermaid }
      // The number follows the text of a labelled arrow, or a plain arrow.
      return mermaid.hasSuffix(" .->") ? "\(mermaid.dropLast(4)) \(number) .->" : "\(mermaid)|\(number)|"
    }
  }

  static let text = "#1B2733"
  static let faintText = "#526170"
  /// The text colour of warnings.
  static let warning = "#A54500"

  /// The paint of a box: a leak is painted as a leak, whatever its state.
  static func paint(_ state: Node.State, _ findings: Set<Node.Finding>) -> Paint {
    if findings.contains(.leaked) {
      return Paint(name: "leaked", fill: "#FBDDEE", line: "#B5307F", width: 3)
    }
    return switch state {
    case .live: Paint(name: "live", fill: "#E6F1FA", line: "#0072B2")
    case .finished: Paint(name: "finished", fill: "#ECEFF1", line: "#7A8894")
    case .failed: Paint(name: "failed", fill: "#FFE3D1", line: "#D55E00", width: 2)
    case .disposed: Paint(name: "disposed", fill: "#FFFFFF", line: "#7A8894", dashed: true)
    }
  }

  /// The background of a callout's number, which is written in white.
  static func mark(isError: Bool) -> String { isError ? "#B5307F" : warning }

  /// The style of a link.
  static func stroke(_ link: GraphPicture.Link) -> Stroke {
    link.channel == nil ? stroke(link.kind) : channel
  }

  /// The style of a link between programs.
  static let channel = Stroke(
    line: "#6B3FA0", style: "dashed", arrow: "normal", width: 2.2, mermaid: "-.->",
    meaning: "channel between programs")

  /// The style of a kind of links.
  static func stroke(_ kind: Edge.Kind) -> Stroke {
    switch kind {
    case .data: Stroke(line: "#46586A", style: "solid", arrow: "normal", mermaid: "-->", meaning: "values")
    case .trigger:
      Stroke(line: "#B26A00", style: "dashed", arrow: "odiamond", mermaid: "-. trigger .->", meaning: "trigger")
    case .inner:
      Stroke(line: "#00815E", style: "dotted", arrow: "empty", mermaid: "-. inner .->", meaning: "inner subscription")
    case .hop:
      Stroke(
        line: "#0072B2", style: "solid", arrow: "normal", doubled: true, mermaid: "==>", meaning: "scheduler hop")
    case .feedback:
      Stroke(
        line: "#B5307F", style: "dashed", arrow: "vee", mermaid: "-. feedback .->", meaning: "sent by a handler")
    case .sampled:
      Stroke(
        // A ring looks the same at every slope of a link; a box on its corner is a diamond.
        line: text, style: "dashed", arrow: "odot", mermaid: "-. sampled .->",
        meaning: "kept until asked for")
    }
  }
}
