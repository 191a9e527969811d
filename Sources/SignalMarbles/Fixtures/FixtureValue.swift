import Foundation

/// A value of a fixture, written as JSON.
public enum FixtureValue: Hashable, Sendable, Codable {
  /// `true` or `false`.
  case bool(Bool)
  /// An integer.
  case integer(Int)
  /// A number with a fraction.
  case number(Double)
  /// A text.
  case string(String)
  /// An array.
  case array([FixtureValue])
  /// A dictionary.
  case object([String: FixtureValue])

  /// Decodes any of the cases.
  ///
  /// - Parameter decoder: The decoder to read from.
  /// - Throws: Rethrows the errors of the decoder.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Int.self) {
      self = .integer(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode([FixtureValue].self) {
      self = .array(value)
    } else {
      self = .object(try container.decode([String: FixtureValue].self))
    }
  }

  /// Encodes the value itself.
  ///
  /// - Parameter encoder: The encoder to write to.
  /// - Throws: Rethrows the errors of the encoder.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .bool(let value): try container.encode(value)
    case .integer(let value): try container.encode(value)
    case .number(let value): try container.encode(value)
    case .string(let value): try container.encode(value)
    case .array(let value): try container.encode(value)
    case .object(let value): try container.encode(value)
    }
  }

  /// Parses JSON; nil if the text is not JSON.
  ///
  /// - Parameter json: The text.
  public init?(json: String) {
    guard let value = try? JSONDecoder().decode(FixtureValue.self, from: Data(json.utf8)) else { return nil }
    self = value
  }

  /// The value as JSON on one line, the keys sorted.
  public var json: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Encoding fails only for numbers that JSON does not have (infinity), which no fixture contains.
    return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "null"
  }
}

extension FixtureValue: CustomStringConvertible {
  /// A text itself, anything else as JSON.
  public var description: String { if case .string(let string) = self { string } else { json } }
}
