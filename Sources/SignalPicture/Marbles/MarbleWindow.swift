/// The part of a diagram that is laid out: of thousands of instants only some can be drawn, so the others need no
/// space.
struct MarbleWindow {
  /// The maximum number of instants, more than any readable number of bands shows.
  private static let largestCount = 1_500
  /// The number of instants retained before the first difference.
  private static let lead = 12

  private let range: ClosedRange<MarbleSlot>?
  private(set) var omittedBefore = 0
  private(set) var omittedAfter = 0

  init(_ rows: ArraySlice<MarblePicture.Row>, excerpt: MarblePicture.Excerpt?) {
    if let excerpt {
      range =
        MarbleSlot(
          nanoseconds: excerpt.times.lowerBound, isInsideSubscribe: true)...MarbleSlot(
          nanoseconds: excerpt.times.upperBound)
      omittedBefore = excerpt.eventsBefore
      omittedAfter = excerpt.eventsAfter
      return
    }
    let moments = rows.flatMap { row -> [MarblePicture.Moment] in
      if case .line(let line) = row { return line.moments }
      return []
    }
    guard moments.count > Self.largestCount, case let slots = Set(moments.map(\.slot)).sorted(),
      slots.count > Self.largestCount
    else {
      range = nil
      return
    }
    let different = moments.filter { $0.events.contains { $0.difference != nil } }.map(\.slot).min()
    let index = different.flatMap { slot in slots.firstIndex { $0 >= slot } } ?? 0
    let start = max(0, min(index - Self.lead, slots.count - Self.largestCount))
    let range = slots[start]...slots[start + Self.largestCount - 1]
    self.range = range
    for moment in moments where !range.contains(moment.slot) {
      if moment.slot < range.lowerBound {
        omittedBefore += moment.events.count
      } else {
        omittedAfter += moment.events.count
      }
    }
  }

  func contains(_ slot: MarbleSlot) -> Bool { range?.contains(slot) ?? true }
}
