/// Who listens to an emitter or a property: where the subscriber is written, and what it is called.
///
/// ```swift
/// final class SearchModel: Sendable {
///   func search(for text: String) { print("searching for \(text)") }
/// }
/// let model = SearchModel()
/// let keys = Emitter<String>()
/// keys.signal.subscribe(with: model) { model, text in model.search(for: text) }
/// for subscriber in keys.subscribers { print(subscriber) }  // App/Search.swift:6 main, SearchModel
/// ```
///
/// It is known whether or not the live graph is on, see ``Emitter/subscribers`` and ``Property/subscribers``.
public struct SubscriberDescription: Sendable, Hashable {
  /// The `#fileID` of the place where the subscription is made, such as `App/Search.swift`.
  ///
  /// Below ``Signal/share(replay:fileID:line:function:)`` it is that of `share`: one subscription stands for all.
  public let fileID: String
  /// The line of the place.
  public let line: Int
  /// The `#function` of the place.
  public let function: String
  /// What the chain was called with ``Signal/named(_:)``; the name nearest to the subscriber if there are several.
  public let name: String?
  /// The type of the object that the subscription ends with, if there is one and it lives.
  public let owner: String?

  init(_ site: SubscriptionSite, _ tag: SubscriberTag?) {
    // Safe: the pointers lead to string literals.
    fileID = String(cString: site.fileText)
    line = site.line
    function = String(cString: site.functionText)
    name = tag?.name
    owner = tag?.ownerName
  }
}

extension SubscriberDescription: CustomStringConvertible {
  /// On one line: the place, the name and the owner.
  public var description: String {
    let place = "\(fileID):\(line) \(function)"
    return ([place] + [name.map { "\"\($0)\"" }, owner].compactMap { $0 }).joined(separator: ", ")
  }
}
