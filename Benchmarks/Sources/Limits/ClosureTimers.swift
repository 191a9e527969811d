import Synchronization

/// What one would write by hand for virtual time: a binary heap in an array behind one uncontended mutex.
///
/// Moments are whole nanoseconds. There are no phases, no chooser, no tasks and no limits.
public final class ClosureTimers: Sendable {
  private struct State: ~Copyable {
    var now: Int64 = 0
    var sequence: UInt64 = 0
    var heap = ClosureTimerHeap()
  }

  private let state = Mutex(State())

  /// Makes timers at the moment 0.
  public init() {}

  /// Runs a closure so many nanoseconds later.
  public func schedule(after delay: Int64, _ work: @escaping () -> Void) -> ClosureTimer {
    let timer = ClosureTimer(work)
    state.withLock { state in
      state.sequence += 1
      state.heap.insert(ClosureTimerHeap.Entry(deadline: state.now + delay, sequence: state.sequence, timer: timer))
    }
    return timer
  }

  /// Cancels a timer.
  public func cancel(_ timer: ClosureTimer) {
    let work = state.withLock { _ in
      timer.isCancelled = true
      defer { timer.work = nil }
      return timer.work
    }
    withExtendedLifetime(work) {}
  }

  /// Advances by so many nanoseconds and runs what is due.
  public func advance(by duration: Int64) {
    let target = state.withLock { $0.now + duration }
    run(until: target)
    state.withLock { $0.now = target }
  }

  /// Runs everything.
  public func run(until target: Int64 = .max) {
    while let timer = next(until: target) { timer.work?() }
  }

  private func next(until target: Int64) -> ClosureTimer? {
    state.withLock { state in
      while let first = state.heap.entries.first, first.deadline <= target {
        state.heap.removeFirst()
        if first.timer.isCancelled { continue }
        state.now = first.deadline
        return first.timer
      }
      return nil
    }
  }
}

/// Cancels what was scheduled.
public final class ClosureTimer: @unchecked Sendable {
  // Safe: written under the mutex of its timers only.
  fileprivate var work: (() -> Void)?
  fileprivate var isCancelled = false

  init(_ work: @escaping () -> Void) { self.work = work }
}

/// A binary heap in an array.
struct ClosureTimerHeap {
  struct Entry {
    var deadline: Int64
    var sequence: UInt64
    var timer: ClosureTimer

    static func < (left: Entry, right: Entry) -> Bool {
      left.deadline == right.deadline ? left.sequence < right.sequence : left.deadline < right.deadline
    }
  }

  private(set) var entries: ContiguousArray<Entry> = []

  mutating func insert(_ entry: Entry) {
    entries.append(entry)
    entries.withUnsafeMutableBufferPointer { entries in
      var index = entries.count - 1
      while index > 0 {
        let parent = (index - 1) / 2
        guard entries[index] < entries[parent] else { return }
        entries.swapAt(index, parent)
        index = parent
      }
    }
  }

  mutating func removeFirst() {
    let last = entries.removeLast()
    guard !entries.isEmpty else { return }
    entries[0] = last
    entries.withUnsafeMutableBufferPointer { entries in
      var index = 0
      while true {
        var child = index * 2 + 1
        guard child < entries.count else { return }
        if child + 1 < entries.count, entries[child + 1] < entries[child] { child += 1 }
        guard entries[child] < entries[index] else { return }
        entries.swapAt(index, child)
        index = child
      }
    }
  }
}

/// A debounce written by hand on those timers: the old timer is cancelled, a new one set.
public final class ClosureDebounce<Value>: @unchecked Sendable {
  // Safe: touched only under the mutex.
  private let mutex = Mutex(())
  private let interval: Int64
  private let timers: ClosureTimers
  private let receive: (Value) -> Void
  private var value: Value?
  private var timer: ClosureTimer?

  /// Makes a debounce of so many nanoseconds.
  public init(for interval: Int64, on timers: ClosureTimers, _ receive: @escaping (Value) -> Void) {
    self.interval = interval
    self.timers = timers
    self.receive = receive
  }

  /// Takes a value.
  public func send(_ newValue: Value) {
    mutex.withLock { _ in
      if let timer { timers.cancel(timer) }
      value = newValue
      timer = timers.schedule(after: interval) { [unowned self] in fire() }
    }
  }

  private func fire() {
    let due = mutex.withLock { _ in
      defer {
        value = nil
        timer = nil
      }
      return value
    }
    if let due { receive(due) }
  }
}
