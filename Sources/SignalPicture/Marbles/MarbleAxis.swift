/// The time axis below a band.
struct MarbleAxis {
  struct Tick {
    var x: Int
    var label: String
  }

  private(set) var ticks: [Tick] = []
  /// The ticks of frames.
  private(set) var frames: [Int] = []

  init(_ band: MarbleTimeline.Band, timeline: MarbleTimeline) {
    var taken: [(from: Int, to: Int)] = []
    func add(_ x: Int, _ label: String) {
      let half = MarbleLabel.width(label, size: 11) / 2 + 3
      guard !taken.contains(where: { $0.from < x + half && x - half < $0.to }) else { return }
      taken.append((x - half, x + half))
      ticks.append(Tick(x: x, label: label))
    }
    // First the times that the reader cannot count: the beginning of the band, and its continuation after a gap.
    for (index, column) in band.columns.enumerated() {
      if column.slot.isInsideSubscribe {
        if column.slot.nanoseconds == 0 { add(column.x, "subscribe") }
      } else if index == 0 || column.isAfterCut {
        add(column.x, MarbleTime.words(column.slot.nanoseconds))
      }
      if index + 1 < band.columns.count, band.columns[index + 1].isAfterCut {
        add(column.x, MarbleTime.words(column.slot.nanoseconds))
      }
    }
    let grain = timeline.grain
    let (width, overflow) = grain.multipliedReportingOverflow(by: 2)
    let step = MarbleTime.step(atLeast: overflow ? .max / 2 : width)
    for (one, other) in zip(band.columns, band.columns.dropFirst()) where !other.isAfterCut {
      for time in Self.multiples(of: step, from: one.slot.nanoseconds, to: other.slot.nanoseconds) {
        add(Self.x(of: time, between: one, and: other), MarbleTime.words(time))
      }
      guard timeline.showsFrames else { continue }
      for time in Self.multiples(of: grain, from: one.slot.nanoseconds, to: other.slot.nanoseconds) {
        frames.append(Self.x(of: time, between: one, and: other))
      }
    }
    frames = Array(Set(frames)).sorted()
    ticks.sort { $0.x < $1.x }
  }

  private static func multiples(of step: Int64, from: Int64, to: Int64) -> [Int64] {
    let first = from / step + (from % step > 0 ? 1 : 0)
    let last = to / step - (to % step < 0 ? 1 : 0)
    guard first <= last, last - first < 64 else { return [] }
    return (first...last).map { $0 * step }
  }

  private static func x(
    of time: Int64, between one: MarbleTimeline.Column, and other: MarbleTimeline.Column
  ) -> Int {
    let whole = other.slot.nanoseconds.subtractingSaturated(one.slot.nanoseconds)
    guard whole > 0 else { return one.x }
    let part = time.subtractingSaturated(one.slot.nanoseconds)
    // In thousandths, to avoid overflow.
    let thousandths = whole > 1_000_000 ? part / (whole / 1_000) : part * 1_000 / whole
    return one.x + Int(min(1_000, thousandths)) * (other.x - one.x) / 1_000
  }
}
