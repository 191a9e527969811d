import SignalGraph

/// The estimated size of a drawing, in points, in one direction: boxes in ranks, components packed.
///
/// The figures are those of boxes as Graphviz draws them with the fonts of this package: about 6 points a character, 14
/// a line.
struct PictureShape {
  let direction: DrawingOptions.Direction
  private(set) var width = 0.0
  private(set) var height = 0.0

  /// The distance of the shape from 1.3 to 1, which suits screens and pages best; 0 is best.
  ///
  /// Wrapped components are harder to follow.
  private var distance: Double { abs(Self.logarithm(width / height / 1.3)) + (wrapping.isEmpty ? 0 : 1) }

  /// The links that lead back to the first rank, so that a long component is drawn as columns, or rows, side by side.
  private(set) var wrapping: Set<GraphPicture.Link> = []

  /// The number of components in a row, if they are arranged in rows.
  private(set) var columns = 1

  /// Whether it is neither too wide nor too high: between 1 to 2 and 2 to 1. Fewer than 12 boxes are legible in any
  /// shape.
  private(set) var isLegible = true

  /// The better of the two directions; down if it makes little difference.
  static func best(of picture: GraphPicture) -> PictureShape {
    let down = PictureShape(of: picture, .down)
    let right = PictureShape(of: picture, .right)
    return down.distance <= right.distance + 0.2 ? down : right
  }

  init(of picture: GraphPicture, _ direction: DrawingOptions.Direction) {
    self.direction = direction
    guard !picture.boxes.isEmpty else {
      (width, height) = (1, 1)
      return
    }
    let ranks = picture.ranks(direction)
    var area = 0.0
    var (sumOfWidths, sumOfHeights, count) = (0.0, 0.0, 0.0)
    var cuts: [(boxes: Set<UInt64>, length: Int)] = []
    for component in Dictionary(grouping: picture.boxes.indices, by: { ranks.components[$0] }).values {
      var (along, across) = Self.extent(of: component, in: picture, ranks, direction)
      let pieces = Self.pieces(along: along, across: across, of: component.count, direction)
      if pieces > 1 {
        let last = component.map { ranks.ranks[$0] }.max() ?? 0
        let length = (last + pieces) / pieces
        cuts.append((Set(component.map { picture.boxes[$0].id }), length))
        (along, across) = (along / Double(pieces), (across + 60) * Double(pieces))
      }
      let (wide, high) = direction == .down ? (across, along) : (along, across)
      (width, height) = (max(width, wide), max(height, high))
      area += (wide + 40) * (high + 40)
      (sumOfWidths, sumOfHeights, count) = (sumOfWidths + wide, sumOfHeights + high, count + 1)
    }
    columns = max(1, Int((1.3 * count * sumOfHeights / sumOfWidths).squareRoot().rounded()))
    wrapping = picture.links(acrossRanks: cuts, ranks.ranks)
    // The components packed beside the largest one fill the rest of a drawing of the best shape.
    width = max(width, (1.3 * area).squareRoot())
    height = max(height, area / width)
    isLegible = picture.boxes.count < 12 || (0.5...2).contains(width / height)
  }

  /// The number of pieces side by side into which a component is wrapped, if it is much longer than the preferred
  /// shape.
  private static func pieces(
    along: Double, across: Double, of count: Int, _ direction: DrawingOptions.Direction
  ) -> Int {
    let aim = direction == .down ? 1 / 1.3 : 1.3
    let excess = along / (across + 60) / aim
    guard count >= 12, excess > 2.6 else { return 1 }
    return max(2, Int(excess.squareRoot().rounded()))
  }

  /// How far a connected part reaches along the direction of values, and across it.
  static func extent(
    of component: [Int], in picture: GraphPicture, _ ranks: GraphPicture.Ranks,
    _ direction: DrawingOptions.Direction
  ) -> (along: Double, across: Double) {
    var sizes: [Int: (along: Double, across: Double)] = [:]
    for index in component {
      let size = size(of: picture.boxes[index])
      let (along, across) = direction == .down ? (size.height, size.width) : (size.width, size.height)
      let known = sizes[ranks.ranks[index]] ?? (0, 0)
      sizes[ranks.ranks[index]] = (max(known.along, along), known.across + across + 22)
    }
    let fan = ranks.fan[ranks.components[component[0]]] ?? 0
    return (sizes.values.reduce(0) { $0 + $1.along + 30 }, sizes.values.reduce(fan) { max($0, $1.across) })
  }

