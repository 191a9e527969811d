#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension GraphSnapshot {
  /// Reads a snapshot and checks that it hangs together.
  ///
  /// ```swift
  /// import Foundation
  ///
  /// let data = try Data(contentsOf: URL(fileURLWithPath: "live.json"))
  /// let snapshot = try GraphSnapshot(json: data)
  /// print(snapshot.nodes.count { $0.state == .live })
  /// ```
  ///
  /// Fields that this version does not know are ignored; optional fields may be missing.
  ///
  /// - Parameter json: UTF-8 text, as ``json(pretty:)`` writes it.
  /// - Throws: A ``GraphSnapshotError`` that says what is wrong and where.
  /// - Complexity: O(*n*) in the length of the text.
  public init(json: Data) throws(GraphSnapshotError) {
    guard json.contains(where: { !JSONExtent.isSpace($0) }) else { throw .empty }
    let decoder = JSONDecoder()
    do {
      // The version comes first: the rest of a newer snapshot may not be readable at all.
      let version = try decoder.decode(VersionField.self, from: json).version
      if version > Self.currentVersion {
        throw GraphSnapshotError.newerVersion(found: version, supported: Self.currentVersion)
      }
      if version < 1 {
        throw GraphSnapshotError.invalidField(path: "version", detail: "versions start at 1, found \(version)")
      }
      self = try decoder.decode(GraphSnapshot.self, from: json)
    } catch let error as GraphSnapshotError {
      throw error
    } catch let error as DecodingError {
      throw GraphSnapshotError(error, in: json)
    } catch {
      throw .notJSON(detail: "\(error)")
    }
    try validate()
  }

  /// The snapshot as JSON with sorted keys: the same snapshot gives the same bytes.
  ///
  /// - Parameter pretty: Whether it is indented, for people, instead of standing on one line.
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
  fileprivate init(_ error: DecodingError, in json: Data) {
    switch error {
    case .keyNotFound(let key, let context):
      self = .missingField(path: (context.codingPath + [key]).fieldPath)
    case .valueNotFound(let type, let context):
      self = .invalidField(path: context.codingPath.fieldPath, detail: "expected \(Self.word(for: type)), found null")
    case .typeMismatch(let type, let context):
      self = .invalidField(path: context.codingPath.fieldPath, detail: "expected \(Self.word(for: type))")
    case .dataCorrupted(let context):
      if !context.codingPath.isEmpty {
        self = .invalidField(path: context.codingPath.fieldPath, detail: context.debugDescription)
      } else if JSONExtent.isTruncated(json) {
        self = .truncated(bytes: json.count)
      } else {
        self = .notJSON(detail: context.debugDescription)
      }
    @unknown default:
      self = .notJSON(detail: "\(error)")
    }
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
