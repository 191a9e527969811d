import Foundation
import Probes
import SignalTesting
import Signals
import Synchronization
import Testing

/// Values that go into an emitter or a property: `bind(to:)`, `follow` and `<<<`.
@Suite("Bindings: one way")
struct BindTests {
  @Test("an emitter gets the values, not the end")
  func emitter() {
    marbles { m in
      let letters = m.hot("     -a-b-c-|")
      let emitter = Emitter<String>()
      let log = m.hot("         ---------")
      m.expect(Self.kept(emitter, letters.signal, log.signal), "-a-b-c---")
      m.expectSubscriptions(of: letters, "^------!")
    }
  }

  /// What an emitter sends that is bound to a signal.
  private static func kept(
    _ emitter: Emitter<String>, _ signal: Signal<String>, _ others: Signal<String>
  ) -> Signal<String> {
    .deferred {
      signal.bind(to: emitter)
      return emitter.signal.merge(with: others)
    }
  }

  @Test("several signals go into one emitter; with the end included, the first end is its end")
  func end() {
    let (first, second, target) = (Emitter<Int>(), Emitter<Int>(), Emitter<Int>())
    let log = EventLog<Int>()
    let subscription = target.signal.log(to: log)
    first.signal.bind(to: target)
    second.signal.bind(to: target, includingEnd: true)
    first.send(1)
    first.finish()
    second.send(2)
    second.fail(Failure())
    second.send(3)
    #expect(log.values == [1, 2])
    #expect(log.ends.count == 1)
    if case .failed(let error)? = log.ends.first { #expect(error is Failure) } else { Issue.record("no failure") }
    withExtendedLifetime(subscription) {}
  }

  @Test("a failure that the target does not get is an unhandled one")
  func failure() {
    let failures = Box(0)
    UnhandledFailure.withHandler { _ in
      failures.withLock { $0 += 1 }
    } operation: {
      let (emitter, property) = (Emitter<Int>(), Property(0))
      Signal<Int>.fail(Failure()).bind(to: emitter)
      Signal<Int>.fail(Failure()).bind(to: property)
      Signal<Int>.fail(Failure()).bind(to: emitter, includingEnd: true)
    }
    #expect(failures.value == 2)
  }

  @Test("a property takes each value; an optional one too")
  func property() {
    let source = Emitter<Int>()
    let (plain, optional) = (Property(0), Property<Int?>(nil))
    let (optionals, log) = (Emitter<Int?>(), EventLog<Int?>())
    let subscription = optionals.signal.log(to: log)
    source.signal.bind(to: plain)
    source.signal.bind(to: optional)
    source.signal.bind(to: optionals)
    source.send(3)
    #expect(plain.value == 3 && optional.value == 3 && log.values == [3])
    source.finish()
    #expect(plain.value == 3)
    withExtendedLifetime(subscription) {}
  }

  @Test("the target is held weakly, and the binding ends with it (laws 7 and 9)")
  func targetGone() {
    let source = Property(1)
    var emitter: Emitter<Int>? = Emitter()
    var property: Property<Int>? = Property(0)
    weak let (weakEmitter, weakProperty) = (emitter, property)
    if let emitter, let property {
      source.signal.bind(to: emitter)
      source.map { $0 }.signal.bind(to: property)
      source.signal.bind(to: emitter, includingEnd: true)
    }
    #expect(source.subscriberCount == 3)
    emitter = nil
    property = nil
    // First the count: another test may look at the targets at this moment, and the count waits for that.
    #expect(source.subscriberCount == 0)
    #expect(weakEmitter == nil && weakProperty == nil)
  }

  @Test("disposing ends the binding; so does disposing all of the target's")
  func disposal() {
    let source = Emitter<Int>()
    let target = Property(0)
    let binding = source.signal.bind(to: target)
    source.send(1)
    binding.dispose()
    source.send(2)
    #expect(target.value == 1 && source.subscriberCount == 0)
    source.signal.bind(to: target)
    #expect(source.subscribers.map(\.owner) == ["Property<Int>"])
    source.disposeSubscriptions(of: target)
    source.send(3)
    #expect(target.value == 1 && source.subscriberCount == 0)
  }

  @Test("follow: the receiver takes over the other's value now, and each change")
  func follow() {
    let (leader, follower) = (Property(1), Property(0))
    follower.follow(leader)
    #expect(follower.value == 1)
    leader.value = 2
    #expect(follower.value == 2)
    follower.value = 9
    #expect(leader.value == 2)
    let derived = Property("")
    derived.follow(leader.map { "\($0)" })
    let emitter = Emitter<String>()
    derived.follow(emitter.signal)
    emitter.send("x")
    #expect(derived.value == "x")
    leader.value = 3
    #expect(follower.value == 3 && derived.value == "3")
  }

  @Test("<<< writes")
  func assignment() {
    let title = Property("")
    title <<< "Welcome"
    title <<< title.value + "!"
    #expect(title.value == "Welcome!")
  }

  @Test("a handler of the target may dispose the binding, and write the source")
  func inside() {
    let (source, target) = (Property(0), Property(0))
    let binding = Box<Subscription?>(nil)
    let handler = target.changes.subscribe { value in
      if value < 3 { source.value = value + 1 } else { binding.value?.dispose() }
    }
    binding.value = source.changes.bind(to: target)
    source.value = 1
    #expect(target.value == 3 && source.value == 3 && source.subscriberCount == 0)
    withExtendedLifetime(handler) {}
  }
}

@Suite("Bindings in a ring")
struct BindingRingTests {
  /// Fails, and ends the subscriptions, when a closure does not return: so a ring of bindings does not hang the test.
  private func expectReturn(endingSubscriptions end: @escaping @Sendable () -> Void, _ body: () -> Void) {
    let hasReturned = DispatchSemaphore(value: 0)
    let hasHung = Box(false)
    Thread {
      guard hasReturned.wait(timeout: .now() + 30) == .timedOut else { return }
      hasHung.value = true
      // Some are made while others end.
      while hasReturned.wait(timeout: .now() + 0.01) == .timedOut { end() }
    }.start()
    body()
    hasReturned.signal()
    #expect(!hasHung.value)
  }

