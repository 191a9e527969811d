package import SignalGraph

/// A fault of a graph, or a probable one: what it is, its source location, and the remedy.
package struct Finding: Codable, Hashable, Sendable {
  /// The certainty of a finding.
  package enum Severity: String, Codable, Hashable, Sendable, CaseIterable {
    /// A fault.
    case error
    /// A fault in most programs.
    case warning
  }

  /// The name of the rule that found it, such as `growth`, as in `--ignore`.
  package var rule: String
  /// The certainty that it is a fault.
  package var severity: Severity
  /// The source location to inspect.
  package var place: Place
  /// One sentence that describes the fault, with figures.
  package var message: String
  /// One sentence with the remedy.
  package var remedy: String
  /// Further source locations, such as that of the source of a chain.
  package var related: [Related]
  /// The nodes concerned, by their `id` in the snapshot.
  package var nodes: [UInt64]

  /// A further source location, with its meaning.
  package struct Related: Codable, Hashable, Sendable {
    /// The meaning of the location.
    package var message: String
    /// The source location.
    package var place: Place

    /// Creates a further source location.
    ///
    /// - Parameters:
    ///   - message: The meaning of the location.
    ///   - place: The source location.
    package init(_ message: String, at place: Place) {
      self.message = message
      self.place = place
    }
  }

  /// Creates a finding.
  ///
  /// - Parameters:
  ///   - rule: The name of the rule.
  ///   - severity: The certainty that it is a fault.
  ///   - place: The source location to inspect.
  ///   - message: The description of the fault.
  ///   - remedy: The remedy.
  ///   - related: Further source locations.
  ///   - nodes: The nodes concerned.
  package init(
    rule: String, severity: Severity, place: Place, message: String, remedy: String, related: [Related] = [],
    nodes: [UInt64] = []
  ) {
    self.rule = rule
    self.severity = severity
    self.place = place
    self.message = message
    self.remedy = remedy
    self.related = related
    self.nodes = nodes
  }
}

/// A source location.
package struct Place: Codable, Hashable, Sendable, Comparable {
  /// The `#fileID`, such as `App/Feed.swift`.
  package var fileID: String
  /// The line.
  package var line: Int
  /// The `#function`.
  package var function: String

  /// Creates a source location.
  ///
  /// - Parameters:
  ///   - fileID: The `#fileID`.
  ///   - line: The line.
  ///   - function: The `#function`.
  package init(fileID: String, line: Int, function: String = "") {
    self.fileID = fileID
    self.line = line
    self.function = function
  }

  /// Creates the source location of a definition.
  ///
  /// - Parameter definition: The definition of a node.
  package init(_ definition: Definition) {
    self.init(fileID: definition.fileID, line: definition.line, function: definition.function)
  }

  /// Orders source locations by file and line.
  ///
  /// - Parameters:
  ///   - first: A source location.
  ///   - second: Another one.
  /// - Returns: Whether the first comes before the second.
  package static func < (first: Place, second: Place) -> Bool {
    (first.fileID, first.line, first.function) < (second.fileID, second.line, second.function)
  }
}
