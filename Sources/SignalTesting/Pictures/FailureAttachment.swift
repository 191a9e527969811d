import Foundation
import SignalPicture
import Synchronization
import Testing

/// What a failure shows beside its text: an attachment of the running test; under XCTest a file, whose path the message tells.
///
/// Nothing is made unless a test fails.
enum FailureAttachment {
  /// So many files of one run are enough.
  private static let largestCount = 200
  private static let written = Mutex<[String: Int]>([:])
  /// Sees each picture, for tests of this very thing.
  @TaskLocal static var watch: (@Sendable (MarblePicture) -> Void)?

  /// Adds a text to the running test.
  ///
  /// - Parameters:
  ///   - text: What to attach.
  ///   - name: What it is called where the test's own name is not known, or does not say enough; without a kind.
  ///   - kind: What it is, as files have it behind the point.
  /// - Returns: A sentence for the message that says where to find it, if that is not plain.
  static func add(_ text: String, named name: String? = nil, kind: String, at source: MarbleSource) -> String? {
    if Test.current != nil || RunningFramework.isSwiftTestingProcess {
      // A detached task does not know its test; its place does.
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
      // A failure is told whether or not there is room for its picture.
      return nil
    }
    return file.path
  }

  private static func place(_ source: MarbleSource) -> String {
    "\(source.fileName.split(separator: ".").first ?? "picture")-\(source.line)"
  }

  /// Where files go: the folder that `SIGNALS_ATTACHMENTS` names, else one of this process in the temporary folder. An empty name stands for no
  /// files at all.
  private static let folder: URL? = {
    guard let path = ProcessInfo.processInfo.environment["SIGNALS_ATTACHMENTS"] else {
      let name = "signals-attachments-\(ProcessInfo.processInfo.processIdentifier)"
      return FileManager.default.temporaryDirectory.appendingPathComponent(name, isDirectory: true)
    }
    return path.isEmpty ? nil : URL(fileURLWithPath: path, isDirectory: true)
  }()

  /// Words as the name of a file: `debounce-typing` of `debounce typing` and of `debounce-typing()`.
  static func fileName(_ words: String) -> String {
    let plain = words.firstIndex(of: "(").map { words[..<$0] } ?? words[...]
    let parts = plain.split { !($0.isLetter || $0.isNumber || $0 == "_") }
    let name = parts.joined(separator: "-").prefix(80)
    return name.isEmpty ? "failure" : String(name)
  }
}

/// Lets the running test fail, as ``report(_:at:else:)`` does, and attaches a picture of what happened.
///
/// - Parameter picture: Draws it; nil where there is nothing to draw.
func report(
  _ message: String, at source: MarbleSource, else compiledSource: MarbleSource? = nil, picture: () -> MarblePicture?
) {
  var message = message
  // A run that is repeated is told once, at its end.
  if FailureCapture.current == nil, let picture = picture() {
    FailureAttachment.watch?(picture)
    let svg = picture.svg(options: MarbleDrawingOptions(maximumWidth: 960, showsTitle: true))
    if let path = FailureAttachment.add(svg, kind: "svg", at: source) { message += "\n\n  picture: \(path)" }
  }
  report(message, at: source, else: compiledSource)
}

extension SourceLocation {
  /// A place of this library as Swift Testing has it; in a file that is not code too.
  init(_ source: MarbleSource) {
    self.init(
      fileID: source.fileID.contains("/") ? source.fileID : "Fixtures/\(source.fileID)", filePath: source.filePath,
      line: max(1, source.line), column: max(1, source.column))
  }
}
