extension MarblePicture {
  /// The part of a long picture that is there at all. What is outside is counted.
  package struct Excerpt: Hashable, Sendable {
    /// Events of one line from which on a part is enough.
    package static let largestCount = 1_500
    /// How many events before the first difference are drawn.
    private static let lead = 12
    /// How many events after it are drawn: what the bands of a picture hold.
    private static let rest = 600

    /// From when to when, in nanoseconds.
    package var times: ClosedRange<Int64>
    /// How many events before it are left out.
    package var eventsBefore: Int
    /// How many events after it are left out.
    package var eventsAfter: Int

    /// Makes an excerpt.
    package init(times: ClosedRange<Int64>, eventsBefore: Int, eventsAfter: Int) {
      self.times = times
      self.eventsBefore = eventsBefore
      self.eventsAfter = eventsAfter
    }

    /// The time that is worth drawing around a difference.
    ///
    /// - Parameters:
    ///   - time: When the first difference is.
    ///   - lines: For each line how many events it has, and when each of them is.
    package static func times(around time: Int64, of lines: [(count: Int, time: (Int) -> Int64)]) -> ClosedRange<Int64>
    {
      .around(
        time, before: lead, after: rest,
        lines.map { line in (line.count.firstIndex { line.time($0) >= time }, line.count, line.time) })
    }

    /// The positions of what is drawn of a line. At one instant there may be more of it than a picture holds.
    package static func indices(
      around time: Int64, in times: ClosedRange<Int64>, of count: Int, _ place: (Int) -> Int64
    ) -> Range<Int> {
      let index = count.firstIndex { place($0) >= time }
      return times.indices(of: count, place).clamped(to: max(0, index - lead)..<index + rest + 1)
    }
  }
}

extension ClosedRange<Int64> {
  /// The time around an instant in which no line has more than so many events, but for those of one instant; as long as the lines have events.
  ///
  /// - Parameter lines: For each line the position at the instant, how many events it has, and when each of them is.
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

  /// The positions of what lies in this time, of so many things in order of time.
  package func indices(of count: Int, _ time: (Int) -> Int64) -> Range<Int> {
    let begin = count.firstIndex { time($0) >= lowerBound }
    return begin..<Swift.max(begin, count.firstIndex { time($0) > upperBound })
  }
}

extension Int {
  /// The first position below this number for which something holds, if it holds for all that follow; this number if there is none.
  package func firstIndex(where holds: (Int) -> Bool) -> Int {
    var (low, high) = (0, self)
    while low < high {
      let middle = (low + high) / 2
      if holds(middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
