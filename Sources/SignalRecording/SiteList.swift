/// The locations of fused operators, and possibly of the subscriber below them: created once, and shared by all
/// subscriptions.
package final class SiteList: Sendable {
  /// In the order in which a value passes them.
  let sites: [Site]
  /// The last site, if it is that of a subscriber.
  private let subscriber: Site?
  /// The list of the same operators with another subscriber, or without one: as many as there are subscribing
  /// locations.
  fileprivate let next = OnceReference<SiteList>()

  init(_ operators: [Site], subscriber: Site?) {
    sites = subscriber.map { operators + [$0] } ?? operators
    self.subscriber = subscriber
  }

  /// The number of sites of operators.
  var operatorCount: Int { subscriber == nil ? sites.count : sites.count - 1 }

  /// Whether it is the list with this subscriber, or without one.
  func isFor(_ subscriber: Site?) -> Bool {
    self.subscriber == subscriber
  }

  /// The list of the same operators with a subscriber, or without one; created if there is none yet.
  fileprivate func list(for subscriber: Site?, _ make: () -> SiteList) -> SiteList {
    var list = self
    while !list.isFor(subscriber) {
      list = list.next.load() ?? list.next.storeIfNil(make())
    }
    return list
  }
}

/// The lists of some fused operators, created on demand.
@usableFromInline
package struct LazySiteList: ~Copyable, Sendable {
  private let first = OnceReference<SiteList>()

  @usableFromInline
  package init() {}

  /// The list with a subscriber, or without one.
  ///
  /// - Parameter operators: Called if the list does not exist yet.
  /// - Returns: A list that lives as long as this.
  package func list(subscriber: Site?, _ operators: () -> [Site]) -> Unmanaged<SiteList> {
    var next = first.unmanaged
    // Nothing is retained during the search: lists stay as long as this.
    while let list = next {
      if list._withUnsafeGuaranteedRef({ $0.isFor(subscriber) }) { return list }
      next = list._withUnsafeGuaranteedRef { $0.next.unmanaged }
    }
    func make() -> SiteList { SiteList(operators(), subscriber: subscriber) }
    return .passUnretained((first.load() ?? first.storeIfNil(make())).list(for: subscriber, make))
  }
}
