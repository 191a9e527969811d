import Signals

/// Tells by trying whether a chain keeps what keeps it: reflection does not see what a closure holds. It disposes what nobody has disposed, one after the
/// other, and looks what goes then.
struct CycleTrial {
  /// A subscription that is disposed, and what may go with it.
  private final class Attempt {
    let chain: ChainNode
    let ownerName: String?
    let isSelfRetained: Bool
    let path: String?
    weak var subscription: Subscription?
    weak var owner: AnyObject?
    /// What is said of it.
    var finding: [String] = []
    var isCycle = false

    init?(_ chain: ChainNode, _ holders: [PropertyPath.Holder]) {
      guard let subscription = chain.recordedSubscription, !subscription.isDisposed else { return nil }
      let owner = subscription.boundOwner
      self.chain = chain
      self.subscription = subscription
      self.owner = owner
      let ownerName = owner.map { String(describing: type(of: $0)) }
      self.ownerName = ownerName
      isSelfRetained = subscription.isSelfRetained
      let places = holders + (owner.map { [PropertyPath.Holder(name: ownerName ?? "", value: $0)] } ?? [])
      path = places.lazy.compactMap { PropertyPath.path(from: $0, to: subscription) }.first
    }

    var isGone: Bool { ownerName != nil ? owner == nil : !isSelfRetained && subscription == nil }
  }

  private let chains: [ChainNode]
  private let descriptions: [UInt64: String]
  private let holders: [PropertyPath.Holder]

  /// - Parameter holders: What may hold a subscription in a property, beside its owner.
  init(_ finder: LeakFinder, holders: [PropertyPath.Holder] = []) {
    let found = finder.neverDisposed
    chains = found.values.flatMap(\.self).sorted { $0.id < $1.id }
    descriptions = Dictionary(
      found.flatMap { leak, roots in roots.map { ($0.id, leak.chain) } }, uniquingKeysWith: { first, _ in first })
    self.holders = holders
  }

  /// Disposes the subscriptions that nobody has disposed, and adds to what is said of them what that has shown.
  func explain(_ leaks: [Leak]) -> [Leak] {
    let attempts = chains.compactMap { Attempt($0, holders) }
    for attempt in attempts {
      // Nothing but this line may keep it, nor what it disposes.
      attempt.subscription?.dispose()
      for other in attempts where !other.isCycle && other.chain.id <= attempt.chain.id && other.isGone {
        other.isCycle = true
        other.finding = Self.cycle(other, endedBy: attempt)
      }
    }
    for attempt in attempts where !attempt.isCycle { attempt.finding = Self.holder(attempt) }
    return leaks.map { leak in
      guard leak.kind == .neverDisposed else { return leak }
      let own = attempts.filter { $0.chain.site == leak.site && descriptions[$0.chain.id] == leak.chain }
      var leak = leak
      var known = Set(leak.details)
      for attempt in own { leak.details += attempt.finding.filter { known.insert($0).inserted } }
      if own.contains(where: \.isCycle) {
        leak.advice =
          "To do: let the closure hold that object weakly, [weak self], or use subscribe(with:), whose closure gets it as an argument."
      }
      return leak
    }
  }

  private static func cycle(_ attempt: Attempt, endedBy last: Attempt) -> [String] {
    let holder = attempt.ownerName ?? "what holds the subscription"
    let way = "\(attempt.path ?? "\(holder) -> subscription") -> a closure of the chain -> \(holder)"
    let others =
      last === attempt
      ? "the check disposed the subscription, and then \(holder) went"
      : "the check disposed the subscription and \(Chains.label(last.chain)), and then \(holder) went"
    return [
      "a cycle: \(way)", "told by trying: \(others); reflection does not see what a closure holds",
    ]
  }

  private static func holder(_ attempt: Attempt) -> [String] {
    var lines = attempt.path.map { ["held by \($0)"] } ?? []
    if let owner = attempt.owner, let cycle = PropertyPath.cycle(through: owner) {
      lines.append("perhaps a cycle: \(cycle)")
      lines.append(
        FieldOwnership.isKnown
          ? "told by reflection, which leaves out properties that are weak or unowned, and does not see what a closure holds"
          : "reflection does not see which properties are weak, nor what a closure holds")
    }
    return lines
  }
}
