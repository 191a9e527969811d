/// Says why a ``CollectionChange`` does not fit the collection it was meant for. Nothing of it was applied.
public struct CollectionChangeError: Error, Hashable, Sendable {
  /// The number of the operation, from 0.
  public let operationIndex: Int
  /// What it wanted, such as `removeItem(at: [0, 5])`.
  public let operation: String
  /// Why that cannot be.
  public let reason: String
}

extension CollectionChangeError: CustomStringConvertible {
  /// On one line: which operation, and why not.
  public var description: String { "operation \(operationIndex), \(operation): \(reason)" }
}
