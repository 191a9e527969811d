import SignalGraph

/// Arranges the clusters of several programs and their content. Packing cannot be used with clusters: it makes Graphviz
/// 2.42 read freed memory.
///
/// The components of a program are arranged in rows. A program comes after those that send to it, or at the beginning
/// of the next column; unlinked programs are arranged in rows. Guides, which are invisible links, separate the rows.
struct ProgramArrangement {
  /// The extents along the direction of values and across it, in points.
  private struct Size {
    var along = 0.0
    var across = 0.0
  }

  /// Elements side by side.
  private struct Row {
    var members: [Int] = []
    var size = Size()
  }

  /// A component of a program's drawing.
  private struct Piece {
    var size: Size
    /// A box of the first rank.
    var head: UInt64
    /// A box of the last rank.
    var foot: UInt64
    /// Receivers are drawn first, senders last.
    var order: Int
  }

  private struct Program {
    var size = Size()
    var heads: [UInt64] = []
    var foot: UInt64?
  }

  let direction: DrawingOptions.Direction
  private(set) var guides: [ProgramFrames.Guide] = []
  private(set) var loose: Set<GraphPicture.Link> = []
  private var size = Size()

  /// The preferred ratio of width to height.
  private static let aim = 1.3
  /// The gap between clusters, with their margins and names.
  private static let gap = 60.0

  /// The better of two directions; down if it makes little difference.
  static func best(
    of parts: [GraphPicture], channels: ProgramPictures.Channels, _ direction: DrawingOptions.Direction
  ) -> ProgramArrangement {
    guard direction == .fitting else { return ProgramArrangement(of: parts, channels, direction) }
    let down = ProgramArrangement(of: parts, channels, .down)
    let right = ProgramArrangement(of: parts, channels, .right)
    return down.distance <= right.distance + 0.2 ? down : right
  }

  private var distance: Double {
    guard size.along > 0, size.across > 0 else { return 0 }
    let shape = direction == .down ? size.across / size.along : size.along / size.across
    return abs(PictureShape.logarithm(shape / Self.aim))
  }

  private init(
    of parts: [GraphPicture], _ channels: ProgramPictures.Channels, _ direction: DrawingOptions.Direction
  ) {
    self.direction = direction
    let programs = parts.map { arrange($0, channels) }
    let width = across(programs.map(\.size))
    let backward = backwardWays(channels, count: parts.count)
    for way in channels.ways where way.source == way.target || backward.contains([way.source, way.target]) {
      loose.insert(way.link)
    }
    // The extent along the direction for the preferred shape.
    let length = programs.reduce(0) { $0 + ($1.size.along + 30) * ($1.size.across + 30) } / max(width, 1)
    var column = [Int](repeating: 0, count: parts.count)
    var blocks: [(size: Size, heads: [UInt64], foot: UInt64?)] = []
    for block in Self.blocks(channels, backward, count: parts.count) {
      let rows = block.flatMap { level in shelve(level, within: width) { programs[$0].size } }
      let columns = Self.columns(of: rows, reaching: length)
      var (size, heads, foot, longest): (Size, [UInt64], UInt64?, Double) = (Size(), [], nil, 0)
      for (number, rows) in columns.enumerated() {
        var (own, last): (Size, UInt64?) = (Size(), nil)
        for (position, row) in rows.enumerated() {
          let rowHeads = row.members.flatMap { programs[$0].heads }
          if position == 0 { heads += rowHeads } else { guide(last, rowHeads) }
          last =
            row.members.max { programs[$0].size.along < programs[$1].size.along }.flatMap { programs[$0].foot } ?? last
          own = Size(along: own.along + row.size.along, across: max(own.across, row.size.across))
          for member in row.members { column[member] = number }
        }
        size = Size(along: max(size.along, own.along), across: size.across + own.across)
        if own.along > longest { (foot, longest) = (last, own.along) }
      }
      blocks.append((size, heads, foot))
    }
    for way in channels.ways where column[way.source] != column[way.target] { loose.insert(way.link) }
    var last: UInt64?
    for row in shelve(Array(blocks.indices), within: width, { blocks[$0].size }) {
      guide(last, row.members.flatMap { blocks[$0].heads })
      last = row.members.max { blocks[$0].size.along < blocks[$1].size.along }.flatMap { blocks[$0].foot } ?? last
      size = Size(along: size.along + row.size.along, across: max(size.across, row.size.across))
    }
  }

  // MARK: Inside a program

  private mutating func arrange(_ part: GraphPicture, _ channels: ProgramPictures.Channels) -> Program {
    let wrapping = PictureShape(of: part, direction).wrapping
    loose.formUnion(wrapping)
    let pieces = pieces(of: part.without(wrapping), channels)
    let rows = shelve(
      pieces.indices.sorted { (pieces[$0].order, pieces[$0].head) < (pieces[$1].order, pieces[$1].head) },
      within: across(pieces.map(\.size))
    ) { pieces[$0].size }
    var program = Program()
    for (number, row) in rows.enumerated() {
      let heads = row.members.map { pieces[$0].head }
      if number == 0 { program.heads = heads } else { guide(program.foot, heads) }
      program.foot = row.members.max { pieces[$0].size.along < pieces[$1].size.along }.map { pieces[$0].foot }
      program.size = Size(
        along: program.size.along + row.size.along, across: max(program.size.across, row.size.across))
    }
    program.size = Size(along: program.size.along + Self.gap, across: max(program.size.across, 200) + Self.gap)
    return program
  }

