import Dispatch
import Foundation
import Signals

// What a check waits for before it judges.
extension LeakCheck {
  enum ReasonToWait {
    /// Work that runs by itself, also in virtual time.
    case forWork
    /// Another thread. Virtual time stands still meanwhile: what it would end is a leak.
    case forRelease
  }

  /// Why to wait; nil if it is settled now.
  func reasonToWait(_ finder: LeakFinder, _ leaks: [Leak]) -> ReasonToWait? {
    // An allowance is superfluous if the task ends, so those of allowed chains do count.
    if finder.isWorkOnItsWay(exceptTasksOf: ignored.subtracting(allowed)) { return .forWork }
    return leaks.contains { [.stillRetained, .objectStillAlive].contains($0.kind) } ? .forRelease : nil
  }

  // MARK: Polling

  /// Polls on this thread until the result is settled or the timeout is over.
  ///
  /// - Parameter look: Returns why to wait; nil if the result is settled now.
  func wait<Seen>(_ look: () -> (Seen, ReasonToWait?)) -> Seen {
    let change = DispatchSemaphore(value: 0)
    let key = recorder.watch { change.signal() }
    defer { recorder.unwatch(key) }
    let clock = WaitingClock(patience)
    var turns = 0
    while true {
      let (seen, reason) = look()
      guard let reason, case let rest = clock.rest(of: reason), rest > .zero else { return seen }
      if reason == .forRelease, turns < Self.mostTurns, Self.schedulerWithWorkNow != nil {
        turns += 1
        // In virtual time this runs the work of the instant.
        _ = change.wait(timeout: .now() + .nanoseconds(1))
        continue
      }
      if clock.waitsOutside(reason, change, rest) { continue }
      // The main thread runs the main queue, so waiting for the queue means running it.
      let soon = Date(timeIntervalSinceNow: min(rest / .seconds(1), 0.005))
      if Thread.isMainThread, RunLoop.current.run(mode: .default, before: soon) { continue }
      _ = change.wait(timeout: .now() + (Thread.isMainThread ? 0.005 : rest / .seconds(1)))
    }
  }

  /// Waits, without blocking the thread, until the result is settled or the timeout is over.
  func wait<Seen>(
    isolation: isolated (any Actor)? = #isolation, _ look: () -> (Seen, ReasonToWait?)
  ) async -> Seen {
    let (changes, change) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let outsideChange = DispatchSemaphore(value: 0)
    let key = recorder.watch {
      change.yield()
      outsideChange.signal()
    }
    defer { recorder.unwatch(key) }
    var next = changes.makeAsyncIterator()
    let clock = WaitingClock(patience)
    var isTimed: Set<ReasonToWait> = []
    var turns = 0
    while true {
      let (seen, reason) = look()
      guard let reason, case let rest = clock.rest(of: reason), rest > .zero else { return seen }
      if reason == .forRelease, turns < Self.mostTurns, await letInstantGoOn() {
        turns += 1
        continue
      }
      if clock.waitsOutside(reason, outsideChange, rest) { continue }
      if isTimed.insert(reason).inserted {
        DispatchQueue.global().asyncAfter(deadline: .now() + rest / .seconds(1)) { change.yield() }
      }
      // A cancelled task gets no more changes, and is judged by its current state.
      guard await next.next(isolation: isolation) != nil else { return seen }
    }
  }

  /// The times of a wait, from its beginning.
  private struct WaitingClock {
    private let patience: Patience
    private let start = ContinuousClock.now
    private let realStart = VirtualWorld.outside { ContinuousClock.now }

    init(_ patience: Patience) { self.patience = patience }

    func rest(of reason: ReasonToWait) -> Duration {
      switch reason {
      case .forWork: patience.forWork - (.now - start)
      case .forRelease: forRelease - (VirtualWorld.outside { .now } - realStart)
      }
    }

    /// A failing order is run many times, and its threads belong to the scenario.
    private var forRelease: Duration {
      OrderDirector.current == nil ? patience.forRelease : min(patience.forRelease, .milliseconds(100))
    }

    /// Waits for a change on another thread, if virtual time has to stand still meanwhile.
    ///
    /// - Returns: Whether it did.
    func waitsOutside(_ reason: ReasonToWait, _ change: DispatchSemaphore, _ rest: Duration) -> Bool {
      guard reason == .forRelease, VirtualWorld.current != nil else { return false }
      VirtualWorld.outside { _ = change.wait(timeout: .now() + rest / .seconds(1)) }
      return true
    }
  }

  // MARK: What can go on now

  /// How often this instant may go on after all of its work has run.
  private static let mostTurns = 10

  /// The scheduler of virtual time, if work is due at this instant: that may release what is still alive.
  private static var schedulerWithWorkNow: VirtualTimeScheduler? {
    guard let scheduler = VirtualWorld.current?.scheduler, let next = scheduler.nextMoment, next <= scheduler.now else {
      return nil
    }
    return scheduler
  }

  /// Lets all other work of this instant run, in whatever order that runs.
  ///
  /// - Returns: Whether there was some.
  private func letInstantGoOn(isolation: isolated (any Actor)? = #isolation) async -> Bool {
    guard let scheduler = Self.schedulerWithWorkNow else { return false }
    await withCheckedContinuation { turn in _ = scheduler.scheduleLast(after: .zero) { turn.resume() } }
    return true
  }

  /// Under virtual time, lets tasks go on that can do so now: one that has just been cancelled ends.
  func letTasksGoOn(isolation: isolated (any Actor)? = #isolation) async {
    for _ in 0..<Self.mostTurns {
      let isAnyLeft = recorder.pendingWork.contains {
        $0.running.map { $0.isVirtual && $0.isOver?() != true } ?? false
      }
      guard isAnyLeft, await letInstantGoOn() else { return }
    }
  }

  /// Lets the main queue end the subscriptions whose owner, an object of the main actor, is gone: only there can that be found out.
  func letMainActorGoOn(isolation: isolated (any Actor)? = #isolation) async {
    // In virtual time without the system's, the main queue may wait for this task.
    if MainScheduler.isHere || VirtualWorld.current.map({ $0.system == nil }) ?? false { return }
    // It asks the main queue, which then runs what follows.
    let roots = LeakFinder(recorder, ignoring: ignored).neverDisposed.values.joined()
    guard roots.contains(where: { $0.recordedSubscription?.isBoundOnMain == true }) else { return }
    let (turns, turn) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    DispatchQueue.main.async { [recorder] in
      // The end of one may free the owner of another.
      _ = recorder.pendingWork
      turn.yield()
    }
    DispatchQueue.global().asyncAfter(deadline: .now() + patience.forMain / .seconds(1)) { turn.yield() }
    var iterator = turns.makeAsyncIterator()
    _ = await iterator.next(isolation: isolation)
  }
}
