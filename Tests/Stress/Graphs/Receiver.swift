import Foundation
import Signals
import Synchronization

/// A subscriber that checks what it is called with.
// Safe: `sights` and `log` are touched only inside calls, which come one at a time (`check` looks whether they do), and by
// the main thread when no call can come any more.
final class Receiver: @unchecked Sendable {
  /// What came of one lane.
  private struct Sight {
    var first = 0
    var last = 0
    var repeats = 0
    var count = 0
  }

  let name: String
  let promise: Promise
  let check: CallCheck
  private let judge: Judge
  private let queue: MarkedQueue?
  private let react: @Sendable (Int) -> Void
  private var sights: [Sight] = []
  private var log: [Int]?
  private let callCount = Atomic<Int>(0)
  private let thread = Atomic<UInt>(0)
  private let isClaimed = Atomic<Bool>(false)
  private let disposed = Atomic<Bool>(false)
  private let stored = Guarded<Subscription?>(nil)
  /// How many values of each lane had been sent when `subscribe` had returned.
  private let sentBefore = Guarded<[Int: Int]?>(nil)

  /// - Parameters:
  ///   - queue: Where every call has to come, if anywhere.
  ///   - react: Called with the number of each call.
  init(
    _ name: String, _ promise: Promise, keepsLog: Bool, queue: MarkedQueue?, _ judge: Judge,
    react: @escaping @Sendable (Int) -> Void
  ) {
    self.name = name
    self.promise = promise
    self.judge = judge
    self.queue = queue
    self.react = react
    log = keepsLog ? [] : nil
    check = CallCheck(judge, name)
  }

  // MARK: Coming and going

  /// True once.
  func claim() -> Bool { !isClaimed.exchange(true, ordering: .acquiringAndReleasing) }
  var isSubscribed: Bool { sentBefore.withLock { $0 != nil } }
  /// Whether it, or somebody else, has ended the subscription.
  var isDisposed: Bool { disposed.load(ordering: .acquiring) }

  /// Notes that `subscribe` has returned.
  func subscribed(_ subscription: Subscription?, sentBefore lanes: [Lane]) {
    sentBefore.value = Dictionary(uniqueKeysWithValues: lanes.map { ($0.id, $0.sent) })
    stored.value = subscription
  }

  func dispose() {
    guard let subscription = stored.value else { return }
    willBeDisposed()
    subscription.dispose()
    noteDisposal()
  }

  /// Notes that something is going to dispose the subscription.
  func willBeDisposed() { disposed.store(true, ordering: .releasing) }

  /// Notes that something that disposes the subscription has returned.
  func noteDisposal() {
    willBeDisposed()
    check.disposed(isInsideHandler: thread.load(ordering: .acquiring) == Self.currentThread)
  }

  /// Lets go of the subscription. Somebody else may still hold it for a moment.
  func drop() {
    willBeDisposed()
    stored.value = nil
  }

  /// How many calls there were.
  var events: Int { callCount.load(ordering: .relaxed) }

  static var currentThread: UInt {
    #if canImport(Darwin)
      UInt(bitPattern: pthread_self())
    #else
      UInt(pthread_self())
    #endif
  }

  // MARK: Calls

  func take(_ event: Event<Int>) {
    switch event {
    case .value(let value): take(value)
    case .failed, .finished: call(isEnd: true) {}
    }
  }

  func take(_ value: Int) {
    call(isEnd: false) {
      let (lane, number) = Stamp.read(value)
      if lane > 0 {
        see(lane, number)
        if log != nil { log?.append(Stamp.original(value)) }
      }
    }
  }

  private func call(isEnd: Bool, _ body: () -> Void) {
    check.call(isEnd: isEnd) {
      thread.store(Self.currentThread, ordering: .releasing)
      if let queue, !queue.isHere {
        judge.fail(
          "place below a hop (law 14)", expected: "\(isEnd ? "the end" : "values") of \(name) on the queue",
          seen: "on another thread")
      }
      // Written by one thread at a time.
      let number = callCount.load(ordering: .relaxed) + 1
      callCount.store(number, ordering: .relaxed)
      body()
      react(number)
      thread.store(0, ordering: .releasing)
    }
  }

