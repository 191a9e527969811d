/// A random graph, and what threads and handlers do with it. The same seed gives the same plan.
///
/// What can be left out to make a plan smaller has a number.
struct Plan: Sendable {
  /// Whether operators run on a dispatch queue; otherwise in virtual time.
  var usesQueue = false
  /// Whether all sources end at the end; otherwise all subscriptions are disposed.
  var finishes = true
  var hots: [HotPlan] = []
  var hubs: [HubPlan] = []
  var receivers: [Numbered<ReceiverPlan>] = []
  var threads: [[Numbered<Step>]] = []
  var count = 0
}

struct Numbered<Value: Sendable>: Sendable {
  let number: Int
  var value: Value
}

/// A source that sends whether or not somebody listens.
enum HotPlan: Sendable {
  case emitter(replay: Int)
  case property
  /// An emitter of objects that do something when they are released.
  case objects(replay: Int, atRelease: Step)
}

/// A source that begins with each subscription.
enum ColdPlan: CaseIterable, Sendable {
  /// Every second value comes from another thread while the source waits for it.
  case alternating
  case alternatingThenFailing
  /// All from another thread.
  case elsewhere
  /// Merged: one that sends from another thread, and a sequence.
  case besideSequence
}

/// What a chain begins with.
enum Base: Sendable {
  case hot(Int)
  case hub(Int)
  case cold(ColdPlan)
}

/// A base and the operators on it, from above.
struct ChainPlan: Sendable {
  var base: Base
  /// Positions in ``Rows/all``.
  var rows: [Numbered<Int>] = []
  /// At which call of an operator's closure that throws.
  var throwAt: Numbered<Int>?
}

/// A shared chain.
struct HubPlan: Sendable {
  var chain: ChainPlan
  var replay: Int
}

/// A subscriber.
struct ReceiverPlan: Sendable {
  var chain: ChainPlan
  var bag: Int?
  var owner: OwnerPlan?
  var reactions: [Numbered<Reaction>] = []
  /// What an object that its closure has captured does when it is released.
  var atRelease: Numbered<Step>?
  /// What an operator's closure does.
  var visit: Numbered<Reaction>?
}

/// The object that a subscription ends with.
enum OwnerPlan: CaseIterable, Sendable {
  /// `subscribe(with:)`.
  case object
  /// The same, with an owner that has a bag of its own.
  case bagOwner
  /// `subscribe(with:in:)`, with a bag that ends with the owner and outlives it.
  case boundBag
  /// `subscribe(onMainWith:)`.
  case onMain
  /// `subscribe(onActor:)`.
  case actor
}

/// Something that is done at one of the calls.
struct Reaction: Sendable {
  let at: Int
  let step: Step
}

/// One thing that a thread, a handler or a `deinit` does.
enum Step: Sendable {
  case send(hot: Int, count: Int)
  case sendOther
  case finish(hot: Int)
  case fail(hot: Int)
  /// Ends all subscriptions of a source without an event.
  case silence(hot: Int)
  case subscribe(Int)
  case dispose(Int)
  /// Lets go of the subscription without disposing it.
  case drop(Int)
  case emptyBag(Int)
  case releaseOwner(Int)
  /// Subscribers that come and go at once.
  case churn(hot: Int, count: Int)
  case advance
  case snapshot
}

extension Plan {
  /// The same plan without some of its parts.
  func without(_ removed: Set<Int>) -> Plan {
    func kept<Value>(_ parts: [Numbered<Value>]) -> [Numbered<Value>] { parts.filter { !removed.contains($0.number) } }
    func kept<Value>(_ part: Numbered<Value>?) -> Numbered<Value>? { part.flatMap { kept([$0]).first } }
    func kept(_ chain: ChainPlan) -> ChainPlan {
      ChainPlan(base: chain.base, rows: kept(chain.rows), throwAt: kept(chain.throwAt))
    }
    var plan = self
    plan.hubs = hubs.map { HubPlan(chain: kept($0.chain), replay: $0.replay) }
    plan.threads = threads.map(kept)
    plan.receivers = receivers.map { part in
      var part = part
      part.value.chain = kept(part.value.chain)
      part.value.reactions = kept(part.value.reactions)
      part.value.atRelease = kept(part.value.atRelease)
      part.value.visit = kept(part.value.visit)
      return part
    }
    return plan
  }
}
