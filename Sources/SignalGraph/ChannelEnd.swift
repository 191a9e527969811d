/// An end of a channel between programs: what passes a node goes out to the channel, or has come in from it.
///
/// Programs mean the same channel where they call it by the same name. `signal-viz render --every-program` joins its ends.
public struct ChannelEnd: Codable, Hashable, Sendable {
  /// Which end it is.
  public enum Direction: String, Codable, Hashable, Sendable, CaseIterable {
    /// Values go out to the channel.
    case to
    /// Values come in from the channel.
    case from
  }

  /// Which end it is.
  public var direction: Direction
  /// What the channel is called.
  public var name: String

  /// Makes an end.
  ///
  /// - Parameters:
  ///   - direction: Which end it is.
  ///   - name: What the channel is called.
  public init(_ direction: Direction, _ name: String) {
    self.direction = direction
    self.name = name
  }
}

extension ChannelEnd: Comparable {
  /// Whether an end is listed before another one: what comes in first, then by the channel's name.
  ///
  /// - Parameters:
  ///   - left: An end.
  ///   - right: Another one.
  public static func < (left: ChannelEnd, right: ChannelEnd) -> Bool {
    (left.direction.rawValue, left.name) < (right.direction.rawValue, right.name)
  }
}

/// A channel's end as it is in a file: of one whose direction this version does not know nothing is read.
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
