package import SignalGraph

/// Something that is wrong with a graph, or looks wrong: what it is, where in the source code, and what to do.
package struct Finding: Codable, Hashable, Sendable {
  /// How sure it is that something is wrong.
  package enum Severity: String, Codable, Hashable, Sendable, CaseIterable {
    /// It is wrong.
    case error
    /// It is wrong in most programs.
    case warning
  }

  /// The name of the rule that found it, such as `growth`; what `--ignore` takes.
  package var rule: String
  /// How sure it is that something is wrong.
  package var severity: Severity
  /// The place in the source code that has to be looked at.
  package var place: Place
  /// What was found, with figures: one sentence.
  package var message: String
  /// What to do: one sentence.
  package var remedy: String
  /// Further places that belong to it, such as the source of a chain.
  package var related: [Related]
  /// The nodes that it is about, by their `id` in the snapshot.
  package var nodes: [UInt64]

  /// A further place, and what is there.
  package struct Related: Codable, Hashable, Sendable {
    /// What is there.
    package var message: String
    /// The place.
    package var place: Place

    /// Makes a further place.
    ///
    /// - Parameters:
    ///   - message: What is there.
    ///   - place: The place.
    package init(_ message: String, at place: Place) {
      self.message = message
      self.place = place
    }
  }

  /// Makes a finding.
  ///
  /// - Parameters:
  ///   - rule: The name of the rule.
  ///   - severity: How sure it is that something is wrong.
  ///   - place: The place to look at.
  ///   - message: What was found.
  ///   - remedy: What to do.
  ///   - related: Further places.
  ///   - nodes: The nodes that it is about.
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

/// A place in the source code.
package struct Place: Codable, Hashable, Sendable, Comparable {
  /// The `#fileID`, such as `App/Feed.swift`.
  package var fileID: String
  /// The line.
  package var line: Int
  /// The `#function`.
  package var function: String

  /// Makes a place.
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

  /// The place of a definition.
  ///
  /// - Parameter definition: What is written there.
  package init(_ definition: Definition) {
    self.init(fileID: definition.fileID, line: definition.line, function: definition.function)
  }

  /// Orders places by file and line.
  ///
  /// - Parameters:
  ///   - first: A place.
  ///   - second: Another one.
  /// - Returns: Whether the first comes before the second.
  package static func < (first: Place, second: Place) -> Bool {
    (first.fileID, first.line, first.function) < (second.fileID, second.line, second.function)
  }
}
