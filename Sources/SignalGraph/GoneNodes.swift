/// What is known of the nodes of a place that have ended and are not kept any more: a program keeps the last few hundred that ended, and counts those before.
public struct GoneNodes: Codable, Hashable, Sendable {
  /// How many they are.
  public var nodes: UInt64
  /// How many values had passed them.
  public var values: UInt64
  /// The names that some of them had, at most eight.
  public var names: [String]
  /// How many of them were below a source that was live when they were removed from the snapshot; `nil` where that is not counted.
  public var withLiveSource: UInt64?

  /// Makes what is known of them.
  ///
  /// - Parameters:
  ///   - nodes: How many they are.
  ///   - values: How many values had passed them.
  ///   - names: The names that some of them had.
  public init(nodes: UInt64 = 0, values: UInt64 = 0, names: [String] = []) {
    self.nodes = nodes
    self.values = values
    self.names = names
  }
}
