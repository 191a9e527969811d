import Foundation
import Signals

/// Finds out by disposing whether a chain retains the object that retains it: reflection cannot see closure captures.
/// It disposes the undisposed subscriptions, one after the other, and checks which objects are deallocated then.
struct CycleTrial {
  /// A subscription that is disposed, and the objects that may be deallocated with it.
  private final class Attempt {
    let chain: ChainNode
    let ownerName: String?
    let isSelfRetained: Bool
    /// Nil if it does not end with an object.
    let isBoundOnMain: Bool?
    let path: String?
    /// Properties of the holders that are closures.
    let closures: [String]
    let ownerIdentifier: ObjectIdentifier?
    weak var subscription: Subscription?
    weak var owner: AnyObject?
    /// The description of its result.
    var finding: [String] = []
    var isCycle = false
    /// Whether the disposal of another chain deallocated what ends it, which this chain does not retain.
    var isFreedByAnother = false
    /// Whether it was disposed before, so that it may retain its owner through another object all the same.
    var isDisposedBefore = false
    /// The owners of chains that lost references when it was disposed.
    var captured: Set<ObjectIdentifier> = []

    init?(_ chain: ChainNode, _ holders: [PropertyPath.Holder]) {
      guard let subscription = chain.recordedSubscription, !subscription.isDisposed else { return nil }
      let owner = subscription.boundOwner
      self.chain = chain
      self.subscription = subscription
      self.owner = owner
      ownerIdentifier = owner.map(ObjectIdentifier.init)
      let ownerName = owner.map { String(describing: type(of: $0)) }
      self.ownerName = ownerName
      isSelfRetained = subscription.isSelfRetained
      isBoundOnMain = subscription.isBoundOnMain
      let places = holders + (owner.map { [PropertyPath.Holder(name: ownerName ?? "", value: $0)] } ?? [])
      var path: String?
      var closures: [String] = []
      for place in places where path == nil {
        let finding = PropertyPath.path(from: place, to: subscription)
        path = finding.path
        closures += finding.closures
      }
      self.path = path
      self.closures = closures
    }

    var isExplained: Bool { isCycle || isFreedByAnother }

    var isGone: Bool { ownerName != nil ? owner == nil : !isSelfRetained && subscription == nil }
  }

  /// The maximum number of subscriptions for which references are counted, as that takes quadratic time.
  private static let mostCounted = 500

  /// The total time that a trial waits for pending deallocations.
  private static let patience = Duration.milliseconds(10)

  private let chains: [ChainNode]
  private let descriptions: [UInt64: String]
  private let holders: [PropertyPath.Holder]

  /// - Parameter holders: Objects that may retain a subscription in a property, besides its owner.
  init(_ finder: LeakFinder, holders: [PropertyPath.Holder] = []) {
    let found = finder.neverDisposed
    chains = found.values.flatMap(\.self).sorted { $0.id < $1.id }
    descriptions = Dictionary(
      found.flatMap { leak, roots in roots.map { ($0.id, leak.chain) } }, uniquingKeysWith: { first, _ in first })
    self.holders = holders
  }

