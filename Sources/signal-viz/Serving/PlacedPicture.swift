import SignalGraph
import SignalPicture

/// A drawing with the positions of its boxes. Other drawings with the same or fewer boxes and links reuse them, so that
/// nothing moves when a chain ends, or begins again.
struct PlacedPicture {
  let picture: LivePicture
  let layout: LiveLayout
  /// The direction in which values travel.
  let direction: DrawingOptions.Direction
  /// The indices of the boxes that are where Graphviz placed them.
  let arranged: Set<Int>
  /// The number of boxes that Graphviz placed, some of which may have ended.
  let arrangedCount: Int

  init(
    picture: LivePicture, layout: LiveLayout, direction: DrawingOptions.Direction, arranged: Set<Int>,
    arrangedCount: Int
  ) {
    self.picture = picture
    self.layout = layout
    self.direction = direction
    self.arranged = arranged
    self.arrangedCount = arrangedCount
  }

  /// Creates a drawing from a layout by Graphviz.
  init(picture: LivePicture, layout: LiveLayout) {
    self.init(
      picture: picture, layout: layout, direction: picture.picture.direction(for: DrawingOptions()),
      arranged: Set(picture.keys.indices), arrangedCount: picture.keys.count)
  }

  /// Whether at least half of the drawn boxes are where Graphviz placed them, and at least half of those it placed are
  /// drawn.
  func isTidy(with places: Places) -> Bool {
    2 * places.count(where: arranged.contains) >= max(places.count, arrangedCount)
  }

  /// The position of each box of a drawing, as an index of the boxes of the one that was laid out.
  typealias Places = [Int]

  /// The minimum part of the layout that must still be present; otherwise the drawing has gaps.
  private static let leastPart = 0.6

  struct Join: Hashable {
    var source: Int
    var target: Int
    var kind: Edge.Kind
  }

  /// Returns the positions of another drawing's boxes; nil if it has boxes or links that this one has not.
  func places(for other: LivePicture) -> Places? {
    let (boxes, others) = (picture.picture.boxes, other.picture.boxes)
    guard others.count <= boxes.count, Double(others.count) >= Double(boxes.count) * Self.leastPart else { return nil }
    let found = matches(for: other).compactMap { $0 }
    let joins = Set(Self.joins(of: picture))
    guard found.count == others.count,
      Self.joins(of: other).allSatisfy({
        joins.contains(Join(source: found[$0.source], target: found[$0.target], kind: $0.kind))
      })
    else { return nil }
    return found
  }

  /// Returns the positions of the boxes of another drawing that this one has too, or that fit the position of a box of
  /// this one.
  ///
  /// - Parameter ofAnySize: Whether a box has its position even if it is drawn larger or smaller now.
  func matches(for other: LivePicture, ofAnySize: Bool = false) -> [Int?] {
    let (boxes, others) = (picture.picture.boxes, other.picture.boxes)
    let byKey = Dictionary(zip(picture.keys, picture.keys.indices)) { first, _ in first }
    var places = other.keys.indices.map { index -> Int? in
      byKey[other.keys[index]].flatMap { ofAnySize || Self.fits(others[index], into: boxes[$0]) ? $0 : nil }
    }
    var free = Set(boxes.indices).subtracting(places.compactMap { $0 })
    let joins = Set(Self.joins(of: picture))
    let otherJoins = Self.joins(of: other)
    let byBox = Dictionary(
      (otherJoins.map { ($0.source, [$0]) } + otherJoins.map { ($0.target, [$0]) }), uniquingKeysWith: +)
    let look = Dictionary(grouping: free) { Look(boxes[$0]) }
    // Boxes linked to boxes with a position come first; then the others in order.
    for isFirst in [true, true, true, true, false] {
      for index in places.indices where places[index] == nil {
        let links = (byBox[index] ?? []).filter {
          places[$0.source == index ? $0.target : $0.source] != nil || $0.source == $0.target
        }
        guard !isFirst || !links.isEmpty else { continue }
        places[index] = (look[Look(others[index])] ?? []).sorted().first { candidate in
          free.contains(candidate) && Self.fits(others[index], into: boxes[candidate])
            && links.allSatisfy { link in
              var moved = link
              moved.source = link.source == index ? candidate : places[link.source] ?? -1
              moved.target = link.target == index ? candidate : places[link.target] ?? -1
              return joins.contains(moved)
            }
        }
        if let place = places[index] { free.remove(place) }
      }
    }
    return places
  }

