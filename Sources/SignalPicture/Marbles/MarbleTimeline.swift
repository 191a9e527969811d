/// An instant of a picture. What happens inside subscribe has one of its own, before the others.
struct MarbleSlot: Hashable, Comparable {
  var nanoseconds: Int64
  var isInsideSubscribe = false

  static func < (left: MarbleSlot, right: MarbleSlot) -> Bool {
    left.nanoseconds != right.nanoseconds
      ? left.nanoseconds < right.nanoseconds : left.isInsideSubscribe && !right.isInsideSubscribe
  }
}

/// Where the instants of a picture are, from left to right, and how a long picture is cut into bands below each other.
///
/// Time is even where there is room: a frame has one width. A stretch without events is cut short, with a mark, and instants move apart where
/// marbles would touch.
struct MarbleTimeline {
  /// How wide a frame is; less where that saves a band.
  static let units = [28, 23, 18]
  /// A stretch of more frames is cut short.
  private static let longestStretch: Int64 = 14
  private static let cutStretch = 140

  struct Column {
    var slot: MarbleSlot
    /// Seen from the left of its band.
    var x: Int
    /// How far the marbles of the instant reach.
    var left: Int
    var right: Int
    /// Whether the stretch before it was cut short.
    var isAfterCut: Bool
  }

  struct Band {
    var columns: [Column]
    var width: Int
    /// Columns by instant.
    var places: [MarbleSlot: Int] = [:]
    /// How many events come between the band before and this one, and are not drawn.
    var omittedBefore = 0

    var first: MarbleSlot { columns[0].slot }
    var last: MarbleSlot { columns[columns.count - 1].slot }
    func column(_ slot: MarbleSlot) -> Column? { places[slot].map { columns[$0] } }
  }

  private(set) var bands: [Band]
  /// How many events come after the last band, and are not drawn.
  private(set) var omittedAfter = 0
  /// The length of time that one unit of width stands for.
  let grain: Int64
  /// Whether a unit is a frame.
  let showsFrames: Bool

  /// - Parameters:
  ///   - groups: For each line its marbles.
  ///   - others: Further instants, such as the beginnings of subscriptions.
  ///   - available: How wide a band may be.
  init(
    groups: [[MarbleSlot: MarbleGroup]], others: [Int64], frame: Int64, available: Int, maximumBands: Int
  ) {
    var here: [MarbleSlot: [(line: Int, group: MarbleGroup)]] = [:]
    for (line, marbles) in groups.enumerated() {
      for (slot, group) in marbles { here[slot, default: []].append((line, group)) }
    }
    let slots = Set(here.keys).union(others.map { MarbleSlot(nanoseconds: $0) }).sorted()
    let (grain, showsFrames) = Self.grain(of: slots, frame: frame)
    (self.grain, self.showsFrames) = (grain, showsFrames)
    func bands(unit: Int) -> [Band] {
      var builder = BandBuilder(available: available, lineCount: groups.count)
      for (index, slot) in slots.enumerated() {
        let stretch = index == 0 ? nil : Self.stretch(from: slots[index - 1], to: slot, grain: grain, unit: unit)
        builder.add(slot, here[slot] ?? [], after: stretch)
      }
      return builder.finish()
    }
    let widest = bands(unit: Self.units[0])
    let narrower = Self.units.dropFirst().lazy.map(bands).first { $0.count == 1 }
    self.bands = widest.count == 2 ? narrower ?? widest : widest
    choose(maximumBands, marbles: here)
  }

  /// Counts events that were never laid out.
  mutating func addOmitted(before: Int, after: Int) {
    if before > 0, !bands.isEmpty { bands[0].omittedBefore += before }
    omittedAfter += after
  }

  /// The frame; or where all instants are far apart, more.
  private static func grain(of slots: [MarbleSlot], frame: Int64) -> (Int64, Bool) {
    let frame = max(1, frame)
    let times = slots.map(\.nanoseconds)
    let shortest = zip(times, times.dropFirst()).map { $1.subtractingSaturated($0) }.filter { $0 > 0 }.min() ?? frame
    let whole = (times.last ?? 0).subtractingSaturated(times.first ?? 0)
    return shortest / 4 > frame && whole / 20 > frame ? (shortest / 3, false) : (frame, true)
  }

