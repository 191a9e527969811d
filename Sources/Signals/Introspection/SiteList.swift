/// Where joined operators are written, and perhaps the subscriber below them: made once, and shared by all subscriptions.
@usableFromInline
final class SiteList: Sendable {
  /// In the order in which a value passes them.
  let sites: [Site]
  /// Whether the last site is that of a subscriber.
  let hasSubscriber: Bool
  /// The list of the same operators with another subscriber, or without one: as many as there are places that subscribe.
  private let next = OnceReference<SiteList>()

  init(_ operators: [Site], subscriber: Site?) {
    sites = subscriber.map { operators + [$0] } ?? operators
    hasSubscriber = subscriber != nil
  }

  private func isFor(_ subscriber: Site?) -> Bool {
    guard let subscriber else { return !hasSubscriber }
    return hasSubscriber && sites[sites.count - 1] == subscriber
  }

  /// The list of the same operators with a subscriber, or without one; made when there is none yet.
  func list(for subscriber: Site?, _ make: () -> SiteList) -> SiteList {
    var list = self
    while !list.isFor(subscriber) {
      list = list.next.load() ?? list.next.storeIfNil(make())
    }
    return list
  }
}