  /// The content of a box.
  private struct Look: Hashable {
    var definitions: [Int]
    var names: [String?]
    var heading: String?

    init(_ box: GraphPicture.Box) {
      definitions = box.parts.map(\.definition.id)
      names = box.parts.map(\.name)
      heading = box.heading
    }
  }

  /// Whether a box fits the position of another one.
  private static func fits(_ box: GraphPicture.Box, into other: GraphPicture.Box) -> Bool {
    let (size, otherSize) = (BoxSize.of(box), BoxSize.of(other))
    return size.height == otherSize.height && abs(size.width - otherSize.width) <= 24
  }

  static func joins(of picture: LivePicture) -> [Join] {
    let index = Dictionary(picture.picture.boxes.enumerated().map { ($1.id, $0) }) { first, _ in first }
    return picture.picture.links.compactMap { link in
      guard let source = index[link.source], let target = index[link.target] else { return nil }
      return Join(source: source, target: target, kind: link.kind)
    }
  }

  /// Returns the lines of another drawing, with the indices of its own boxes.
  func lines(for other: LivePicture, at places: Places) -> [LiveLayout.Line] {
    lines(for: other, at: places, boxes: places.map(box(at:)))
  }

  /// Returns the lines of another drawing of which only some boxes have positions here.
  ///
  /// - Parameter drawn: The positions of all of its boxes.
  func lines(for other: LivePicture, at places: [Int?], boxes drawn: [LiveLayout.Box]) -> [LiveLayout.Line] {
    let box = Dictionary(zip(picture.numbers, picture.numbers.indices)) { first, _ in first }
    let lines = Dictionary(
      layout.lines.compactMap { line -> (Join, LiveLayout.Line)? in
        guard let source = box[line.source], let target = box[line.target],
          Edge.Kind.allCases.indices.contains(line.kind)
        else { return nil }
        return (Join(source: source, target: target, kind: Edge.Kind.allCases[line.kind]), line)
      }
    ) { first, _ in first }
    return Self.joins(of: other).map { join in
      var known: LiveLayout.Line?
      // A line from the layout does not end at the edge of a box that has grown.
      if let source = places[join.source], let target = places[join.target],
        Self.isEqual(self.box(at: source), drawn[join.source]), Self.isEqual(self.box(at: target), drawn[join.target])
      {
        known = lines[Join(source: source, target: target, kind: join.kind)]
      }
      var line = known ?? Self.straightLine(from: drawn[join.source], to: drawn[join.target], join.kind)
      (line.source, line.target) = (join.source, join.target)
      return line
    }
  }

  /// Whether two boxes are equal up to Graphviz's rounding.
  private static func isEqual(_ box: LiveLayout.Box, _ other: LiveLayout.Box) -> Bool {
    box.x == other.x && box.y == other.y && abs(box.width - other.width) <= 1 && abs(box.height - other.height) <= 1
  }

  /// Returns a line between two boxes, for a link that was not laid out.
  private static func straightLine(from: LiveLayout.Box, to: LiveLayout.Box, _ kind: Edge.Kind) -> LiveLayout.Line {
    let (x, y) = (from.x + from.width / 2, from.y + from.height / 2)
    let (dx, dy) = (to.x + to.width / 2 - x, to.y + to.height / 2 - y)
    /// The distance at which a line from the centre of a box leaves it, with space for an arrow.
    func reach(_ box: LiveLayout.Box, gap: Double) -> Double {
      let part = min(box.width / 2 / max(abs(dx), 0.01), box.height / 2 / max(abs(dy), 0.01))
      return min(0.45, part + gap / max(1, (dx * dx + dy * dy).squareRoot()))
    }
    let (start, end) = (reach(from, gap: 0), 1 - reach(to, gap: 9))
    let points = [start, start + (end - start) / 3, end - (end - start) / 3, end].flatMap {
      [x + dx * $0, y + dy * $0]
    }
    return LiveLayout.Line(
      source: 0, target: 0, kind: Edge.Kind.allCases.firstIndex(of: kind) ?? 0, points: points)
  }

  /// The position of a box of another drawing.
  func box(at place: Int) -> LiveLayout.Box {
    layout.boxes[picture.numbers[place]] ?? LiveLayout.Box(x: 0, y: 0, width: 130, height: 48)
  }
}
