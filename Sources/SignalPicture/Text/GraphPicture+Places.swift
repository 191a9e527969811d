import SignalGraph

extension GraphPicture {
  /// Returns the part of the drawing in DOT that determines positions: boxes of given sizes without text, for another
  /// renderer.
  ///
  /// A link's colour is `#` and the index of its kind in six digits: the format `plain` has no other field for it.
  ///
  /// - Parameters:
  ///   - direction: The direction in which values travel.
  ///   - ignoresFeedback: Whether feedback by handlers has no influence on positions: otherwise it connects what could
  ///     be side by side.
  ///   - graphAttributes: Further attributes of the whole graph, such as `nslimit`.
  ///   - numbers: The number that identifies each box, in the order of ``boxes``, from 0; it determines the order of
  ///     output.
  ///   - size: The size of a box, in points.
  package func places(
    _ direction: DrawingOptions.Direction, ignoresFeedback: Bool = false, graphAttributes: [String: String] = [:],
    numbers: [Int], size: (Box) -> (width: Double, height: Double)
  ) -> String {
    if ignoresFeedback, links.contains(where: { $0.kind == .feedback }) {
      return withoutFeedback.places(direction, graphAttributes: graphAttributes, numbers: numbers, size: size)
    }
    let shape = shape(for: DrawingOptions(direction: direction))
    var attributes = [
      "nodesep": nodeGap(shape.direction), "rankdir": shape.direction == .down ? "TB" : "LR", "ranksep": "0.5",
    ]
    attributes.merge(packing(columns: shape.columns)) { _, new in new }
    attributes.merge(graphAttributes) { _, new in new }
    let list = attributes.sorted { $0.key < $1.key }.map { "\($0.key)=\"\($0.value)\"" }
    var lines = [
      "digraph signals {", "  graph [\(list.joined(separator: ", "))];",
      "  node [fixedsize=\"true\", label=\"\", shape=\"box\"];", "  edge [arrowsize=\"0.9\"];",
    ]
    let numberOfBox = Dictionary(zip(boxes.map(\.id), numbers)) { first, _ in first }
    for (number, box) in zip(numbers, boxes).sorted(by: { $0.0 < $1.0 }) {
      let (width, height) = size(box)
      lines.append("  n\(number) [width=\"\(width / 72)\", height=\"\(height / 72)\"];")
    }
    let ranks = fanRanks(shape.direction)
    let numbered = links.compactMap { link -> (link: Link, source: Int, target: Int)? in
      guard let source = numberOfBox[link.source], let target = numberOfBox[link.target] else { return nil }
      return (link, source, target)
    }
    for (link, source, target) in numbered.sorted(by: { ($0.source, $0.target) < ($1.source, $1.target) }) {
      let kind = Edge.Kind.allCases.firstIndex(of: link.kind) ?? 0
      var attributes = ["color=\"#00000\(kind)\""]
      if shape.wrapping.contains(link) { attributes.append("constraint=\"false\"") }
      if let rank = ranks[link.target], rank > 1 { attributes.append("minlen=\"\(rank)\"") }
      lines.append("  n\(source) -> n\(target) [\(attributes.joined(separator: ", "))];")
    }
    return lines.joined(separator: "\n") + "\n}\n"
  }
}