  @Test("a property or emitter that is bound to itself is left alone")
  func itself() {
    let (property, emitter) = (Property(1), Emitter<Int>())
    expectReturn {
      property.disposeAllSubscriptions()
      emitter.disposeAllSubscriptions()
    } _: {
      #expect(property.follow(property.signal).isDisposed)
      #expect(property.follow(property).isDisposed)
      #expect(property.follow(property.readOnly).isDisposed)
      #expect(emitter.signal.bind(to: emitter).isDisposed)
      #expect(emitter.signal.bind(to: emitter, includingEnd: true).isDisposed)
      property.value = 2
      emitter.send(1)
    }
    #expect(property.subscriberCount == 0)
    #expect(emitter.subscriberCount == 0)
  }

  #if DEBUG
    /// The failures that bindings have reported.
    private func failures(_ body: () -> Void) -> [String] {
      let failures = Box<[String]>([])
      UnhandledFailure.withHandler(
        { failure in failures.withLock { $0.append("\(failure.site.line): \(failure.error)") } }, operation: body)
      return failures.value
    }

    @Test func aDebugBuildDoesNotCloseARing() {
      let (first, second, third) = (Property(1), Property(2), Property(3))
      let line = #line
      var found: [String] = []
      expectReturn {
        first.disposeAllSubscriptions()
      } _: {
        found = failures {
          first.follow(second)
          second.follow(third)
          #expect(third.follow(first).isDisposed)
        }
      }
      #expect(found.count == 1)
      #expect(found.first?.hasPrefix("\(line + 8): this binding would close a ring") ?? false)
      third.value = 4
      #expect(first.value == 4)
      #expect(first.subscriberCount == 0)

      let (left, right) = (Emitter<Int>(), Emitter<Int>())
      let others = failures {
        left.signal.bind(to: right)
        right.signal.bind(to: left, includingEnd: true)
      }
      #expect(others.count == 1)
      #expect(left.subscriberCount == 1)
      #expect(right.subscriberCount == 0)
    }
  #endif

  @Test func aBindingThatHasEndedIsNoPartOfARing() {
    let (first, second) = (Property(1), Property(2))
    first.follow(second).dispose()
    second.follow(first)
    first.value = 5
    #expect(second.value == 5)
  }

  @Test func aPropertyThatRemovesDuplicatesMayBeInARing() {
    let (first, second) = (Property(1), Property(removingDuplicates: 2))
    first.follow(second)
    second.follow(first)
    #expect(first.value == second.value)
    first.value = 7
    #expect(second.value == 7)
    second.value = 8
    #expect(first.value == 8)
  }

  @Test func writeOfAHandlerThroughAnotherBindingIsTakenOver() {
    let (first, second, other) = (Property(0), Property(0), Property(0))
    first.follow(other.signal)
    second.follow(first.signal)
    let hasWritten = Atomic(false)
    let subscription = second.changes.subscribe { _ in
      if hasWritten.exchange(true, ordering: .relaxed) { return }
      first.value = 2
      other.value = 1
    }
    first.value = 1
    #expect(other.value == 1)
    #expect(first.value == 1)
    #expect(second.value == 1)
    withExtendedLifetime(subscription) {}
  }

  @Test("outside a ring each value is taken over, also an equal one, and one that a handler sends")
  func equalValues() {
    let (first, second, third) = (Property(0), Property(0), Property(0))
    let log = EventLog<Int>()
    second.follow(first.signal)
    third.follow(second.signal)
    let subscriptions = [
      third.changes.log(to: log), second.changes.subscribe { if $0 == 7 { third.value = 7 } },
    ]
    for value in [1, 1, 7, 7] { first.value = value }
    #expect(log.values == [1, 1, 7, 7, 7, 7])
    withExtendedLifetime(subscriptions) {}
  }
}
