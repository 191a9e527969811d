/// The reason why a ``CollectionChange`` is invalid for its collection. No part of it was applied.
public struct CollectionChangeError: Error, Hashable, Sendable {
  /// The number of the operation, from 0.
  public let operationIndex: Int
  /// The operation, such as `removeItem(at: [0, 5])`.
  public let operation: String
  /// The reason why it is invalid.
  public let reason: String
}

extension CollectionChangeError: CustomStringConvertible {
  /// The operation and the reason, on one line.
  public var description: String { "operation \(operationIndex), \(operation): \(reason)" }
}