  /// Disposes the leaked subscriptions, and adds the result to their messages.
  func explain(_ leaks: [Leak]) -> [Leak] {
    let attempts = chains.compactMap { Attempt($0, holders) }
    var alive = attempts
    func counts() -> [ObjectIdentifier: UInt] {
      attempts.count > Self.mostCounted ? [:] : Self.retainCounts(ofOwnersOf: attempts)
    }
    var before = counts()
    for attempt in attempts {
      alive.removeAll(where: \.isGone)
      // Only this line may retain it, and the objects that it disposes.
      attempt.subscription?.dispose()
      let after = counts()
      attempt.captured = Set(before.keys.filter { after[$0, default: 0] < before[$0, default: 0] })
      before = after
      for other in alive where other.isGone {
        // A chain that is still there was not in a cycle with what its closures retained.
        if other.chain.id <= attempt.chain.id, attempt.isGone {
          other.isCycle = true
          other.finding = Self.cycle(other, endedBy: attempt)
        } else {
          other.isFreedByAnother = true
          other.isDisposedBefore = other.chain.id < attempt.chain.id
          other.finding = Self.retained(other, by: attempt)
        }
      }
    }
    // Another thread that checks the owners of the process may have retained one for a moment.
    let end = VirtualWorld.outside { ContinuousClock.now } + Self.patience
    while attempts.contains(where: { !$0.isExplained }), VirtualWorld.outside({ ContinuousClock.now }) < end {
      for attempt in attempts where !attempt.isExplained && attempt.isGone {
        attempt.isCycle = true
        attempt.finding = Self.cycle(attempt, endedBy: attempt)
      }
      // Safe: the other thread releases it within microseconds, without a notification.
      VirtualWorld.outside { Thread.sleep(forTimeInterval: 0.001) }
    }
    // One that was disposed before, and whose closures did not retain the owner themselves.
    for attempt in attempts where attempt.isCycle {
      guard let owner = attempt.ownerIdentifier, !attempt.captured.contains(owner),
        let other = attempts.first(where: { $0.captured.contains(owner) })
      else { continue }
      attempt.isCycle = false
      attempt.isFreedByAnother = true
      attempt.isDisposedBefore = true
      attempt.finding = Self.retained(attempt, by: other)
    }
    for attempt in attempts where !attempt.isExplained { attempt.finding = Self.holder(attempt) }
    return leaks.map { leak in
      guard leak.kind == .neverDisposed else { return leak }
      let own = attempts.filter { $0.chain.site == leak.site && descriptions[$0.chain.id] == leak.chain }
      var leak = leak
      var known = Set(leak.details)
      for attempt in own { leak.details += attempt.finding.filter { known.insert($0).inserted } }
      if let cycle = own.first(where: \.isCycle) {
        leak.advice = Self.advice(cycle)
      } else if own.contains(where: \.isDisposedBefore) {
        leak.advice =
          "To do: see the failure of that subscription first. If this one still leaks afterwards, its closures retain that object through another one."
      } else if own.contains(where: \.isFreedByAnother) {
        leak.advice =
          "To do: see the failure of that subscription: this one ends when it no longer retains that object."
      }
      return leak
    }
  }

  private static func cycle(_ attempt: Attempt, endedBy last: Attempt) -> [String] {
    let holder = attempt.ownerName ?? "the holder of the subscription"
    let way = "\(attempt.path ?? "\(holder) -> subscription") -> a closure of the chain -> \(holder)"
    let others =
      last === attempt
      ? "the check disposed the subscription, and then \(holder) was deallocated"
      : "the check disposed the subscription and \(Chains.label(last.chain)), and then \(holder) was deallocated"
    return [
      "a cycle: \(way)", "found by disposing: \(others); reflection cannot see closure captures",
    ]
  }

  private static func retained(_ attempt: Attempt, by other: Attempt) -> [String] {
    let holder = attempt.ownerName ?? "the holder of the subscription"
    return [
      (attempt.path.map { "held by \($0); " } ?? "")
        + "\(holder) is retained by a closure of \(Chains.label(other.chain)), found by disposing that"
    ]
  }

  /// The number of strong references to each owner, of those that are alive.
  private static func retainCounts(ofOwnersOf attempts: [Attempt]) -> [ObjectIdentifier: UInt] {
    var counts: [ObjectIdentifier: UInt] = [:]
    for attempt in attempts {
      guard let owner = attempt.owner else { continue }
      #if canImport(ObjectiveC)
        // Swift's function cannot read the count of an object of Objective-C.
        counts[ObjectIdentifier(owner)] = UInt(bitPattern: CFGetRetainCount(owner))
      #else
        counts[ObjectIdentifier(owner)] = _getRetainCount(owner)
      #endif
    }
    return counts
  }

  private static func advice(_ attempt: Attempt) -> String {
    guard let isOnMain = attempt.isBoundOnMain else {
      return
        "To do: capture that object weakly in the closure, [weak self], or use subscribe(with:), or subscribe(onMainWith:) for an object of "
        + "the main actor, whose closure gets it as an argument."
    }
    let form = isOnMain ? "subscribe(onMainWith:)" : "subscribe(with:)"
    return
      "To do: use the object that \(form) passes to its closure, and capture it weakly in other closures of the chain, [weak self]."
  }

  private static func holder(_ attempt: Attempt) -> [String] {
    var lines = attempt.path.map { ["held by \($0)"] } ?? []
    let cycle = attempt.owner.map(PropertyPath.cycle)
    if let path = cycle?.path {
      lines.append((cycle?.isCertain == true ? "a cycle through properties: " : "possibly a cycle: ") + path)
      if cycle?.isCertain != true {
        lines.append("reflection cannot see closure captures, nor whether each of these properties is weak")
      }
    } else if attempt.path == nil, case let closures = cycle?.closures ?? attempt.closures, !closures.isEmpty {
      // The path may lead through any of them.
      lines.append(
        "no path to it through properties was found; reflection cannot see the captures of closures, such as "
          + closures.joined(separator: ", "))
    }
    return lines
  }
}
