import Signals
import Synchronization

/// Runs one plan once: the threads, then quiet, then the checks.
struct Round {
  /// How much work a plan made.
  struct Amount {
    var events = 0
    var subscriptions = 0
  }

  let plan: Plan
  let crew: Crew
  let recording: Recording

  /// - Returns: What was found, and how much was done.
  func run() -> (findings: [Finding], amount: Amount) {
    let judge = Judge()
    let world = recording.inside {
      let world = World(plan, judge)
      world.begin()
      return world
    }
    crew.run(
      recording.recorded(
        plan.threads.map { steps in
          {
            let sender = Sender(world)
            for step in steps { world.perform(step.value, sender) }
          }
        } + recording.acts))
    let isQuiet = quiesce(world, judge)
    if isQuiet { check(world, judge) }
    let amount = Amount(
      events: world.receivers.reduce(0) { $0 + $1.events } + world.auditors.reduce(0) { $0 + $1.events }
        + world.extraEvents.load(ordering: .relaxed),
      subscriptions: world.subscriptionCount.load(ordering: .relaxed))
    let life = world.life
    world.close()
    // On a queue, say: whoever is at it needs what is let go of now.
    _ = wait { !world.isSubscribing }
    world.tearDown()
    let isFreed = wait(seconds: isQuiet ? Watch.patience : 0) {
      letTimePass(world)
      return life.alive == 0
    }
    judge.check(
      isFreed || !isQuiet, "release (laws 7 and 9)", expected: "no closure alive at the end", seen: "\(life.alive)")
    return (judge.findings, amount)
  }

  private func letTimePass(_ world: World) {
    if !plan.usesQueue { try? world.virtualTime.advance(by: .seconds(1)) }
  }

  /// Ends everything, one way or the other, and waits until it is over.
  ///
  /// - Returns: Whether it is.
  private func quiesce(_ world: World, _ judge: Judge) -> Bool {
    letTimePass(world)
    if !wait(for: { Helpers.shared.areIdle }) {
      judge.fail("hang", expected: "sources that send from other threads come to their end", seen: "they do not")
      return false
    }
    // Whoever is still there hears this.
    let sender = Sender(world)
    for hot in plan.hots.indices { sender.send(hot) }
    letTimePass(world)
    guard plan.finishes ? finish(world, judge) : leave(world, judge) else { return false }
    for (auditor, hot) in zip(world.auditors, world.hots) where !hot.isSilenced {
      let ended = wait { auditor.check.hasEnded }
      judge.check(ended, "end (laws 10 and 16)", expected: "\(auditor.name) hears the end", seen: "nothing")
      if !ended { return false }
    }
    return wait { Helpers.shared.areIdle }
  }

  private func finish(_ world: World, _ judge: Judge) -> Bool {
    checkProperties(world, judge)
    world.other.finish()
    for hot in world.hots { hot.finish() }
    for (index, receiver) in world.receivers.enumerated() where receiver.isSubscribed {
      guard plan.receivers[index].value.owner == nil else { continue }
      let ended = wait {
        letTimePass(world)
        return receiver.check.hasEnded || receiver.isDisposed
      }
      judge.check(ended, "end (laws 10 and 16)", expected: "\(receiver.name) hears the end", seen: "nothing")
      if !ended { return false }
    }
    return true
  }

  private func leave(_ world: World, _ judge: Judge) -> Bool {
    world.close()
    guard wait(for: { !world.isSubscribing }) else {
      judge.fail("hang", expected: "subscribing comes to its end", seen: "it does not")
      return false
    }
    // Those with an owner end with it.
    for (index, receiver) in world.receivers.enumerated() where plan.receivers[index].value.owner == nil {
      receiver.dispose()
    }
    for index in plan.receivers.indices { world.perform(.releaseOwner(index), Sender(world)) }
    for bag in 0..<World.bagCount { world.perform(.emptyBag(bag), Sender(world)) }
    for (index, hot) in world.hots.enumerated() where !hot.isEnding {
      let left = wait {
        letTimePass(world)
        return hot.isSilenced ? hot.subscriberCount ?? 0 == 0 : hot.subscriberCount ?? 1 == 1
      }
      judge.check(
        left, "upstream release (law 9)", expected: "hot\(index) has no subscription but the auditor's",
        seen: "\(hot.subscriberCount ?? 1)")
    }
    checkProperties(world, judge)
    world.other.finish()
    for hot in world.hots { hot.finish() }
    return true
  }

  private func checkProperties(_ world: World, _ judge: Judge) {
    guard !plan.usesQueue else { return }
    for (auditor, hot) in zip(world.auditors, world.hots) where !hot.isSilenced {
      guard let value = hot.propertyValue, Stamp.read(value).lane > 0 else { continue }
      judge.check(
        auditor.lastValue == value, "last value of a property (law 12)",
        expected: "\(auditor.name) saw \(Stamp.read(value)) last",
        seen: "\(Stamp.read(auditor.lastValue))")
    }
  }

  private func check(_ world: World, _ judge: Judge) {
    let hots = world.hots
    let auditors = world.auditors
    for (hot, auditor) in zip(hots, auditors) where !hot.isSilenced {
      for lane in hot.allLanes where !plan.usesQueue && !hot.endedEarly && !lane.mayHaveBeenRefused {
        judge.check(
          auditor.last(of: lane) == lane.sent, "no value lost (law 3)",
          expected: "\(auditor.name) sees \(lane.sent) values of sender \(lane.id)", seen: "\(auditor.last(of: lane))")
      }
    }
    for (index, receiver) in world.receivers.enumerated() where receiver.check.hasEnded && !receiver.isDisposed {
      switch plan.receivers[index].value.chain.base {
      case .hot(let hot):
        receiver.checkComplete(hots[hot].allLanes) { auditors[hot].last(of: $0) }
        receiver.checkOrder(against: auditors[hot])
      case .cold: if let journal = world.journal(of: index) { receiver.checkComplete(journal) }
      case .hub(let hub):
        if case .hot(let hot) = plan.hubs[hub].chain.base { receiver.checkOrder(against: auditors[hot]) }
      }
    }
  }
}
