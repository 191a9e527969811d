/// Finds the cheapest differences between two lists of timed events, see ``pair(_:_:)``; by position if there are too
/// many.
struct EventAlignment<Value> {
  typealias Slot = MarbleTable.Slot
  typealias Difference = MarbleComparison<Value>.Difference

  let expected: [(slot: Slot, event: ExpectedEvent<Value>)]
  let actual: [(slot: Slot, event: ReceivedEvent<Value>)]
  let matcher: EventMatcher<Value>
  /// Above this many cells the table is not used and events are paired by position.
  var largestTable = 4_000_000

  private func agree(_ left: Int, _ right: Int) -> Bool {
    expected[left].slot == actual[right].slot && matcher.matches(expected[left].event, actual[right].event)
  }

  /// The differences in order of time; an event that moved counts where it came.
  func differences() -> [Difference] {
    alignment().enumerated()
      .sorted { (slot(of: $0.element), $0.offset) < (slot(of: $1.element), $1.offset) }
      .map(\.element)
  }

  private func slot(of difference: Difference) -> Slot {
    switch difference {
    case .different(let left, _), .missing(let left): expected[left].slot
    case .moved(_, let right), .extra(let right): actual[right].slot
    }
  }

  private func alignment() -> [Difference] {
    var head = 0
    while head < min(expected.count, actual.count), agree(head, head) { head += 1 }
    var expectedEnd = expected.count
    var actualEnd = actual.count
    while expectedEnd > head, actualEnd > head, agree(expectedEnd - 1, actualEnd - 1) {
      expectedEnd -= 1
      actualEnd -= 1
    }
    let rows = expectedEnd - head
    let columns = actualEnd - head
    guard (rows + 1) * (columns + 1) <= largestTable else {
      return byPosition(head..<expectedEnd, head..<actualEnd)
    }
    return byTable(head, rows, columns)
  }

  private func byPosition(_ left: Range<Int>, _ right: Range<Int>) -> [Difference] {
    var result: [Difference] = []
    for offset in 0..<max(left.count, right.count) {
      let (one, other) = (left.lowerBound + offset, right.lowerBound + offset)
      if one >= left.upperBound {
        result.append(.extra(actual: other))
      } else if other >= right.upperBound {
        result.append(.missing(expected: one))
      } else if !agree(one, other) {
        result += pair(one, other)?.differences ?? [.missing(expected: one), .extra(actual: other)]
      }
    }
    return result
  }

  /// The cost of reading one event as the other; missing and extra cost 10 each.
  ///
  /// An event at another time costs as little as a missing one, so that it is one difference. Another event at the same
  /// time costs more, but less than a missing and an extra one; one of another kind, such as an end instead of a value,
  /// costs most.
  private func pair(_ left: Int, _ right: Int) -> (cost: Int, differences: [Difference])? {
    let isSameTime = expected[left].slot == actual[right].slot
    let isSameEvent = matcher.matches(expected[left].event, actual[right].event)
    if isSameTime, isSameEvent { return (0, []) }
    if isSameEvent { return (10, [.moved(expected: left, actual: right)]) }
    if isSameTime {
      let cost = matcher.haveSameKind(expected[left].event, actual[right].event) ? 12 : 16
      return (cost, [.different(expected: left, actual: right)])
    }
    return nil
  }

  private func byTable(_ head: Int, _ rows: Int, _ columns: Int) -> [Difference] {
    let width = columns + 1
    var cost = [Int32](repeating: 0, count: (rows + 1) * width)
    for row in stride(from: rows, through: 0, by: -1) {
      for column in stride(from: columns, through: 0, by: -1) where row < rows || column < columns {
        var best = Int32.max
        if row < rows { best = min(best, cost[(row + 1) * width + column] + 10) }
        if column < columns { best = min(best, cost[row * width + column + 1] + 10) }
        if row < rows, column < columns, let pair = pair(head + row, head + column) {
          best = min(best, cost[(row + 1) * width + column + 1] + Int32(pair.cost))
        }
        cost[row * width + column] = best
      }
    }
    var result: [Difference] = []
    var (row, column) = (0, 0)
    while row < rows || column < columns {
      let here = cost[row * width + column]
      if row < rows, column < columns, let pair = pair(head + row, head + column),
        here == cost[(row + 1) * width + column + 1] + Int32(pair.cost)
      {
        result += pair.differences
        row += 1
        column += 1
      } else if row < rows, here == cost[(row + 1) * width + column] + 10 {
        result.append(.missing(expected: head + row))
        row += 1
      } else {
        result.append(.extra(actual: head + column))
        column += 1
      }
    }
    return result
  }
}
