/// The work that is due at one instant in one phase, in scheduling order, for a scheduling strategy.
///
/// The remaining work is counted in a Fenwick tree, so that neither finding nor removing an item is linear.
struct ReadyWork {
  private static var smallestCompaction: Int { 64 }

  private var slots: ContiguousArray<WorkQueue.Entry?> = []
  /// Element *i*, counted from 1, is the number of filled slots among the `i & -i` slots up to the *i*-th.
  private var sums: ContiguousArray<Int> = []
  private var positions: [ObjectIdentifier: Int] = [:]

  /// The number of remaining work items.
  var count: Int { positions.count }

  /// The remaining work, in scheduling order.
  var entries: some Sequence<WorkQueue.Entry> { slots.lazy.compactMap { $0 } }

  /// Adds work at the end.
  ///
  /// - Complexity: O(log *n*) amortised.
  mutating func append(_ entry: WorkQueue.Entry) {
    if slots.count >= Self.smallestCompaction, slots.count > count * 2 { compact() }
    add(entry)
  }

  /// Removes the work at an index among the remaining.
  ///
  /// - Complexity: O(log *n*).
  mutating func remove(at index: Int) -> WorkQueue.Entry? {
    var position = 0
    var before = index
    var step = slots.isEmpty ? 0 : 1 << (Int.bitWidth - 1 - slots.count.leadingZeroBitCount)
    while step > 0 {
      let next = position + step
      if next <= slots.count, sums[next - 1] <= before {
        before -= sums[next - 1]
        position = next
      }
      step >>= 1
    }
    return slots.indices.contains(position) ? take(position) : nil
  }

  /// The entry of a work item, if it is here.
  subscript(work: ObjectIdentifier) -> WorkQueue.Entry? {
    positions[work].flatMap { slots[$0] }
  }

  /// Removes a work item, if it is here.
  ///
  /// - Complexity: O(log *n*).
  mutating func remove(_ work: ObjectIdentifier) {
    if let position = positions[work] { _ = take(position) }
  }

  /// Removes everything.
  mutating func removeAll() -> [WorkQueue.Entry] {
    defer { self = ReadyWork() }
    return Array(entries)
  }

  private mutating func add(_ entry: WorkQueue.Entry) {
    positions[entry.identity] = slots.count
    slots.append(entry)
    let number = slots.count
    var sum = 1
    var part = number - 1
    while part > number - (number & -number) {
      sum += sums[part - 1]
      part -= part & -part
    }
    sums.append(sum)
  }

  private mutating func take(_ position: Int) -> WorkQueue.Entry? {
    guard let entry = slots[position] else { return nil }
    slots[position] = nil
    positions[entry.identity] = nil
    var number = position + 1
    while number <= slots.count {
      sums[number - 1] -= 1
      number += number & -number
    }
    return entry
  }

  private mutating func compact() {
    for entry in removeAll() { add(entry) }
  }
}
