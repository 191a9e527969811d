package import SignalGraph

/// A pattern for links from nodes to their source, such as `https://example.com/blob/main/Sources/{file}#L{line}`.
///
/// `{file}` becomes the `#fileID`, `{line}` the line, and `{path}` the path of the file from ``paths``: a `#fileID`
/// does not contain the directories below the module. libgraphviz writes links into SVG unchanged, so only known
/// schemes are accepted, and everything else is percent-encoded.
public struct SourceLink: Hashable, Sendable {
  /// The permitted schemes of a link.
  public static let schemes = ["https", "http", "file", "vscode", "xcode"]

  /// The error for a pattern that is not safe to use.
  public struct PatternError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The given pattern.
    public var pattern: String

    /// The problem and its remedy.
    public var description: String {
      "The link pattern `\(pattern)` must start with one of \(SourceLink.schemes.map { "\($0):" }.joined(separator: ", "))"
        + " and contain {file} or {path}, as in https://example.com/{path}#L{line}."
    }
  }

  private let pattern: String

  /// The paths of files by their `#fileID`, for `{path}`. Other files then have no link.
  public var paths: [String: String] = [:]

  /// Whether the pattern contains `{path}`, and needs ``paths``.
  package var needsPaths: Bool { pattern.contains("{path}") }

  /// Creates a link from a pattern.
  ///
  /// ```swift
  /// let link = try SourceLink(pattern: "https://example.com/blob/main/Sources/{file}#L{line}")
  /// let options = DrawingOptions(sourceLink: link)
  /// print(options)
  /// ```
  ///
  /// - Parameter pattern: The address, with `{file}` for the `#fileID` or `{path}` for the path, and `{line}` for the line.
  /// - Throws: ``PatternError`` for another scheme, or a pattern without a file.
  public init(pattern: String) throws(PatternError) {
    let scheme = pattern.prefix { $0 != ":" }.lowercased()
    guard scheme.count < pattern.count, Self.schemes.contains(scheme),
      pattern.contains("{file}") || pattern.contains("{path}")
    else {
      throw PatternError(pattern: pattern)
    }
    self.pattern = pattern
  }

  /// Returns the link to a source location, safe inside a quoted XML attribute; nil if the location of the file is
  /// unknown.
  package func url(for definition: Definition) -> String? {
    var url = ""
    var rest = pattern[...]
    while let open = rest.firstIndex(of: "{") {
      url += Self.encoded(rest[..<open], keeping: "/:?#=&@+%,;~-._!()[]")
      rest = rest[open...]
      if rest.hasPrefix("{file}") {
        url += Self.encodedPath(definition.fileID)
      } else if rest.hasPrefix("{path}") {
        guard let path = paths[definition.fileID] else { return nil }
        url += Self.encodedPath(path)
      } else if rest.hasPrefix("{line}") {
        url += "\(definition.line)"
      } else {
        url += "%7B"
        rest = rest.dropFirst()
        continue
      }
      rest = rest.dropFirst("{file}".count)
    }
    return url + Self.encoded(rest, keeping: "/:?#=&@+%,;~-._!()[]")
  }

  /// Returns a path encoded as part of an address.
  package static func encodedPath(_ path: String) -> String { encoded(path[...], keeping: "/~-._") }

  private static func encoded(_ text: Substring, keeping kept: String) -> String {
    let kept = Set(kept.utf8)
    let hexadecimal = Array("0123456789ABCDEF")
    var result = ""
    for byte in text.utf8 {
      let sign = Character(Unicode.Scalar(byte))
      if sign.isASCII, sign.isLetter || sign.isNumber || kept.contains(byte) {
        result.append(sign)
      } else {
        result += "%" + String(hexadecimal[Int(byte >> 4)]) + String(hexadecimal[Int(byte & 15)])
      }
    }
    return XMLText.escaped(result)
  }
}
