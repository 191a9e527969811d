import Signals
import Synchronization

/// Values that tasks take: `values()` and `mapAsync`.
extension Meeting {
  /// What happens beside a sender.
  private enum Interruption: CaseIterable {
    case nothing, cancelling, disposingAll
  }

  /// A loop over `values()` gets all values in order, or those of its policy; it ends with its source, with its task, and with a source that ends its
  /// subscriptions without an event.
  static let values = Meeting("values") { random, judge in
    let count = 1 + random.below(100)
    let interruption = random.pick(Interruption.allCases)
    let limit = 1 + random.below(5)
    let policy = random.pick([OverflowPolicy.keepAll, .keepAll, .newest(limit), .oldest(limit)])
    let (emitter, other) = (Emitter<Int>(), Emitter<Int>())
    // Below an operator with inputs of its own it is that operator that keeps the loop's subscription.
    let isJoined = random.once(in: 2)
    let signal = isJoined ? Signal.merge(emitter.signal.map { $0 }, other.signal) : emitter.signal
    let seen = Guarded<[Int]>([])
    let isOver = Atomic<Bool>(false)
    let loop = Task.detached {
      do {
        for try await value in signal.values(buffering: policy) { seen.withLock { $0.append(value) } }
      } catch { judge.fail("loop over values()", expected: "no failure", seen: "\(error)") }
      isOver.store(true, ordering: .releasing)
    }
    _ = wait { emitter.subscriberCount == 1 && (!isJoined || other.subscriberCount == 1) }
    let jitter = random.below(300)
    return Encounter(
      events: count,
      acts: [
        {
          for value in 0..<count { emitter.send(value) }
          if interruption == .nothing {
            other.finish()
            emitter.finish()
          }
        },
        {
          spin(jitter)
          switch interruption {
          case .nothing: break
          case .cancelling: loop.cancel()
          case .disposingAll:
            emitter.disposeAllSubscriptions()
            other.disposeAllSubscriptions()
          }
        },
      ]
    ) {
      judge.check(
        wait { isOver.load(ordering: .acquiring) }, "end of a loop over values()",
        expected: "it ends (\(interruption))",
        seen: "it does not")
      let known = seen.value
      let isInOrder = zip(known, known.dropFirst()).allSatisfy { $0 < $1 }
      judge.check(isInOrder, "order of a loop over values() (law 2)", expected: "in order", seen: "\(known)")
      if policy == .keepAll {
        let expected = interruption == .nothing ? count : known.count
        judge.check(
          known == Array(0..<expected), "values of a loop (law 3)", expected: "0 to \(expected - 1)", seen: "\(known)")
      } else if case .newest = policy, interruption == .nothing {
        judge.check(known.last == count - 1, "newest values of a loop", expected: "the last one", seen: "\(known)")
      }
      judge.check(
        emitter.subscriberCount + other.subscriberCount == 0, "source of a loop that is over (law 9)",
        expected: "it is left", seen: "it is not")
    }
  }

  /// `mapAsync` delivers each result once, in order where that is asked for, and ends after the last; disposed, it leaves its source and its tasks end.
  static let mapAsync = Meeting("map-async") { random, judge in
    let count = 1 + random.below(60)
    let limit = 1 + random.below(4)
    let keepsOrder = random.once(in: 2)
    let disposes = random.once(in: 3)
    let emitter = Emitter<Int>()
    let check = CallCheck(judge, "the subscriber below mapAsync")
    let seen = Guarded<[Int]>([])
    let isOver = Atomic<Bool>(false)
    let work = random.jitter()
    let running = Atomic<Int>(0)
    let most = Atomic<Int>(0)
    let subscription = emitter.signal.mapAsync(maxConcurrent: limit, keepsOrder: keepsOrder) { value in
      most.max(running.add(1, ordering: .acquiringAndReleasing).newValue, ordering: .relaxed)
      defer { running.subtract(1, ordering: .acquiringAndReleasing) }
      if value.isMultiple(of: 3) { await Task.yield() }
      return value
    }.subscribeToEvents { event in
      let isEnd = if case .value = event { false } else { true }
      check.call(isEnd: isEnd) {
        if case .value(let value) = event { seen.withLock { $0.append(value) } }
        // So that results meet.
        spin(work)
      }
      if isEnd { isOver.store(true, ordering: .releasing) }
    }
    let jitter = random.below(300)
    return Encounter(
      events: count,
      acts: [
        {
          for value in 0..<count { emitter.send(value) }
          emitter.finish()
        },
        {
          spin(jitter)
          guard disposes else { return }
          subscription.dispose()
          check.disposed(isInsideHandler: false)
        },
      ]
    ) {
      if !disposes {
        judge.check(
          wait { isOver.load(ordering: .acquiring) }, "end of mapAsync", expected: "the end arrives",
          seen: "it does not")
        let values = keepsOrder || limit == 1 ? seen.value : seen.value.sorted()
        judge.check(
          values == Array(0..<count), "results of mapAsync (law 3)", expected: "0 to \(count - 1)",
          seen: "\(seen.value)")
      }
      judge.check(
        wait { running.load(ordering: .acquiring) == 0 }, "tasks of mapAsync", expected: "none runs", seen: "one does")
      judge.check(
        most.load(ordering: .relaxed) <= limit, "tasks of mapAsync", expected: "at most \(limit) at once",
        seen: "\(most.load(ordering: .relaxed))")
      judge.check(emitter.subscriberCount == 0, "source of mapAsync (law 9)", expected: "it is left", seen: "it is not")
      subscription.dispose()
    }
  }

  /// Tasks that a handler starts send to another emitter, which ends meanwhile: each value arrives at most once, and none after the end.
  static let handlerTasks = Meeting("handler-tasks") { random, judge in
    let count = 1 + random.below(40)
    let (first, second) = (Emitter<Int>(), Emitter<Int>())
    let sent = Guarded(0)
    let seen = Guarded<[Int]>([])
    let check = CallCheck(judge, "the subscriber of an emitter that tasks send to")
    let bag = DisposeBag()
    first.signal.map { $0 }.subscribe { value in
      Task.detached {
        second.send(-1 - value)
        sent.withLock { $0 += 1 }
      }
      Task {
        second.send(value)
        sent.withLock { $0 += 1 }
      }
    }.store(in: bag)
    second.signal.subscribeToEvents { event in
      let isEnd = if case .value = event { false } else { true }
      check.call(isEnd: isEnd) { if case .value(let value) = event { seen.withLock { $0.append(value) } } }
    }.store(in: bag)
    let jitter = random.below(2_000)
    return Encounter(
      events: 3 * count,
      acts: [
        { for value in 0..<count { first.send(value) } },
        {
          spin(jitter)
          second.finish()
        },
      ]
    ) {
      judge.check(
        wait { sent.value == 2 * count }, "tasks that a handler started", expected: "all send",
        seen: "\(sent.value) of \(2 * count)")
      let values = seen.value
      judge.check(
        Set(values).count == values.count, "values that tasks sent (law 3)", expected: "each once", seen: "\(values)")
      bag.disposeAll()
    }
  }
}
