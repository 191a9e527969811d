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
      var (begin, end) = (time, time)
      for line in lines where line.count > 0 {
        let index = line.count.firstIndex { line.time($0) >= time }
        begin = min(begin, line.time(max(0, min(index, line.count - 1) - lead)))
        end = max(end, line.time(min(line.count - 1, index + rest)))
      }
      return begin...end
    }
  }
}

extension ClosedRange<Int64> {
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
