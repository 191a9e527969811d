/// The values that a source keeps for new subscribers, such as those of `Emitter(replay: 10)`.
public struct ReplayMemory: Codable, Hashable, Sendable {
  /// How many values it keeps at most.
  public var limit: UInt64
  /// How many values it keeps now; `nil` where that depends on their age.
  public var held: UInt64?

  /// Makes a memory.
  ///
  /// - Parameters:
  ///   - limit: How many values it keeps at most.
  ///   - held: How many values it keeps now; `nil` where that is not known.
  public init(limit: UInt64, held: UInt64? = nil) {
    self.limit = limit
    self.held = held
  }
}
