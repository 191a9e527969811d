import Dispatch
import Foundation
import Signals
import Synchronization

// Operators that break one law each.

extension Signal {
  /// Breaks law 1: it repeats the last value after the end.
  func repeatingAfterTheEnd(
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> {
    unsafeLift(Site("repeatingAfterTheEnd", fileID: fileID, line: line, function: function)) { downstream in
      let receive = downstream.receive
      let end = downstream.end
      let last = Mutex<Value?>(nil)
      return Observer(for: downstream) { value in
        last.withLock { $0 = value }
        try receive(value)
      } end: { completion in
        end(completion)
        if let value = last.withLock({ $0 }) { try? receive(value) }
      }
    }
  }

  /// Breaks law 2: what comes while a value is being passed on waits on a stack, not in a queue.
  func mergingByStack(
    with other: Signal<Value>,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> {
    unsafeLift(Site("mergingByStack", fileID: fileID, line: line, function: function)) { downstream in
      let end = downstream.end
      let stack = Stack(downstream.receive)
      let subscription = other.subscribe(onValue: { stack.take($0) }, onFailure: { _ in })
      return Observer(for: downstream) { value in
        stack.take(value)
        withExtendedLifetime(subscription) {}
      } end: { completion in
        subscription.dispose()
        end(completion)
      }
    }
  }

  /// Breaks law 3: each of its inputs calls what is below on its own thread.
  func mergingUnguarded(
    with other: Signal<Value>,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> {
    unsafeLift(Site("mergingUnguarded", fileID: fileID, line: line, function: function)) { downstream in
      let receive = downstream.receive
      let end = downstream.end
      let subscription = other.subscribe(onValue: { try? receive($0) }, onFailure: { _ in })
      return Observer(for: downstream) { value in
        try receive(value)
        withExtendedLifetime(subscription) {}
      } end: { completion in
        subscription.dispose()
        end(completion)
      }
    }
  }

  /// Breaks law 3: its mailbox has room for one value.
  func throughAMailbox(on scheduler: any Scheduler) -> Signal<Value> {
    let upstream = self
    return Signal { producer in
      let letters = Letters<Value>()
      producer.own(
        upstream.subscribeToEvents { event in
          letters.put(event)
          producer.own(
            scheduler.schedule(after: .zero) { if let event = letters.take() { producer.send(event: event) } })
        })
    }
  }

  /// Breaks law 4: one lock for all its subscriptions is held while what is below runs.
  func counting(
    into counts: Counts, fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> {
    lift(Site("counting", fileID: fileID, line: line, function: function), state: 0) { _, value, downstream in
      counts.lock.lock()
      defer { counts.lock.unlock() }
      try downstream.send(value)
    }
  }

  /// Breaks law 5, unless its contract says that it hops.
  func later(on scheduler: any Scheduler) -> Signal<Value> { receive(on: scheduler) }

  /// Breaks law 6: who subscribes during a delivery is handed the value being delivered.
  func handingOut() -> Signal<Value> {
    let upstream = self
    let current = Current<Value>()
    return Signal { producer in
      if let value = current.value.withLock({ $0 }) { producer.send(value) }
      producer.own(
        upstream.subscribeToEvents { event in
          if case .value(let value) = event { current.value.withLock { $0 = value } }
          producer.send(event: event)
          current.value.withLock { $0 = nil }
        })
    }
  }

  /// Breaks law 7: nobody disposes its timers.
  func delayingForEver(
    by interval: Duration, on scheduler: any Scheduler,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> {
    unsafeLift(Site("delayingForEver", fileID: fileID, line: line, function: function)) { downstream in
      let receive = downstream.receive
      let end = downstream.end
      return Observer(for: downstream) { value in
        Kept.shared.keep(scheduler.schedule(after: interval) { try? receive(value) })
      } end: { completion in
        Kept.shared.keep(scheduler.schedule(after: interval) { end(completion) })
      }
    }
  }

  /// Breaks law 8: when one subscriber leaves, all others are told that it is over.
  func endingTogether() -> Signal<Value> {
    let upstream = self
    let others = Current<[Producer<Value>]>()
    return Signal { producer in
      others.value.withLock { $0 = ($0 ?? []) + [producer] }
      producer.onDisposal {
        let all = others.value.withLock { stored in
          defer { stored = nil }
          return stored ?? []
        }
        for other in all { other.finish() }
      }
      producer.own(upstream.subscribeToEvents { producer.send(event: $0) })
    }
  }

  /// Breaks law 9: it ends what is below it, and lets what is above it go on.
  func prefixWithoutLeaving(
    _ count: Int, fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> {
    unsafeLift(Site("prefixWithoutLeaving", fileID: fileID, line: line, function: function)) { downstream in
      let receive = downstream.receive
      let end = downstream.end
      let seen = Mutex(0)
      let next: @Sendable () -> Int = {
        seen.withLock { seen in
          seen += 1
          return seen
        }
      }
      return Observer(for: downstream) { value in
        let number = next()
        if number <= count { try receive(value) }
        if number == count { end(.finished) }
      } end: { completion in
        if next() <= count { end(completion) }
      }
    }
  }

  /// Breaks law 10: who comes after the end waits for ever.
  func forgettingTheEnd() -> Signal<Value> {
    let upstream = self
    let isOver = Current<Bool>()
    return Signal { producer in
      if isOver.value.withLock({ $0 }) != nil { return }
      producer.own(
        upstream.subscribeToEvents { event in
          if case .value = event {} else { isOver.value.withLock { $0 = true } }
          producer.send(event: event)
        })
    }
  }

  /// Breaks law 11: it leaves out the values for which its closure throws.
  func mapWherePossible<Output>(
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function,
    _ transform: @escaping @Sendable (Value) throws -> Output
  ) -> Signal<Output> {
    lift(Site("mapWherePossible", fileID: fileID, line: line, function: function), state: 0) { _, value, downstream in
      if let output = try? transform(value) { try downstream.send(output) }
    }
  }

  /// Breaks law 13: it is delayed by a queue, whatever the scheduler says.
  func delayingInRealTime() -> Signal<Value> {
    let upstream = self
    return Signal { producer in
      let queue = DispatchQueue(label: "real time")
      producer.own(upstream.subscribeToEvents { event in queue.async { producer.send(event: event) } })
    }
  }

  /// Breaks law 13: its timer outlives it.
  func timing(
    on scheduler: any Scheduler,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> {
    unsafeLift(Site("timing", fileID: fileID, line: line, function: function)) { downstream in
      Kept.shared.keep(scheduler.schedule(after: .seconds(3600)) {})
      return Observer(for: downstream) { try downstream.receive($0) }
    }
  }

  /// Breaks law 14: its first value comes where the upstream delivers.
  func hoppingFromTheSecond(on scheduler: any Scheduler) -> Signal<Value> {
    prefix(1).merge(with: dropFirst().receive(on: scheduler))
  }

  /// Breaks law 16: it does not pass the end on.
  func goingOn(
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> {
    unsafeLift(Site("goingOn", fileID: fileID, line: line, function: function)) { downstream in
      let receive = downstream.receive
      let end = downstream.end
      return Observer(for: downstream) {
        try receive($0)
      } end: {
        if case .failed = $0 { end($0) }
      }
    }
  }

  /// Breaks law 16: it takes a failure for the regular end.
  func finishingAnyway(
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> {
    unsafeLift(Site("finishingAnyway", fileID: fileID, line: line, function: function)) { downstream in
      let receive = downstream.receive
      let end = downstream.end
      return Observer(for: downstream) {
        try receive($0)
      } end: { _ in
        end(.finished)
      }
    }
  }

  /// Breaks law 16: what comes before it is ready is dropped.
  func onceReady() -> Signal<Value> {
    let upstream = self
    return Signal { producer in
      let isReady = Current<Bool>()
      let subscription = upstream.subscribeToEvents { event in
        if case .value = event, isReady.value.withLock({ $0 }) == nil { return }
        producer.send(event: event)
      }
      isReady.value.withLock { $0 = true }
      producer.own(subscription)
    }
  }

  /// Breaks law 2: its subscribers count together.
  func everyOtherOfAll(
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> {
    let count = Current<Int>()
    return lift(Site("everyOtherOfAll", fileID: fileID, line: line, function: function), state: 0) {
      _, value, downstream in
      let number = count.value.withLock { count in
        count = (count ?? 0) + 1
        return count ?? 0
      }
      if number.isMultiple(of: 2) { try downstream.send(value) }
    }
  }

  /// Breaks law 9: its upstream is kept by itself, not by the subscriber.
  func stayingSubscribed() -> Signal<Value> {
    let upstream = self
    return Signal { producer in upstream.subscribeToEvents { producer.send(event: $0) }.retained() }
  }

  /// Breaks law 11: an error from below is lost.
  func swallowingErrors(
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> {
    unsafeLift(Site("swallowingErrors", fileID: fileID, line: line, function: function)) { downstream in
      let receive = downstream.receive
      return Observer(for: downstream) { value in
        do { try receive(value) } catch let stop as StopDelivery { throw stop } catch {}
      }
    }
  }

  /// Breaks law 7: somebody keeps its observer.
  func keptForEver(
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> {
    unsafeLift(Site("keptForEver", fileID: fileID, line: line, function: function)) { downstream in
      let receive = downstream.receive
      Kept.shared.keep(Subscription { withExtendedLifetime(receive) {} })
      return Observer(for: downstream) { try receive($0) }
    }
  }

  /// Leaks: its own subscription to something else lives for ever.
  func watching(_ bell: Emitter<Void>) -> Signal<Value> {
    handle(onSubscribe: { bell.signal.subscribe { _ in }.retained() })
  }

  /// Hangs until the door opens.
  func waiting(at door: DispatchSemaphore) -> Signal<Value> {
    handle { _ in
      door.wait()
      door.signal()
    }
  }
}

// MARK: What they use

/// Passes values on, the newest first.
private final class Stack<Value: Sendable>: Sendable {
  private let receive: @Sendable (Value) throws -> Void
  private let state = Mutex((waiting: [Value](), isBusy: false))

  init(_ receive: @escaping @Sendable (Value) throws -> Void) { self.receive = receive }

  func take(_ value: Value) {
    let isBusy = state.withLock { state in
      if state.isBusy { state.waiting.append(value) }
      defer { state.isBusy = true }
      return state.isBusy
    }
    if isBusy { return }
    var next: Value? = value
    while let value = next {
      try? receive(value)
      next = state.withLock { state in
        let next = state.waiting.popLast()
        state.isBusy = next != nil
        return next
      }
    }
  }
}

/// Room for one letter.
private final class Letters<Value: Sendable>: Sendable {
  private let letter = Mutex<Event<Value>?>(nil)

  func put(_ event: Event<Value>) { letter.withLock { $0 = event } }

  func take() -> Event<Value>? {
    letter.withLock { letter in
      defer { letter = nil }
      return letter
    }
  }
}

/// What subscriptions of one signal share.
private final class Current<Value: Sendable>: Sendable {
  let value = Mutex<Value?>(nil)
}

/// A lock for all subscriptions.
final class Counts: Sendable {
  let lock = NSLock()
}

/// Keeps what should not be kept.
private final class Kept: Sendable {
  static let shared = Kept()
  private let objects = Mutex<[any Disposable]>([])

  func keep(_ object: any Disposable) { objects.withLock { $0.append(object) } }
}
