/// An end of a channel between programs: the values of a node go out to the channel, or come in from it.
///
/// Programs refer to the same channel by the same name. `signal-viz render --every-program` connects its ends.
public struct ChannelEnd: Codable, Hashable, Sendable {
  /// The direction of the values at an end.
  public enum Direction: String, Codable, Hashable, Sendable, CaseIterable {
    /// Values go out to the channel.
    case to
    /// Values come in from the channel.
    case from
  }

  /// The direction of the values.
  public var direction: Direction
  /// The name of the channel.
  public var name: String

  /// Creates an end.
  ///
  /// - Parameters:
  ///   - direction: The direction of the values.
  ///   - name: The name of the channel.
  public init(_ direction: Direction, _ name: String) {
    self.direction = direction
    self.name = name
  }
}

extension ChannelEnd: Comparable {
  /// Whether an end is listed before another: by direction, incoming first, then by the channel's name.
  ///
  /// - Parameters:
  ///   - left: An end.
  ///   - right: Another one.
  public static func < (left: ChannelEnd, right: ChannelEnd) -> Bool {
    (left.direction.rawValue, left.name) < (right.direction.rawValue, right.name)
  }
}

/// A channel's end as decoded: one with an unknown direction is skipped.
struct ReadChannelEnd: Decodable {
  let end: ChannelEnd?

  private enum CodingKeys: String, CodingKey {
    case direction, name
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let name = try container.decode(String.self, forKey: .name)
    let word = try container.decode(String.self, forKey: .direction)
    end = ChannelEnd.Direction(rawValue: word).map { ChannelEnd($0, name) }
  }
}