  private static func stretch(
    from one: MarbleSlot, to other: MarbleSlot, grain: Int64, unit: Int
  ) -> (width: Int, isCut: Bool) {
    let time = other.nanoseconds.subtractingSaturated(one.nanoseconds)
    // Between what happens inside subscribe and the rest of the instant; there is a word below.
    if time == 0 { return (46, false) }
    guard time / grain <= longestStretch else { return (cutStretch, true) }
    let rest = min(Int64(unit), time % grain / max(1, grain / Int64(unit)))
    return (max(unit / 2, Int(time / grain) * unit + Int(rest)), false)
  }

  /// Leaves out bands that are too many: first those without a difference, if there is any, then the last ones.
  private mutating func choose(_ maximum: Int, marbles: [MarbleSlot: [(line: Int, group: MarbleGroup)]]) {
    guard bands.count > maximum else { return }
    func groups(_ band: Band) -> [MarbleGroup] { band.columns.flatMap { marbles[$0.slot] ?? [] }.map(\.group) }
    var kept = bands.indices.filter { groups(bands[$0]).contains(where: \.isDifferent) }
    if kept.isEmpty { kept = Array(bands.indices) }
    kept = Array(kept.prefix(maximum))
    var chosen: [Band] = []
    for index in bands.indices {
      if kept.contains(index) {
        bands[index].omittedBefore = omittedAfter
        chosen.append(bands[index])
        omittedAfter = 0
      } else {
        omittedAfter += groups(bands[index]).reduce(0) { $0 + $1.eventCount }
      }
    }
    bands = chosen
  }
}

/// Puts instants beside each other until a band is full.
private struct BandBuilder {
  private let available: Int
  private var bands: [MarbleTimeline.Band] = []
  private var columns: [MarbleTimeline.Column] = []
  /// How far the marbles of each line reach in this band.
  private var reach: [Int]
  /// Between two marbles.
  private let space = 4
  /// Behind the last marble, for the point of the arrow.
  private let tail = 24

  init(available: Int, lineCount: Int) {
    self.available = available
    reach = Array(repeating: 0, count: lineCount)
  }

  mutating func add(
    _ slot: MarbleSlot, _ marbles: [(line: Int, group: MarbleGroup)], after stretch: (width: Int, isCut: Bool)?
  ) {
    let left = marbles.map(\.group.left).max() ?? 0
    let right = marbles.map(\.group.right).max() ?? 0
    var x = max(8, left + 4)
    if let last = columns.last, let stretch {
      x = last.x + stretch.width
      for (line, group) in marbles { x = max(x, reach[line] + space + group.left) }
      if x + max(right, 10) + tail > available {
        close()
        x = max(16, left + 8)
      }
    }
    columns.append(
      MarbleTimeline.Column(
        slot: slot, x: x, left: left, right: right, isAfterCut: !columns.isEmpty && stretch?.isCut == true))
    for (line, group) in marbles { reach[line] = x + group.right }
  }

  private mutating func close() {
    guard !columns.isEmpty else { return }
    let width = columns.map { $0.x + max($0.right, 10) }.max() ?? 0
    bands.append(
      MarbleTimeline.Band(
        columns: columns, width: width + tail,
        places: Dictionary(columns.enumerated().map { ($0.element.slot, $0.offset) }) { first, _ in first }))
    columns = []
    reach = reach.map { _ in 0 }
  }

  mutating func finish() -> [MarbleTimeline.Band] {
    close()
    return bands
  }
}

extension MarbleGroup {
  /// How many events it stands for.
  var eventCount: Int {
    items.reduce(0) { sum, item in
      if case .others(let count) = item.shape { return sum + count }
      return sum + 1
    }
  }
}

extension Int64 {
  /// The difference, or the largest number where that does not fit.
  func subtractingSaturated(_ other: Int64) -> Int64 {
    let (difference, overflow) = subtractingReportingOverflow(other)
    return overflow ? (self < 0 ? .min : .max) : difference
  }
}
