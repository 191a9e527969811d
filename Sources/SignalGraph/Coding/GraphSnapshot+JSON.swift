#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension GraphSnapshot {
  /// Decodes and validates a snapshot.
  ///
  /// ```swift
  /// import Foundation
  ///
  /// let data = try Data(contentsOf: URL(fileURLWithPath: "live.json"))
  /// let snapshot = try GraphSnapshot(json: data)
  /// print(snapshot.nodes.count { $0.state == .live })
  /// ```
  ///
  /// Unknown fields are ignored; optional fields may be missing.
  ///
  /// - Parameter json: UTF-8 text, as written by ``json(pretty:)``.
  /// - Throws: A ``GraphSnapshotError`` with the error and its location.
  /// - Complexity: O(*n*) in the length of the text.
  public init(json: Data) throws(GraphSnapshotError) {
    guard json.contains(where: { !JSONExtent.isSpace($0) }) else { throw .empty }
    let decoder = JSONDecoder()
    do {
      do {
        self = try decoder.decode(GraphSnapshot.self, from: json)
      } catch {
        // The version comes first: a newer snapshot may not be readable at all. The text is parsed again for it only if
        // necessary.
        try Self.check(try decoder.decode(VersionField.self, from: json).version)
        throw error
      }
      try Self.check(version)
    } catch let error as GraphSnapshotError {
      throw error
    } catch let error as DecodingError {
      throw GraphSnapshotError(error, in: json) { text in
        do {
          _ = try decoder.decode(GraphSnapshot.self, from: Data(text))
          return false
        } catch DecodingError.dataCorrupted(let context) {
          return context.codingPath.isEmpty
        } catch {
          return false
        }
      }
    } catch {
      throw .notJSON(detail: "\(error)")
    }
    try validate()
  }

  private static func check(_ version: Int) throws(GraphSnapshotError) {
    if version > currentVersion { throw .newerVersion(found: version, supported: currentVersion) }
    if version < 1 { throw .invalidField(path: "version", detail: "versions start at 1, found \(version)") }
  }

  /// Returns the snapshot as JSON with sorted keys: equal snapshots give equal bytes.
  ///
  /// - Parameter pretty: Whether it is indented, for readability, instead of on one line.
  /// - Returns: UTF-8 text.
  /// - Throws: ``GraphSnapshotError/notWritable(path:detail:)`` for numbers that are not finite.
  /// - Complexity: O(*n*) in nodes, edges and definitions.
  public func json(pretty: Bool = false) throws(GraphSnapshotError) -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    if pretty { encoder.outputFormatting.insert(.prettyPrinted) }
    do {
      return try encoder.encode(self)
    } catch let error as EncodingError {
      guard case .invalidValue(_, let context) = error else { throw .notWritable(path: "", detail: "\(error)") }
      throw .notWritable(path: context.codingPath.fieldPath, detail: context.debugDescription)
    } catch {
      throw .notWritable(path: "", detail: "\(error)")
    }
  }
}

private struct VersionField: Decodable {
  var version: Int
}

extension GraphSnapshotError {
  /// The size from which the invalid number is not searched for: each attempt parses all bytes.
  private static let searchedBytes = 64 * 1_048_576

  fileprivate init(_ error: DecodingError, in json: Data, isRefused: ([UInt8]) -> Bool) {
    switch error {
    case .keyNotFound(let key, let context):
      self = .missingField(path: (context.codingPath + [key]).fieldPath)
    case .valueNotFound(let type, let context):
      self = .invalidField(path: context.codingPath.fieldPath, detail: "expected \(Self.word(for: type)), found null")
    case .typeMismatch(let type, let context):
      let found = Self.found(at: context.codingPath, in: json).map { ", found \($0)" } ?? ""
      self = .invalidField(
        path: context.codingPath.fieldPath, detail: "expected \(Self.word(for: type))\(found)")
    case .dataCorrupted(let context):
      if !context.codingPath.isEmpty {
        self = .invalidField(
          path: context.codingPath.fieldPath,
          detail: Self.choice(at: context.codingPath, in: json) ?? context.debugDescription)
      } else if JSONExtent.isTruncated(json) {
        self = .truncated(bytes: json.count)
      } else {
        // The decoder reports only an error: neither its kind nor its location.
        let scan = JSONScan([UInt8](json))
        if let mistake = scan.mistake {
          self = .notJSON(detail: mistake)
        } else if json.count <= Self.searchedBytes, let number = scan.refusedNumber(where: isRefused) {
          self = .invalidField(path: number.path, detail: scan.words(on: number))
        } else {
          self = .notJSON(detail: context.debugDescription)
        }
      }
    @unknown default:
      self = .notJSON(detail: "\(error)")
    }
  }

  /// A string that is not an allowed one.
  private static func choice(at path: [any CodingKey], in json: Data) -> String? {
    guard path.last?.stringValue == "state", path.first?.stringValue == "nodes", let found = found(at: path, in: json)
    else { return nil }
    return "expected one of \(Node.State.allCases.map(\.rawValue).joined(separator: ", ")), found \(found)"
  }

  /// The value found instead of the expected one.
  private static func found(at path: [any CodingKey], in json: Data) -> String? {
    var value = try? JSONDecoder().decode(AnyJSON.self, from: json)
    for key in path { value = key.intValue.map { value?[$0] } ?? value?[key.stringValue] }
    return value?.words
  }

  private static func word(for type: any Any.Type) -> String {
    switch type {
    case is String.Type: "a text"
    case is any FixedWidthInteger.Type: "a whole number"
    case is any BinaryFloatingPoint.Type: "a number"
    case is [any Sendable].Type: "a list"
    default: String(describing: type).hasPrefix("Array") ? "a list" : "an object"
    }
  }
}

/// Any JSON, to describe an unexpected value.
private enum AnyJSON: Decodable {
  case null
  case flag(Bool)
  case number(Double)
  case text(String)
  case list([AnyJSON])
  case object([String: AnyJSON])
  /// A number that is out of range.
  case other

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .flag(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else if let value = try? container.decode(String.self) {
      self = .text(value)
    } else if let value = try? container.decode([AnyJSON].self) {
      self = .list(value)
    } else if let value = try? container.decode([String: AnyJSON].self) {
      self = .object(value)
    } else {
      self = .other
    }
  }

  subscript(index: Int) -> AnyJSON? {
    guard case .list(let values) = self, values.indices.contains(index) else { return nil }
    return values[index]
  }

  subscript(key: String) -> AnyJSON? {
    guard case .object(let values) = self else { return nil }
    return values[key]
  }

  var words: String {
    switch self {
    case .null: "null"
    case .flag(let value): "\(value)"
    case .number(let value): Int64(exactly: value).map { "\($0)" } ?? "\(value)"
    case .text(let text): "\"\(text.prefix(40))\(text.count > 40 ? "…" : "")\""
    case .list: "a list"
    case .object: "an object"
    case .other: "something else"
    }
  }
}

extension [any CodingKey] {
  /// The path as `nodes[3].definition`; the root is called `(whole document)`.
  fileprivate var fieldPath: String {
    var path = ""
    for key in self {
      if let index = key.intValue {
        path += "[\(index)]"
      } else {
        path += path.isEmpty ? key.stringValue : ".\(key.stringValue)"
      }
    }
    return path.isEmpty ? "(whole document)" : path
  }
}
