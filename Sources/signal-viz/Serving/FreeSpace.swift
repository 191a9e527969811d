/// The area of a drawing that no box covers.
struct FreeSpace {
  private(set) var taken: [LiveLayout.Box]
  /// The minimum distance between boxes, in which arrows, badges and warnings are drawn.
  static let gap = 24.0

  /// Whether a box has the required distance from all others.
  func fits(_ box: LiveLayout.Box, gap: Double = Self.gap) -> Bool {
    !taken.contains { other in
      box.x < other.x + other.width + gap && other.x < box.x + box.width + gap
        && box.y < other.y + other.height + gap && other.y < box.y + box.height + gap
    }
  }

  mutating func take(_ box: LiveLayout.Box) { taken.append(box) }

  /// The free position nearest to a point.
  ///
  /// - Complexity: O(rows * boxes).
  func position(near point: (x: Double, y: Double), width: Double, height: Double) -> (x: Double, y: Double) {
    let bottom = (taken.map { $0.y + $0.height }.max() ?? -Self.gap) + Self.gap
    let step = (height + Self.gap) / 2
    let rows = Int((max(bottom, point.y) / step).rounded(.up)) + 1
    let nearest = (0...rows).flatMap { [point.y - Double($0) * step, point.y + Double($0) * step] }
    var best: (x: Double, y: Double, distance: Double)?
    for y in nearest + [bottom] where y >= 0 {
      // Leaving the row costs more than leaving the column, as a chain is read along its row.
      let across = 1.5 * abs(y - point.y)
      guard across < best?.distance ?? .infinity else { continue }
      let x = freeX(near: max(0, point.x), y: y, width: width, height: height)
      let distance = abs(x - point.x) + across
      if distance < best?.distance ?? .infinity { best = (x, y, distance) }
    }
    return best.map { ($0.x, $0.y) } ?? (0, bottom)
  }

  /// The free position in a row that is nearest to another position; there is always one to the right of all boxes.
  private func freeX(near x: Double, y: Double, width: Double, height: Double) -> Double {
    let row = taken.filter { $0.y < y + height + Self.gap && y < $0.y + $0.height + Self.gap }
    func isFree(_ x: Double) -> Bool {
      x >= 0
        && !row.contains { $0.x < x + width + Self.gap - 0.01 && x < $0.x + $0.width + Self.gap - 0.01 }
    }
    // The nearest is the position itself or one next to a box.
    let candidates = [x] + row.flatMap { [$0.x - width - Self.gap, $0.x + $0.width + Self.gap] }
    return candidates.filter(isFree).min { abs($0 - x) < abs($1 - x) } ?? x
  }
}
