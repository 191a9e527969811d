/// A subscriber of an emitter or a property: its source location and its name.
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
/// It is available even when the live graph is off, see ``Emitter/subscribers`` and ``Property/subscribers``.
public struct SubscriberDescription: Sendable, Hashable {
  /// The `#fileID` of the subscription's call site, such as `App/Search.swift`.
  ///
  /// Below ``Signal/share(replay:fileID:line:function:)`` it is that of `share`: one subscription represents all.
  public let fileID: String
  /// The line of the call site.
  public let line: Int
  /// The `#function` of the call site.
  public let function: String
  /// The name given with ``Signal/named(_:)``; if there are several, the one nearest to the subscriber.
  public let name: String?
  /// The type of the object that the subscription ends with, if there is one and it is alive.
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
  /// On one line: the location, the name and the owner.
  public var description: String {
    let place = "\(fileID):\(line) \(function)"
    return ([place] + [name.map { "\"\($0)\"" }, owner].compactMap { $0 }).joined(separator: ", ")
  }
}
