import SignalGraph
import SignalPicture

/// Keeps a recording within a number of events, in even stretches of all of its time: when it is full, every second stretch is dropped.
///
/// A stretch is complete, so causes within it can be followed. What is dropped is counted, and is a gap in the recording.
struct Thinning {
  /// How long a stretch is, in nanoseconds.
  private static let stretch: UInt64 = 10_000_000
  /// One stretch of so many is kept.
  private(set) var stride: UInt64 = 1
  /// How many events are dropped in each stretch.
  private var dropped: [UInt64: UInt64] = [:]
  private let limit: Int

  /// - Parameter limit: How many events are kept at most.
  init(limit: Int) { self.limit = limit }

  /// Adds an event, unless it is in a stretch that is not kept.
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
    recording.lost += dropped.values.reduce(0, +)
    recording.gaps = (recording.gaps + gaps).sorted { $0.time < $1.time }
    recording.thinned = note
  }

  /// What was dropped: one gap for stretches one after the other.
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

  /// What the user has to know of it.
  private var note: String {
    let part = stride < 1 << 40 ? "one of \(stride.grouped) stretches of 10 ms" : "the beginning"
    let events = limit == 1 ? "1 event" : "\(limit.grouped) events"
    return "There were more than \(events): \(part) is kept, evenly over the time. --limit sets how many there may be."
  }
}
