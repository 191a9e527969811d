import OperatorCatalogue

extension Plan {
  /// Makes the plan of a seed.
  init(seed: UInt64) {
    var maker = PlanMaker(random: Random(seed: seed))
    self = maker.make()
  }
}

private struct PlanMaker {
  var random: Random
  var plan = Plan()

  init(random: Random) { self.random = random }

  mutating func make() -> Plan {
    plan.usesQueue = random.once(in: 4)
    plan.finishes = !random.once(in: 3)
    let receiverCount = 1 + random.below(8)
    let hotCount = 1 + random.below(3)
    for _ in 0..<hotCount {
      switch random.below(6) {
      case 0, 1: plan.hots.append(.emitter(replay: 0))
      case 2: plan.hots.append(.emitter(replay: 1 + random.below(3)))
      case 3, 4: plan.hots.append(.property)
      default: plan.hots.append(.objects(replay: random.below(3), atRelease: .snapshot))
      }
    }
    for _ in 0..<random.below(3) {
      plan.hubs.append(HubPlan(chain: chain(isHub: true, most: 2), replay: random.below(2) * random.below(3)))
    }
    for _ in 0..<receiverCount {
      let value = receiver()
      plan.receivers.append(numbered(value))
    }
    for index in plan.hots.indices {
      if case .objects(let replay, _) = plan.hots[index] {
        plan.hots[index] = .objects(replay: replay, atRelease: reaction(count: 3))
      }
    }
    for index in plan.receivers.indices {
      for _ in 0..<random.below(3) where plan.receivers[index].value.owner == nil {
        let step = reaction(count: 1 + random.below(20), self: index)
        let at = 1 + random.below(50)
        plan.receivers[index].value.reactions.append(numbered(Reaction(at: at, step: step)))
      }
      if random.once(in: 5) {
        let step = reaction(count: 1, self: index)
        plan.receivers[index].value.atRelease = numbered(step)
      }
      if random.once(in: 8) {
        let step = reaction(count: 1, self: index)
        plan.receivers[index].value.visit = numbered(Reaction(at: 1 + random.below(30), step: step))
      }
    }
    let threadCount = 2 + random.below(3)
    for thread in 0..<threadCount {
      var steps: [Numbered<Step>] = []
      for _ in 0..<3 + random.below(10) {
        let step = self.step(thread: thread)
        steps.append(numbered(step))
      }
      plan.threads.append(steps)
    }
    return plan
  }

  mutating func numbered<Value>(_ value: Value) -> Numbered<Value> {
    plan.count += 1
    return Numbered(number: plan.count, value: value)
  }

  mutating func chain(isHub: Bool, most: Int) -> ChainPlan {
    let base: Base =
      if !isHub, !plan.hubs.isEmpty, random.once(in: 3) {
        .hub(random.below(plan.hubs.count))
      } else if random.once(in: 4) {
        .cold(random.pick(ColdPlan.allCases))
      } else {
        .hot(random.below(plan.hots.count))
      }
    var chain = ChainPlan(base: base)
    for _ in 0..<random.below(most + 1) {
      var row = random.below(Rows.all.count)
      // A hub is kept until all sources have been left.
      while isHub, Rows.all[row].outlivesSubscribers { row = random.below(Rows.all.count) }
      chain.rows.append(numbered(row))
    }
    if random.once(in: 6) { chain.throwAt = numbered(1 + random.below(60)) }
    return chain
  }

  mutating func receiver() -> ReceiverPlan {
    if !plan.usesQueue, random.once(in: 4) {
      // One source and no operators: only a value from that source shows that the owner is deallocated.
      return ReceiverPlan(
        chain: ChainPlan(base: .hot(random.below(plan.hots.count))), owner: random.pick(OwnerPlan.allCases))
    }
    return ReceiverPlan(
      chain: chain(isHub: false, most: 4), bag: random.once(in: 4) ? random.below(World.bagCount) : nil)
  }

  /// What a handler does: with something else, or with itself.
  mutating func reaction(count: Int, self index: Int? = nil) -> Step {
    let receiver = random.below(plan.receivers.count)
    switch random.below(8) {
    case 0: return .dispose(index ?? receiver)
    case 1: return .dispose(receiver)
    case 2: return .subscribe(receiver)
    case 3: return .emptyBag(random.below(World.bagCount))
    case 4: return .churn(hot: random.below(plan.hots.count), count: count)
    default: return .send(hot: random.below(plan.hots.count), count: count)
    }
  }

  mutating func step(thread: Int) -> Step {
    let hot = random.below(plan.hots.count)
    let receiver = random.below(plan.receivers.count)
    switch random.below(32) {
    case 0..<10: return .send(hot: hot, count: 1 + random.below(1 << (1 + random.below(plan.usesQueue ? 8 : 13))))
    case 10..<18: return .subscribe(receiver)
    case 18..<21: return .dispose(receiver)
    case 21: return .drop(receiver)
    case 22: return .emptyBag(random.below(World.bagCount))
    case 23: return .churn(hot: hot, count: 1 + random.below(40))
    case 24: return random.once(in: 3) ? .finish(hot: hot) : .sendOther
    case 25: return random.once(in: 3) ? .fail(hot: hot) : random.once(in: 4) ? .silence(hot: hot) : .sendOther
    case 26: return .snapshot
    case 27: return .releaseOwner(receiver)
    // Virtual time has one driver.
    case 28...: return thread == 0 ? .advance : .subscribe(receiver)
    default: return .sendOther
    }
  }
}
