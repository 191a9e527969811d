import HeapModule

/// What waits in virtual time, the earliest first.
struct WorkQueue {
  /// Work that the queue has forgotten, on its way to be released once no lock is held.
  typealias Garbage = ContiguousArray<QueuedWork>

  /// One piece of work in the queue, which holds a reference to it: 32 bytes, without a reference count to change when it is moved.
  struct Entry: Comparable {
    var key: QueuedWork.Key
    let work: Unmanaged<QueuedWork>

    static func < (left: Entry, right: Entry) -> Bool { left.key < right.key }
    static func == (left: Entry, right: Entry) -> Bool { left.key == right.key }

    /// When the work is really due; nil if it is over.
    var moment: QueuedWork.Key? { work._withUnsafeGuaranteedRef { $0.moment(queuedFor: key) } }

    /// Takes the work for running, if it is not over and has not been put off.
    func claim() -> QueuedWork.Claim { work._withUnsafeGuaranteedRef { $0.claim(queuedFor: key) } }

    /// Gives the reference away, for work that is over.
    func forget() -> QueuedWork {
      let work = work.takeRetainedValue()
      work.forgotten(queuedFor: key)
      return work
    }
  }

  private static var smallestSweep: Int { 64 }

  private var entries = Heap<Entry>()
  /// How many entries there are when cancelled ones are looked for next: twice as many as were left the last time, so that a timer that is
  /// set and cancelled again and again does not pile up, at a constant cost for each.
  private var sweepCount = smallestSweep

  /// The entry that comes first.
  var first: Entry? { entries.min }

  /// Adds work.
  ///
  /// - Parameter garbage: Takes cancelled work that was found, for release once no lock is held.
  /// - Complexity: O(log *n*) amortised.
  mutating func insert(_ entry: Entry, garbage: inout Garbage) {
    if entries.count >= sweepCount { sweep(&garbage) }
    entries.insert(entry)
  }

  /// Takes out the entry that comes first. The queue must not be empty.
  ///
  /// - Complexity: O(log *n*).
  @discardableResult
  mutating func removeFirst() -> Entry {
    defer {
      if entries.count * 4 < sweepCount { sweepCount = max(Self.smallestSweep, entries.count * 2) }
    }
    return entries.removeMin()
  }

  /// Puts another entry in the place of the one that comes first, and then where it belongs.
  ///
  /// - Complexity: O(log *n*).
  mutating func replaceFirst(with entry: Entry) {
    entries.replaceMin(with: entry)
  }

  /// How many pieces of work wait, cancelled ones not counted.
  ///
  /// - Complexity: O(*n*).
  var count: Int { entries.unordered.count { $0.moment != nil } }

  /// Whether work is due until a moment.
  ///
  /// - Complexity: O(*n*).
  func isDue(until target: Int128) -> Bool {
    entries.unordered.contains { $0.moment.map { $0.deadline <= target } ?? false }
  }

  /// Empties the queue.
  ///
  /// - Returns: All that was in it, for release once no lock is held.
  mutating func removeAll() -> Garbage {
    defer { entries = Heap() }
    return Garbage(entries.unordered.map { $0.work.takeRetainedValue() })
  }

  private mutating func sweep(_ garbage: inout Garbage) {
    if entries.unordered.contains(where: { $0.moment == nil }) {
      var kept: [Entry] = []
      for entry in entries.unordered {
        if entry.moment == nil {
          garbage.append(entry.forget())
        } else {
          kept.append(entry)
        }
      }
      entries = Heap(kept)
    }
    sweepCount = max(Self.smallestSweep, entries.count * 2)
  }
}
