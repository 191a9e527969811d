/// A summary of a location's evicted nodes: a program retains the last few hundred ended nodes, and counts the earlier
/// ones.
public struct GoneNodes: Codable, Hashable, Sendable {
  /// Their number.
  public var nodes: UInt64
  /// The number of values that had passed them.
  public var values: UInt64
  /// Up to eight of their names.
  public var names: [String]
  /// The number of them that were below a source that was live when they were removed from the snapshot; `nil` if not
  /// counted.
  public var withLiveSource: UInt64?

  /// Creates a summary.
  ///
  /// - Parameters:
  ///   - nodes: Their number.
  ///   - values: The number of values that had passed them.
  ///   - names: Some of their names.
  public init(nodes: UInt64 = 0, values: UInt64 = 0, names: [String] = []) {
    self.nodes = nodes
    self.values = values
    self.names = names
  }
}
