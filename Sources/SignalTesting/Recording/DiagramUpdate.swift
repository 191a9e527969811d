import Foundation

/// Writes what was received into the file of an expectation, when the tests are run with `SIGNALS_UPDATE_FIXTURES=1`.
///
/// The expectation fails all the same: no test passes by changing what it expects.
package struct DiagramUpdate: Sendable {
  /// Whether files are rewritten.
  package static var isOn: Bool { forced ?? isInEnvironment }
  /// For tests of this very thing.
  @TaskLocal package static var forced: Bool?
  private static let isInEnvironment = ProcessInfo.processInfo.environment["SIGNALS_UPDATE_FIXTURES"] == "1"

  private let text: MarbleText
  private let argument: Int

  /// Makes the update of a diagram.
  ///
  /// - Parameter argument: Which of the unlabelled arguments of the call the diagram is, counted from 0; nothing for a fixture.
  package init(_ text: MarbleText, argument: Int) {
    self.text = text
    self.argument = argument
  }

  /// Rewrites the diagram if files are to be rewritten.
  ///
  /// - Returns: What the failure says about it.
  func apply(_ recorded: RecordedDiagram) -> String {
    guard Self.isOn else { return "" }
    guard let new = recorded.text else { return "\n" + "not rewritten: \(recorded.problem ?? "")".framed }
    return apply(new) + (recorded.needs.isEmpty ? "" : "Add the new keys\(recorded.needs)".framed)
  }

  /// Rewrites the diagram if files are to be rewritten.
  ///
  /// - Returns: What the failure says about it.
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

/// Why a diagram was not rewritten.
struct DiagramUpdateError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
