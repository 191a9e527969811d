extension MarblePicture {
  /// The part of a long drawing that has data; events outside of it are counted.
  package struct Excerpt: Hashable, Sendable {
    /// The number of events on one line above which an excerpt is used.
    package static let largestCount = 1_500
    /// The number of events drawn before the first difference.
    private static let lead = 12
    /// The number of events drawn after it: the capacity of a drawing's bands.
    private static let rest = 600

    /// The time range, in nanoseconds.
    package var times: ClosedRange<Int64>
    /// The number of events omitted before it.
    package var eventsBefore: Int
    /// The number of events omitted after it.
    package var eventsAfter: Int

    /// Creates an excerpt.
    package init(times: ClosedRange<Int64>, eventsBefore: Int, eventsAfter: Int) {
      self.times = times
      self.eventsBefore = eventsBefore
      self.eventsAfter = eventsAfter
    }

    /// Returns the time range to draw around a difference.
    ///
    /// - Parameters:
    ///   - time: The time of the first difference.
    ///   - lines: For each line the number of its events, and the time of each.
    package static func times(around time: Int64, of lines: [(count: Int, time: (Int) -> Int64)]) -> ClosedRange<Int64>
    {
      .around(
        time, before: lead, after: rest,
        lines.map { line in (line.count.firstIndex { line.time($0) >= time }, line.count, line.time) })
    }

    /// Returns the positions of a line's drawn events. At a single instant there may be more events than a drawing can
    /// show.
    package static func indices(
      around time: Int64, in times: ClosedRange<Int64>, of count: Int, _ place: (Int) -> Int64
    ) -> Range<Int> {
      let index = count.firstIndex { place($0) >= time }
      return times.indices(of: count, place).clamped(to: max(0, index - lead)..<index + rest + 1)
    }
  }
}

extension ClosedRange<Int64> {
  /// Returns the time range around an instant in which no line has more than the given numbers of events, except for
  /// simultaneous ones; limited to the events of the lines.
  ///
  /// - Parameter lines: For each line the position at the instant, the number of its events, and the time of each.
  package static func around(
    _ instant: Int64, before: Int, after: Int, _ lines: [(index: Int, count: Int, time: (Int) -> Int64)]
  ) -> Self {
    let lines = lines.filter { $0.count > 0 }
    let begin =
      lines.filter { $0.index >= before }.map { $0.time(Swift.max(0, Swift.min($0.index, $0.count - 1) - before)) }
      .max()
      ?? lines.map { $0.time(0) }.min() ?? instant
    let end =
      lines.filter { $0.index + after < $0.count }.map { $0.time($0.index + after) }.min()
      ?? lines.map { $0.time($0.count - 1) }.max() ?? instant
    return Swift.min(begin, instant)...Swift.max(end, instant)
  }

  /// Returns the positions of the elements within this time range, given their number and their times in order.
  package func indices(of count: Int, _ time: (Int) -> Int64) -> Range<Int> {
    let begin = count.firstIndex { time($0) >= lowerBound }
    return begin..<Swift.max(begin, count.firstIndex { time($0) > upperBound })
  }
}

extension Int {
  /// Returns the first position below this number at which a condition holds, if it holds at all later ones; this
  /// number if there is none. A binary search.
  package func firstIndex(where holds: (Int) -> Bool) -> Int {
    var (low, high) = (0, self)
    while low < high {
      let middle = (low + high) / 2
      if holds(middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