  private func see(_ lane: Int, _ number: Int) {
    while sights.count <= lane { sights.append(contentsOf: repeatElement(Sight(), count: max(16, lane))) }
    var sight = sights[lane]
    let step = number - sight.last
    if sight.last == 0 {
      sight.first = number
    } else if promise.isOrdered {
      let isRight =
        step == 0 ? promise.copies.map { sight.repeats < $0 } ?? true : step == 1 || promise.mayLose && step > 0
      if !isRight {
        judge.fail(
          "each sender's values in order (laws 2 and 3)",
          expected: "\(name) sees value \(sight.last + 1) of sender \(lane) after \(sight.last)",
          seen: "value \(number)")
      }
    } else {
      sight.first = min(sight.first, number)
    }
    sight.repeats = step == 0 ? sight.repeats + 1 : 1
    sight.last = promise.isOrdered ? number : max(sight.last, number)
    sight.count += 1
    sights[lane] = sight
  }

  // MARK: When all is quiet

  /// The newest value that came, if values are kept.
  var lastValue: Int { log?.last ?? Stamp.unmarked }

  /// The newest value of a lane that came, or 0.
  func last(of lane: Lane) -> Int { lane.id < sights.count ? sights[lane.id].last : 0 }

  private func first(of lane: Lane) -> Int { lane.id < sights.count ? sights[lane.id].first : 0 }

  /// Whether everything that was sent after the subscription has come.
  ///
  /// - Parameter accepted: How many values of a lane the source has accepted, if that is known.
  func checkComplete(_ lanes: [Lane], accepted: (Lane) -> Int?) {
    guard !promise.mayLose, let sentBefore = sentBefore.value else { return }
    for lane in lanes {
      let before = sentBefore[lane.id] ?? 0
      guard let accepted = accepted(lane), accepted > before else { continue }
      judge.check(
        last(of: lane) == accepted && first(of: lane) <= before + 1, "no value lost (law 3)",
        expected: "\(name) sees values \(before + 1) to \(accepted) of sender \(lane.id)",
        seen: "\(first(of: lane)) to \(last(of: lane))")
      if !promise.isOrdered, promise.copies == 1, lane.id < sights.count {
        let sight = sights[lane.id]
        judge.check(
          sight.count == sight.last - sight.first + 1, "no value lost or doubled (law 3)",
          expected: "\(name) sees each value of sender \(lane.id) once", seen: "\(sight.count) values")
      }
    }
  }

  /// Whether all values of cold sources have come.
  func checkComplete(_ journal: ColdJournal) {
    guard !promise.mayLose, !promise.mayMissBeginning else { return }
    for lane in journal.allLanes {
      judge.check(
        first(of: lane) == 1 && last(of: lane) == ColdJournal.count, "no value lost while connecting (law 3)",
        expected: "\(name) sees values 1 to \(ColdJournal.count) of sender \(lane.id)",
        seen: "\(first(of: lane)) to \(last(of: lane))")
    }
  }

  /// Whether both saw the same values in the same order, as far as both were there.
  func checkOrder(against other: Receiver) {
    guard let log, let reference = other.log, !log.isEmpty else { return }
    let position = Dictionary(reference.enumerated().map { ($1, $0) }, uniquingKeysWith: { old, _ in old })
    var last: Int?
    for value in log {
      guard let here = position[value] else { continue }
      if let last, here != last + 1 {
        judge.fail(
          "one order (law 2)", expected: "\(name) and \(other.name) see the same order",
          seen: "sender and number \(Stamp.read(value)) at another place")
        return
      }
      last = here
    }
  }
}