  private static func size(of box: GraphPicture.Box) -> (width: Double, height: Double) {
    let value = box.heading == nil && box.parts.contains { $0.lastValue != nil } ? 1 : 0
    let lines = value + (box.heading == nil ? min(6, box.parts.count) + (box.parts.count == 1 ? 1 : 0) : 1)
    let letters =
      box.heading?.count
      ?? box.parts.map { part in
        let name = part.name.map { min(48, $0.count) + 3 } ?? 0
        return box.parts.count == 1
          ? max(part.kind.count, name, part.site.count + 12) : part.kind.count + min(27, name) + part.site.count + 6
      }.max() ?? 10
    return (Double(min(letters, 80)) * 6 + 20, Double(lines) * 14 + 16)
  }

  /// The natural logarithm, precise enough for a comparison of shapes.
  static func logarithm(_ value: Double) -> Double {
    guard value.isNormal, value > 0 else { return .greatestFiniteMagnitude }
    // The binary exponent exactly, the significand linearly.
    return (Double(value.exponent) + value.significand - 1) * 0.6931
  }
}

extension GraphPicture {
  /// The ranks of boxes, by their indices.
  struct Ranks {
    /// The distance of each box from the sources.
    var ranks: [Int]
    /// The component of each box.
    var components: [Int]
    /// The minimum space across the ranks for the links of staggered fan-outs, by component.
    var fan: [Int: Double]
  }

  /// The links between pieces of a number of ranks.
  fileprivate func links(acrossRanks cuts: [(boxes: Set<UInt64>, length: Int)], _ ranks: [Int]) -> Set<Link> {
    guard !cuts.isEmpty else { return [] }
    let rank = Dictionary(uniqueKeysWithValues: boxes.indices.map { (boxes[$0].id, ranks[$0]) })
    var found: Set<Link> = []
    for (members, length) in cuts {
      for link in links where members.contains(link.source) {
        guard let source = rank[link.source], let target = rank[link.target] else { continue }
        if source / length != target / length { found.insert(link) }
      }
    }
    return found
  }

  /// Computes ranks from the longest path from a source.
  func ranks(_ direction: DrawingOptions.Direction) -> Ranks {
    let position = Dictionary(uniqueKeysWithValues: boxes.enumerated().map { ($1.id, $0) })
    let fans = fanRanks(direction)
    var outputs = [[(target: Int, distance: Int)]](repeating: [], count: boxes.count)
    var inputCount = [Int](repeating: 0, count: boxes.count)
    var components = Array(boxes.indices)
    func root(_ index: Int) -> Int {
      var index = index
      while components[index] != index {
        components[index] = components[components[index]]
        index = components[index]
      }
      return index
    }
    for link in links where link.source != link.target {
      guard let source = position[link.source], let target = position[link.target] else { continue }
      outputs[source].append((target, fans[link.target] ?? 1))
      inputCount[target] += 1
      components[root(source)] = root(target)
    }
    var ranks = [Int](repeating: 0, count: boxes.count)
    var isDone = [Bool](repeating: false, count: boxes.count)
    var ready = boxes.indices.filter { inputCount[$0] == 0 }
    var next = 0
    while true {
      if ready.isEmpty {
        // Only cycles are left: one of them has to begin somewhere.
        while next < boxes.count, isDone[next] { next += 1 }
        guard next < boxes.count else { break }
        ready = [next]
      }
      while let box = ready.popLast() {
        guard !isDone[box] else { continue }
        isDone[box] = true
        for (target, distance) in outputs[box] where !isDone[target] {
          ranks[target] = max(ranks[target], ranks[box] + distance)
          inputCount[target] -= 1
          if inputCount[target] == 0 { ready.append(target) }
        }
      }
    }
    let roots = boxes.indices.map(root)
    var fan: [Int: Double] = [:]
    for target in fans.keys {
      if let index = position[target] { fan[roots[index], default: 0] += direction == .down ? 42 : 27 }
    }
    return Ranks(ranks: ranks, components: roots, fan: fan)
  }
}
