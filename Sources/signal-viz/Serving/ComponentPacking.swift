/// Packs the connected components of a layout closely, so that a window can show the whole as large as possible.
/// Graphviz gives each component, even a single box, the space of the largest one.
struct ComponentPacking {
  private struct Part {
    var boxes: [Int]
    var lines: [Int]
    var frame: LiveLayout.Box
  }

  private let layout: LiveLayout
  private var parts: [Part] = []
  /// The number of widths that are tried, and the number of components from which on only a few are.
  private static let (tries, manyParts) = (24, 500)

  init(of layout: LiveLayout) {
    self.layout = layout
    var roots = Dictionary(uniqueKeysWithValues: layout.boxes.keys.map { ($0, $0) })
    func root(_ box: Int) -> Int {
      var box = box
      while let next = roots[box], next != box {
        roots[box] = roots[next] ?? next
        box = next
      }
      return box
    }
    for line in layout.lines {
      let (source, target) = (root(line.source), root(line.target))
      roots[max(source, target)] = min(source, target)
    }
    let lines = Dictionary(grouping: layout.lines.indices) { root(layout.lines[$0].source) }
    for (first, boxes) in Dictionary(grouping: layout.boxes.keys.sorted(), by: root) {
      let own = lines[first] ?? []
      var frame = LiveLayout.Frame()
      for box in boxes { if let box = layout.boxes[box] { frame.include(box) } }
      for line in own { frame.include(layout.lines[line].points) }
      parts.append(Part(boxes: boxes, lines: own, frame: frame.box))
    }
    // Sorted by height, then width, so that equal components form rows and columns.
    func rank(_ part: Part) -> (Double, Double, Int) { (part.frame.height, part.frame.width, -part.boxes[0]) }
    parts.sort { rank($0) > rank($1) }
  }

  /// The layout that a window can show at the largest scale.
  func packed(for window: PageWindow) -> LiveLayout {
    guard parts.count > 1 else { return layout }
    let widest = parts.reduce(0) { max($0, $1.frame.width) }
    let area = parts.reduce(0) { $0 + ($1.frame.width + FreeSpace.gap) * ($1.frame.height + FreeSpace.gap) }
    let ideal = max(widest, (area * window.width / window.height).squareRoot())
    let tries = parts.count < Self.manyParts ? Self.tries : 3
    let widths = [widest] + (0..<tries).map { ideal * (0.8 + Double($0) / Double(tries)) }.filter { $0 > widest }
    let best = widths.map { width in (positions: positions(within: width), width: width) }
      .max { window.scale(of: size($0.positions)) < window.scale(of: size($1.positions)) }
    return best.map { moved(to: $0.positions) } ?? layout
  }

  /// The position of each component: as far up as there is space, then as far left.
  private func positions(within width: Double) -> [(x: Double, y: Double)] {
    // The lower edge of the placed components, from left to right.
    var skyline = [(x: 0.0, y: 0.0)]
    return parts.map { part in
      let (partWidth, partHeight) = (part.frame.width + FreeSpace.gap, part.frame.height + FreeSpace.gap)
      var best = (index: 0, y: Double.infinity)
      for index in skyline.indices {
        let right = skyline[index].x + partWidth
        guard index == 0 || right <= width + FreeSpace.gap else { break }
        var y = 0.0
        for edge in skyline[index...] where edge.x < right { y = max(y, edge.y) }
        if y < best.y { best = (index, y) }
      }
      let (x, right) = (skyline[best.index].x, skyline[best.index].x + partWidth)
      let after = skyline.last { $0.x <= right }?.y ?? 0
      skyline.removeAll { $0.x >= x && $0.x < right }
      skyline.insert((x, best.y + partHeight), at: best.index)
      if !skyline.contains(where: { $0.x == right }) { skyline.insert((right, after), at: best.index + 1) }
      return (x, best.y)
    }
  }

  private func size(_ positions: [(x: Double, y: Double)]) -> (width: Double, height: Double) {
    zip(parts, positions).reduce((0, 0)) { size, placed in
      (max(size.0, placed.1.x + placed.0.frame.width), max(size.1, placed.1.y + placed.0.frame.height))
    }
  }

  private func moved(to positions: [(x: Double, y: Double)]) -> LiveLayout {
    var moved = layout
    (moved.width, moved.height) = size(positions)
    for (part, position) in zip(parts, positions) {
      let (dx, dy) = (position.x - part.frame.x, position.y - part.frame.y)
      for box in part.boxes {
        moved.boxes[box]?.x += dx
        moved.boxes[box]?.y += dy
      }
      for line in part.lines {
        for index in moved.lines[line].points.indices { moved.lines[line].points[index] += index % 2 == 0 ? dx : dy }
      }
    }
    return moved
  }
}
