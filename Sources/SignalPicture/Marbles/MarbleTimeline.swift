/// An instant of a diagram. Events during subscription have an instant of their own, before the others.
struct MarbleSlot: Hashable, Comparable {
  var nanoseconds: Int64
  var isInsideSubscribe = false

  static func < (left: MarbleSlot, right: MarbleSlot) -> Bool {
    left.nanoseconds != right.nanoseconds
      ? left.nanoseconds < right.nanoseconds : left.isInsideSubscribe && !right.isInsideSubscribe
  }
}

/// The positions of a diagram's instants, from left to right, and the division of a long diagram into bands below each
/// other.
///
/// Time is uniform where there is space: every frame has the same width. A stretch without events is shortened, with a
/// mark, and instants move apart if marbles would touch.
struct MarbleTimeline {
  /// The widths of a frame; a smaller one is used if that saves a band.
  static let units = [28, 23, 18]
  /// The maximum number of frames in a stretch; longer ones are shortened.
  private static let longestStretch: Int64 = 14
  private static let cutStretch = 140

  struct Column {
    var slot: MarbleSlot
    /// The position, relative to the left of its band.
    var x: Int
    /// The extents of the marbles at the instant.
    var left: Int
    var right: Int
    /// Whether the stretch before it was shortened.
    var isAfterCut: Bool
  }

  struct Band {
    var columns: [Column]
    var width: Int
    /// The columns by instant.
    var places: [MarbleSlot: Int] = [:]
    /// The number of events that are omitted between the band before and this one.
    var omittedBefore = 0

    var first: MarbleSlot { columns[0].slot }
    var last: MarbleSlot { columns[columns.count - 1].slot }
    func column(_ slot: MarbleSlot) -> Column? { places[slot].map { columns[$0] } }
  }

  private(set) var bands: [Band]
  /// The number of events that are omitted after the last band.
  private(set) var omittedAfter = 0
  /// The length of time that one unit of width represents.
  let grain: Int64
  /// Whether a unit is a frame.
  let showsFrames: Bool

  /// - Parameters:
  ///   - groups: The marbles of each line.
  ///   - others: Further instants, such as the beginnings of subscriptions.
  ///   - available: The maximum width of a band.
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

  /// Adds the numbers of events that were never laid out.
  mutating func addOmitted(before: Int, after: Int) {
    if before > 0, !bands.isEmpty { bands[0].omittedBefore += before }
    omittedAfter += after
  }

  /// The frame, or a longer time if all instants are far apart.
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
    // Between the events during subscription and the rest of the instant, with a word below.
    if time == 0 { return (46, false) }
    guard time / grain <= longestStretch else { return (cutStretch, true) }
    let rest = min(Int64(unit), time % grain / max(1, grain / Int64(unit)))
    return (max(unit / 2, Int(time / grain) * unit + Int(rest)), false)
  }

  /// Omits excess bands: first those without a difference, if there is any, then the last ones.
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
  /// The right end of the marbles of each line in this band.
  private var reach: [Int]
  /// The space between two marbles.
  private let space = 4
  /// The space after the last marble, for the point of the arrow.
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
  /// The number of events that it represents.
  var eventCount: Int {
    items.reduce(0) { sum, item in
      if case .others(let count) = item.shape { return sum + count }
      return sum + 1
    }
  }
}
