import SignalGraph

/// The difference of a node from an earlier snapshot of the graph.
package enum PictureChange: String, Hashable, Sendable, CaseIterable {
  /// It did not exist before.
  case new
  /// It was live before, and is not live any more.
  case gone
}

extension PictureStyle {
  /// The paint of a box: findings take precedence over changes, and changes over the state.
  static func paint(_ box: GraphPicture.Box) -> Paint {
    if box.isChannel { return Paint(name: "channel", fill: "#FFFFFF", line: channel.line, width: 2.2) }
    let paint = paint(box.state, box.findings)
    guard paint.name != "leaked", let change = box.change else { return paint }
    return switch change {
    case .new: Paint(name: "new", fill: "#DFF3E7", line: "#007555", width: 2.5)
    case .gone: Paint(name: "gone", fill: "#FFFFFF", line: "#C62F2F", dashed: true, width: 2)
    }
  }
}
