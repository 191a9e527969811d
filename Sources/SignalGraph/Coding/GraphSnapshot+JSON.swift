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
      throw GraphSnapshotError(error, in: json)
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
    let encoder = JSONEncoder.wire
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

extension JSONEncoder {
  /// An encoder for what is written as a whole: its keys are sorted.
  package static var wire: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return encoder
  }
}

private struct VersionField: Decodable {
  var version: Int
}

extension GraphSnapshotError {
  fileprivate init(_ error: DecodingError, in json: Data) {
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
      } else if let path = UnreadablePart.path(in: json) {
        // The decoder says neither which value it rejects nor where.
        self = .invalidField(
          path: path,
          detail: "a number is negative, fractional or too large, or a string has an invalid escape sequence")
      } else {
        self = .notJSON(detail: "a JSON checker, such as `python3 -m json.tool FILE`, prints the line")
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

/// The first part of a snapshot with a value that the decoder rejects, such as `nodes[3]`.
private struct UnreadablePart: Decodable {
  private enum Field: String, CodingKey { case version, takenAt, process, definitions, nodes, edges }

  private var path: String?

  /// The part; nil if the text is no JSON.
  static func path(in json: Data) -> String? { (try? JSONDecoder().decode(Self.self, from: json))?.path }

  init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: Field.self)
    func isUnreadable<Value: Decodable>(_ type: Value.Type, _ field: Field) -> Bool {
      do { _ = try fields.decode(type, forKey: field) } catch { return fields.contains(field) }
      return false
    }
    func element<Value: Decodable>(_ type: Value.Type, _ field: Field) -> String? {
      guard var list = try? fields.nestedUnkeyedContainer(forKey: field) else { return nil }
      while !list.isAtEnd {
        do { _ = try list.decode(type) } catch { return "\(field.rawValue)[\(list.currentIndex)]" }
      }
      return nil
    }
    if isUnreadable(Int.self, .version) { path = "version" }
    if path == nil, isUnreadable(Double.self, .takenAt) { path = "takenAt" }
    if path == nil, isUnreadable(ProcessIdentity.self, .process) { path = "process" }
    path =
      path ?? element(Definition.self, .definitions) ?? element(Node.self, .nodes) ?? element(Edge.self, .edges)
  }
}

/// Any JSON, to tell what is there instead of what should be.
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
