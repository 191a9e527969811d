import Foundation
import SignalPicture
import Synchronization
import Testing

/// The attachment of a failure: an attachment of the running test; under XCTest a file, whose path the message
/// contains.
///
/// Nothing is created unless a test fails.
enum FailureAttachment {
  /// The maximum number of files of one run.
  private static let largestCount = 200
  private static let written = Mutex<[String: Int]>([:])
  /// Receives each drawing, for tests of this type.
  @TaskLocal static var watch: (@Sendable (MarblePicture) -> Void)?

  /// Attaches a string to the running test.
  ///
  /// - Parameters:
  ///   - text: The content.
  ///   - name: The file name if the test's own name is not known, or not sufficient; without an extension.
  ///   - kind: The file name extension.
  /// - Returns: A sentence for the message with its location, if that is not obvious.
  static func add(_ text: String, named name: String? = nil, kind: String, at source: MarbleSource) -> String? {
    if Test.current != nil || RunningFramework.isSwiftTestingProcess {
      // A detached task does not know its test; its location does.
      let words = name ?? Test.current.map { $0.displayName ?? $0.name } ?? place(source)
      let name = fileName(words)
      Attachment.record(text, named: "\(name).\(kind)", sourceLocation: SourceLocation(source))
      return nil
    }
    guard RunningFramework.isXCTestProcess else { return nil }
    let plain = fileName(name ?? place(source))
    #if canImport(Darwin) && canImport(XCTest)
      addToActivity(Data(text.utf8), named: plain, kind: kind)
    #endif
    guard let folder else { return nil }
    let count = written.withLock { names in
      names["\(plain).\(kind)", default: 0] += 1
      return names.values.reduce(0, +) > largestCount ? nil : names["\(plain).\(kind)"]
    }
    guard let count else { return nil }
    let file = folder.appendingPathComponent(count == 1 ? "\(plain).\(kind)" : "\(plain)-\(count).\(kind)")
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file, options: .atomic)
    } catch {
      // A failure is reported even if its drawing cannot be stored.
      return nil
    }
    return file.path
  }

  private static func place(_ source: MarbleSource) -> String {
    "\(source.fileName.split(separator: ".").first ?? "picture")-\(source.line)"
  }

  /// The directory of the files: the one that `SIGNALS_ATTACHMENTS` names, else one of this process in the temporary
  /// directory. An empty name disables files.
  private static let folder: URL? = {
    guard let path = ProcessInfo.processInfo.environment["SIGNALS_ATTACHMENTS"] else {
      let name = "signals-attachments-\(ProcessInfo.processInfo.processIdentifier)"
      return FileManager.default.temporaryDirectory.appendingPathComponent(name, isDirectory: true)
    }
    return path.isEmpty ? nil : URL(fileURLWithPath: path, isDirectory: true)
  }()

  /// A description as a file name: `debounce-typing` for `debounce typing` and for `debounce-typing()`.
  static func fileName(_ words: String) -> String {
    let plain = words.firstIndex(of: "(").map { words[..<$0] } ?? words[...]
    let parts = plain.split { !($0.isLetter || $0.isNumber || $0 == "_") }
    let name = parts.joined(separator: "-").prefix(80)
    return name.isEmpty ? "failure" : String(name)
  }
}

/// Fails the running test, like ``report(_:at:else:)``, and attaches a marble drawing.
///
/// - Parameter picture: Creates the drawing; nil if there is nothing to draw.
func report(
  _ message: String, at source: MarbleSource, else compiledSource: MarbleSource? = nil, picture: () -> MarblePicture?
) {
  var message = message
  // A repeated run is reported once, at its end.
  if FailureCapture.current == nil, let picture = picture() {
    FailureAttachment.watch?(picture)
    let svg = picture.svg(options: MarbleDrawingOptions(maximumWidth: 960, showsTitle: true))
    if let path = FailureAttachment.add(svg, kind: "svg", at: source) { message += "\n\n  picture: \(path)" }
  }
  report(message, at: source, else: compiledSource)
}

extension SourceLocation {
  /// A location of this library as Swift Testing's; also in a file that is not code.
  init(_ source: MarbleSource) {
    self.init(
      fileID: source.fileID.contains("/") ? source.fileID : "Fixtures/\(source.fileID)", filePath: source.filePath,
      line: max(1, source.line), column: max(1, source.column))
  }
}
