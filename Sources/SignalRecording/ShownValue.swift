import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Android)
  import Android
#elseif canImport(Musl)
  import Musl
#elseif canImport(Glibc)
  import Glibc
#else
  #error("SignalRecording needs the C library of the system: it knows Darwin, Android, Musl and Glibc.")
#endif

/// The description of the last value of a group of nodes.
struct ShownValue: Sendable {
  /// Nil if it must not be shown.
  private var words: String?
  /// Whether other values came since, which were not described.
  private var isEarlier = false
  /// The time spent on describing values.
  private var pace = DescriptionPace(share: 100)

  /// Whether the next value may be described; if not, notes that one passes.
  ///
  /// - Parameter isPaid: Whether the time spent by all groups is within the budget.
  mutating func mayDescribe(at now: UInt64, _ isPaid: Bool) -> Bool {
    let may = isPaid && pace.allows(at: now)
    if !may { isEarlier = true }
    return may
  }

  mutating func note(_ words: String?, at now: UInt64, taking time: UInt64) {
    self.words = words
    isEarlier = false
    pace.spend(time, at: now)
  }

  /// The description; nil if there is nothing to show.
  var reading: String? { words.map { isEarlier ? $0 + " (earlier)" : $0 } }
}

/// Bounds the time spent on describing values: fast descriptions are always made, slow ones only now and then.
struct DescriptionPace: Sendable {
  /// The denominator of the share of the time that may be spent.
  let share: UInt64
  /// The time at which the spent time is within the budget again, in nanoseconds.
  private var paidUntil: UInt64 = 0

  init(share: UInt64) { self.share = share }

  /// The advance that may be spent, as the time in which it is regained.
  private static var credit: UInt64 { 2_000_000_000 }

  func allows(at now: UInt64) -> Bool { paidUntil <= now &+ Self.credit }

  mutating func spend(_ time: UInt64, at now: UInt64) {
    let (cost, overflow) = time.multipliedReportingOverflow(by: share)
    let sum = max(paidUntil, now).addingReportingOverflow(overflow ? .max : cost)
    paidUntil = sum.overflow ? .max : sum.partialValue
  }

  /// The time that this thread has run, in nanoseconds: that of other threads is not counted.
  static var threadTime: UInt64 {
    var now = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now)
    return UInt64(clamping: now.tv_sec) &* 1_000_000_000 &+ UInt64(clamping: now.tv_nsec)
  }
}

extension ChainRecord {
  /// Stores the description of a value, if the program requests it. Its time is not counted as that of any handler.
  func describe(_ value: () -> any Sendable, at group: UnsafeMutablePointer<NodeGroup>) {
    guard let recorder, let describe = recorder.valueDescription else { return }
    let start = HandlerTracing.nanoseconds
    let key = UInt(bitPattern: group)
    let notes = handlerCounts
    let isPaid = recorder.descriptionPace.withLock { $0.allows(at: start) }
    let isWanted = notes.causes.withLock { causes in
      isRecorderTracing && causes.values[key, default: ShownValue()].mayDescribe(at: start, isPaid)
    }
    guard isWanted else { return }
    let threadStart = DescriptionPace.threadTime
    // It is the program's code: no lock is held.
    let words = describe(value()).map { $0.shortened(to: Self.largestValue) }
    let time = DescriptionPace.threadTime - threadStart
    recorder.descriptionPace.withLock { $0.spend(time, at: start) }
    notes.causes.withLock { causes in
      guard isRecorderTracing else { return }
      // A value that must not be shown replaces the earlier one.
      causes.values[key, default: ShownValue()].note(words, at: start, taking: time)
    }
    CauseTracing.thread.aside += HandlerTracing.nanoseconds - start
  }

  /// The maximum number of stored characters of a value.
  private static var largestValue: Int { 80 }
}

extension String {
  /// The beginning of a string that is too long. A character may have any size, so the bytes are limited too.
  func shortened(to limit: Int) -> String {
    let bound = utf8.index(startIndex, offsetBy: limit * 8, limitedBy: endIndex) ?? endIndex
    let start = self[..<bound].prefix(limit)
    if start.endIndex == endIndex { return self }
    return start.dropLast() + "…"
  }
}
