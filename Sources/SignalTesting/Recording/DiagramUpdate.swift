import Foundation

/// Writes the received events into the file of an expectation, if the tests run with `SIGNALS_UPDATE_FIXTURES=1`.
///
/// The expectation still fails: no test passes by changing its expectation.
package struct DiagramUpdate: Sendable {
  /// Whether files are rewritten: not in the variants of a search, which receive other events.
  package static var isOn: Bool {
    guard forced ?? isInEnvironment else { return false }
    return MarbleWatching.current?.isVariant != true && OrderDirector.current?.isVariant != true
  }
  /// For tests of this type.
  @TaskLocal package static var forced: Bool?
  private static let isInEnvironment = ProcessInfo.processInfo.environment["SIGNALS_UPDATE_FIXTURES"] == "1"

  private let text: MarbleText
  private let argument: Int

  /// Creates the update of a diagram.
  ///
  /// - Parameter argument: The number of the diagram among the unlabelled arguments of the call, from 0; none for a
  ///   fixture.
  package init(_ text: MarbleText, argument: Int) {
    self.text = text
    self.argument = argument
  }

  /// Rewrites the diagram if updates are on.
  ///
  /// - Returns: A sentence for the failure message.
  func apply(_ recorded: RecordedDiagram) -> String {
    guard Self.isOn else { return "" }
    guard let new = recorded.text else { return "\n" + "not rewritten: \(recorded.problem ?? "")".framed }
    return apply(new) + (recorded.needs.isEmpty ? "" : "Add the new keys\(recorded.needs)".framed)
  }

  /// Rewrites the diagram if updates are on.
  ///
  /// - Returns: A sentence for the failure message.
  package func apply(_ new: String) -> String {
    guard Self.isOn else { return "" }
    guard let source = text.source else {
      return "\n" + "not rewritten: the location of the diagram is unknown.".framed
    }
    do {
      let change = try DiagramFile(source).replace(text.string, with: new, argument: argument)
      let place = "\(source.filePath):\(change.line)"
      let lines = change.old.map { "- \($0)" } + change.new.map { "+ \($0)" }
      return "\n" + "rewritten at \(place):\n\(lines.joined(separator: "\n"))\nBuild and run the tests again.".framed
    } catch {
      return "\n" + "not rewritten: \(error.description)".framed
    }
  }
}

/// The reason why a diagram was not rewritten.
struct DiagramUpdateError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
