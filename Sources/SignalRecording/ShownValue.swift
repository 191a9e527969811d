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

/// What the last value looked like that a group of nodes delivered.
struct ShownValue: Sendable {
  /// Nil for one that is not to be shown.
  private var words: String?
  /// Whether other values came since, which were not put into words.
  private var isEarlier = false
  /// What it took to put values into words.
  private var pace = DescriptionPace(share: 100)

  /// Whether the next value may be put into words; if not, notes that one passes.
  ///
  /// - Parameter isPaid: Whether what all groups took is paid for.
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

  /// In words; nil where nothing is to be shown.
  var reading: String? { words.map { isEarlier ? $0 + " (earlier)" : $0 } }
}

/// Bounds the time that it takes to put values into words: what is short is always put into words, what takes long only now and then.
struct DescriptionPace: Sendable {
  /// So much of the time may go: one part in so many.
  let share: UInt64
  /// Until when all is paid for, in nanoseconds.
  private var paidUntil: UInt64 = 0

  init(share: UInt64) { self.share = share }

  /// How much may be spent before it is paid for, as the time in which it is.
  private static var credit: UInt64 { 2_000_000_000 }

  func allows(at now: UInt64) -> Bool { paidUntil <= now &+ Self.credit }

  mutating func spend(_ time: UInt64, at now: UInt64) {
    let (cost, overflow) = time.multipliedReportingOverflow(by: share)
    let sum = max(paidUntil, now).addingReportingOverflow(overflow ? .max : cost)
    paidUntil = sum.overflow ? .max : sum.partialValue
  }

  /// The time that this thread has run, in nanoseconds: what others do meanwhile is not paid for.
  static var threadTime: UInt64 {
    var now = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now)
    return UInt64(clamping: now.tv_sec) &* 1_000_000_000 &+ UInt64(clamping: now.tv_nsec)
  }
}

extension ChainRecord {
  /// Notes what a value looks like, where the program wants that. The time that it takes is not counted as that of any handler.
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
    // It is the program's: no lock is held.
    let words = describe(value()).map { $0.shortened(to: Self.largestValue) }
    let time = DescriptionPace.threadTime - threadStart
    recorder.descriptionPace.withLock { $0.spend(time, at: start) }
    notes.causes.withLock { causes in
      guard isRecorderTracing else { return }
      // What is not to be shown takes the place of what was.
      causes.values[key, default: ShownValue()].note(words, at: start, taking: time)
    }
    CauseTracing.thread.aside += HandlerTracing.nanoseconds - start
  }

  /// How many characters of a value are kept.
  private static var largestValue: Int { 80 }
}

extension String {
  /// The beginning of a text that is too long. What counts as one character may be of any size, so the bytes are counted too.
  func shortened(to limit: Int) -> String {
    let bound = utf8.index(startIndex, offsetBy: limit * 8, limitedBy: endIndex) ?? endIndex
    let start = self[..<bound].prefix(limit)
    if start.endIndex == endIndex { return self }
    return start.dropLast() + "…"
  }
}