  private func pieces(of part: GraphPicture, _ channels: ProgramPictures.Channels) -> [Piece] {
    let ranks = part.ranks(direction)
    let receivers = Set(channels.links.map(\.target))
    let senders = Set(channels.links.map(\.source))
    return Dictionary(grouping: part.boxes.indices) { ranks.components[$0] }.values.map { members in
      let extent = PictureShape.extent(of: members, in: part, ranks, direction)
      // Members are in the order of their ids, so the answer is the same each time.
      let head = members.min { (ranks.ranks[$0], $0) < (ranks.ranks[$1], $1) } ?? members[0]
      let foot = members.max { (ranks.ranks[$0], -$0) < (ranks.ranks[$1], -$1) } ?? members[0]
      let ids = members.map { part.boxes[$0].id }
      return Piece(
        size: Size(along: extent.along, across: extent.across),
        head: part.boxes[head].id, foot: part.boxes[foot].id,
        order: ids.contains(where: receivers.contains) ? 0 : ids.contains(where: senders.contains) ? 2 : 1)
    }
  }

  // MARK: Rows

  /// The maximum extent of a row for the preferred shape of the whole.
  private func across(_ sizes: [Size]) -> Double {
    let area = sizes.reduce(0) { $0 + ($1.along + 30) * ($1.across + 30) }
    return (direction == .down ? Self.aim * area : area / Self.aim).squareRoot()
  }

  /// Rows up to a maximum extent, or with a single element that exceeds it.
  private func shelve(_ members: [Int], within width: Double, _ size: (Int) -> Size) -> [Row] {
    var rows: [Row] = []
    for member in members {
      let own = size(member)
      if rows.isEmpty || rows[rows.count - 1].size.across + own.across > width * 1.1 { rows.append(Row()) }
      rows[rows.count - 1].members.append(member)
      rows[rows.count - 1].size.across += own.across + 30
      rows[rows.count - 1].size.along = max(rows[rows.count - 1].size.along, own.along + 30)
    }
    return rows
  }

  /// Divides rows into columns side by side if they would be too long below each other.
  private static func columns(of rows: [Row], reaching length: Double) -> [[Row]] {
    let whole = rows.reduce(0) { $0 + $1.size.along }
    let count = max(1, min(rows.count, Int(whole / max(length, 1) + 0.3)))
    var columns = [[Row]](repeating: [], count: count)
    var above = 0.0
    for row in rows {
      // A row belongs to the column that contains its centre.
      columns[min(Int((above + row.size.along / 2) * Double(count) / max(whole, 1)), count - 1)].append(row)
      above += row.size.along
    }
    return columns.filter { !$0.isEmpty }
  }

  private mutating func guide(_ source: UInt64?, _ targets: [UInt64]) {
    guard let source else { return }
    guides += targets.map { ProgramFrames.Guide(source: source, target: $0) }
  }

  // MARK: Between programs

  /// The paths that close a cycle: from a program to one that it receives from, directly or through others.
  private func backwardWays(_ channels: ProgramPictures.Channels, count: Int) -> Set<[Int]> {
    var targets = [Set<Int>](repeating: [], count: count)
    var isTarget = [Bool](repeating: false, count: count)
    for way in channels.ways where way.source != way.target {
      targets[way.source].insert(way.target)
      isTarget[way.target] = true
    }
    var backward: Set<[Int]> = []
    var (isOpen, isSeen) = ([Bool](repeating: false, count: count), [Bool](repeating: false, count: count))
    func visit(_ program: Int) {
      isSeen[program] = true
      isOpen[program] = true
      for target in targets[program].sorted() {
        if isOpen[target] { backward.insert([program, target]) } else if !isSeen[target] { visit(target) }
      }
      isOpen[program] = false
    }
    // Programs without a sender come first.
    for program in (0..<count).sorted(by: { (isTarget[$0] ? 1 : 0, $0) < (isTarget[$1] ? 1 : 0, $1) })
    where !isSeen[program] {
      visit(program)
    }
    return backward
  }

  /// The groups of linked programs, each by the distance from the first sender; linked ones before unlinked ones.
  private static func blocks(
    _ channels: ProgramPictures.Channels, _ backward: Set<[Int]>, count: Int
  ) -> [[[Int]]] {
    let forward = Set(channels.ways.map { [$0.source, $0.target] }).filter { $0[0] != $0[1] && !backward.contains($0) }
    var root = Array(0..<count)
    func find(_ program: Int) -> Int { root[program] == program ? program : find(root[program]) }
    for way in forward { root[max(find(way[0]), find(way[1]))] = min(find(way[0]), find(way[1])) }
    var level = [Int](repeating: 0, count: count)
    // Without cycles this ends, at the latest with the length of the longest path.
    var isChanging = true
    while isChanging {
      isChanging = false
      for way in forward where level[way[1]] <= level[way[0]] {
        level[way[1]] = level[way[0]] + 1
        isChanging = true
      }
    }
    let blocks = Dictionary(grouping: 0..<count, by: find).values.map { members in
      Dictionary(grouping: members) { level[$0] }.sorted { $0.key < $1.key }.map { $0.value.sorted() }
    }
    return blocks.sorted { ($0.count > 1 ? 0 : 1, $0[0][0]) < ($1.count > 1 ? 0 : 1, $1[0][0]) }
  }
}
