import SignalGraph
import SignalPicture

/// Limits a recording to a number of events, evenly over all of its time: when it is full, every second stretch is
/// dropped.
///
/// A stretch is complete, so causes within it can be followed. Dropped events are counted, and are gaps in the
/// recording.
struct Thinning {
  /// The length of a stretch, in nanoseconds.
  private static let stretch: UInt64 = 10_000_000
  /// One of this number of stretches is retained.
  private(set) var stride: UInt64 = 1
  /// The number of events dropped in each stretch.
  private var dropped: [UInt64: UInt64] = [:]
  private let limit: Int

  /// - Parameter limit: The maximum number of events retained.
  init(limit: Int) { self.limit = limit }

  /// Adds an event, unless it is in a dropped stretch.
  ///
  /// - Complexity: O(1) amortised.
  mutating func add(_ event: GraphEvent, to events: inout [GraphEvent]) {
    while events.count >= limit, keeps(event), stride < 1 << 40 {
      stride *= 2
      events.removeAll { event in
        guard !keeps(event) else { return false }
        dropped[event.time / Self.stretch, default: 0] += 1
        return true
      }
    }
    if keeps(event), events.count < limit {
      events.append(event)
    } else {
      dropped[event.time / Self.stretch, default: 0] += 1
    }
  }

  private func keeps(_ event: GraphEvent) -> Bool { (event.time / Self.stretch).isMultiple(of: stride) }

  /// Notes in a recording what was dropped, if anything was.
  func note(in recording: inout Recording) {
    guard !dropped.isEmpty else { return }
    recording.lost = recording.lost.addingSaturated(dropped.values.reduce(0, +))
    recording.gaps = (recording.gaps + gaps).sorted { $0.time < $1.time }
    recording.thinned = note
  }

  /// The dropped stretches, consecutive ones as one gap.
  private var gaps: [Recording.Gap] {
    var gaps: [Recording.Gap] = []
    for (number, count) in dropped.sorted(by: { $0.key < $1.key }) {
      if let last = gaps.last, last.time + last.duration == number * Self.stretch {
        gaps[gaps.count - 1].duration += Self.stretch
        gaps[gaps.count - 1].count += count
      } else {
        gaps.append(Recording.Gap(time: number * Self.stretch, duration: Self.stretch, count: count))
      }
    }
    return gaps
  }

  /// The message for the user.
  private var note: String {
    let part = stride < 1 << 40 ? "one of \(stride.grouped) stretches of 10 ms" : "the beginning"
    let events = limit == 1 ? "1 event" : "\(limit.grouped) events"
    return "There were more than \(events): \(part) is kept, evenly over the time. --limit sets how many there may be."
  }
}
