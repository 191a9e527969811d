import SignalGraph
import SignalPicture

extension PlacedPicture {
  /// The minimum part of a drawing that must have positions already; otherwise it is laid out as a whole.
  private static let leastKnownPart = 0.5

  /// Returns another drawing whose known boxes stay where they are in this one: only new boxes are placed, close to
  /// their inputs or outputs.
  ///
  /// - Returns: The drawing; nil if most boxes are new, so that a layout of the whole is better.
  func extended(to other: LivePicture) -> PlacedPicture? {
    let matches = matches(for: other, ofAnySize: true)
    let boxes = other.picture.boxes
    var positions = [LiveLayout.Box?](repeating: nil, count: boxes.count)
    var space = FreeSpace(taken: [])
    for (index, match) in matches.enumerated() {
      guard let match else { continue }
      var box = box(at: match)
      let (width, height) = BoxSize.of(boxes[index])
      // Graphviz rounds sizes.
      if abs(box.width - width) > 1 || abs(box.height - height) > 1 {
        (box.width, box.height) = (width, height)
        // A box that has grown into another one is placed again.
        guard space.fits(box, gap: 0) else { continue }
      }
      positions[index] = box
      space.take(box)
    }
    let known = positions.indices.filter { positions[$0] != nil }
    guard !known.isEmpty, Double(known.count) >= Double(boxes.count) * Self.leastKnownPart else { return nil }
    place(other, &positions, in: &space)
    let placed = positions.map { $0 ?? LiveLayout.Box(x: 0, y: 0, width: 0, height: 0) }
    var layout = LiveLayout()
    var frame = LiveLayout.Frame()
    frame.include([0, 0])
    for (number, box) in zip(other.numbers, placed) {
      layout.boxes[number] = box
      frame.include(box)
    }
    layout.lines = lines(for: other, at: matches, boxes: placed).map { line in
      var line = line
      (line.source, line.target) = (other.numbers[line.source], other.numbers[line.target])
      frame.include(line.points)
      return line
    }
    (layout.width, layout.height) = (frame.box.width, frame.box.height)
    let stayed = Set(known.filter { index in matches[index].map { arranged.contains($0) } ?? false })
    return PlacedPicture(
      picture: other, layout: layout, direction: direction, arranged: stayed, arrangedCount: arrangedCount)
  }

  /// Places the boxes without a position, each next to a neighbour that has one.
  private func place(_ other: LivePicture, _ positions: inout [LiveLayout.Box?], in space: inout FreeSpace) {
    let boxes = other.picture.boxes
    let joins = Self.joins(of: other)
    let byBox = Dictionary(
      joins.map { ($0.source, [$0]) } + joins.map { ($0.target, [$0]) }, uniquingKeysWith: +)
    var missing = positions.indices.filter { positions[$0] == nil }
    func hasNeighbour(_ index: Int) -> Bool {
      (byBox[index] ?? []).contains { positions[$0.source == index ? $0.target : $0.source] != nil }
    }
    while let next = missing.first(where: hasNeighbour) ?? missing.first {
      missing.removeAll { $0 == next }
      let (width, height) = BoxSize.of(boxes[next])
      let wanted = point(for: next, width: width, height: height, joins: byBox[next] ?? [], positions)
      let position = space.position(near: wanted, width: width, height: height)
      let box = LiveLayout.Box(x: position.x, y: position.y, width: width, height: height)
      positions[next] = box
      space.take(box)
    }
  }

  /// The preferred position of a box: after its inputs, else before its outputs, else at the beginning.
  private func point(
    for index: Int, width: Double, height: Double, joins: [Join], _ positions: [LiveLayout.Box?]
  ) -> (x: Double, y: Double) {
    /// The distance between ranks.
    let gap = 40.0
    if let source = joins.lazy.filter({ $0.target == index }).compactMap({ positions[$0.source] }).first {
      return direction == .right
        ? (source.x + source.width + gap, source.y + (source.height - height) / 2)
        : (source.x + (source.width - width) / 2, source.y + source.height + gap)
    }
    if let target = joins.lazy.filter({ $0.source == index }).compactMap({ positions[$0.target] }).first {
      return direction == .right
        ? (target.x - gap - width, target.y + (target.height - height) / 2)
        : (target.x + (target.width - width) / 2, target.y - gap - height)
    }
    return (0, 0)
  }
}
