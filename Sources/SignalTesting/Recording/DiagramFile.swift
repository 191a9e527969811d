import Foundation
import SignalMarbles

/// A file whose diagrams are rewritten.
///
/// Locations in source code are those that the compiler saw. So a list of the changes made so far is stored in the
/// system's temporary directory, for this and other processes that run tests of the same build; without such a list, a
/// file that is newer than the tests is left alone.
struct DiagramFile {
  private let source: MarbleSource
  private let url: URL

  init(_ source: MarbleSource) {
    self.source = source
    url = URL(fileURLWithPath: source.filePath).resolvingSymlinksInPath()
  }

  /// A change: the lines before and after, without their indentation.
  struct Change {
    let line: Int
    let old: [String]
    let new: [String]
  }

  /// Replaces a diagram.
  ///
  /// - Parameters:
  ///   - old: The diagram's source text, which must be present.
  ///   - new: Its new text. White space at the beginning of the old one is preserved.
  ///   - argument: The number of the unlabelled argument, in source code.
  func replace(_ old: String, with new: String, argument: Int) throws(DiagramUpdateError) -> Change {
    let new = String(old.prefix { $0 == " " }) + new
    return try locked { () throws(DiagramUpdateError) in
      guard FileManager.default.isWritableFile(atPath: url.path), let data = try? Data(contentsOf: url) else {
        throw DiagramUpdateError("\(url.path) cannot be written.")
      }
      var log = try changes(to: [UInt8](data))
      let edit =
        source.filePath.hasSuffix(".swift")
        ? try literalEdit(in: log.original, old, new, argument) : try lineEdit(in: log.original, old, new)
      // The range of a blank diagram is empty, and an empty range overlaps no other, not even an equal one.
      if let index = log.edits.firstIndex(where: { $0.range == edit.range || $0.range.overlaps(edit.range) }) {
        let known = log.edits[index]
        if known == edit { return change(edit, in: log.original) }
        let reason = "this expectation ran more than once, and what it received differed"
        let undone = Edit(known.range, String(decoding: log.original[known.range], as: UTF8.self))
        if known == undone { throw DiagramUpdateError(reason + ".") }
        // It stays in the list, so that no further run writes its own.
        log.edits[index] = undone
        try write(&log)
        let texts = "\(known.text.trimmed()), then \(edit.text.trimmed())"
        throw DiagramUpdateError("\(reason): \(texts). The first change was undone.")
      }
      log.edits.append(edit)
      log.edits.sort { $0.start < $1.start }
      try write(&log)
      return change(edit, in: log.original)
    }
  }

  private func change(_ edit: Edit, in original: [UInt8]) -> Change {
    func lines(_ text: String) -> [String] {
      text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map { String($0.trimmed()) }
    }
    return Change(
      line: original[..<edit.start].count { $0 == UInt8(ascii: "\n") } + 1,
      old: lines(String(decoding: original[edit.range], as: UTF8.self)), new: lines(edit.text))
  }

  // MARK: Places

  private func literalEdit(
    in bytes: [UInt8], _ old: String, _ new: String, _ argument: Int
  ) throws(DiagramUpdateError) -> Edit {
    guard let start = bytes.offset(ofLine: source.line), start + source.column - 1 < bytes.count else {
      throw DiagramUpdateError("\(source.fileName) no longer has line \(source.line).")
    }
    var reader = SwiftCallReader(bytes, at: start + source.column - 1)
    guard let literal = reader.arguments()?.literal(of: old, .unlabelled(argument)) else {
      throw DiagramUpdateError(
        "the diagram is not a literal of the call at \(source.fileName):\(source.line). Write it there, or change it manually."
      )
    }
    return Edit(literal.range, literal.code(for: new))
  }

  /// In a fixture the diagram is the rest of its line.
  private func lineEdit(in bytes: [UInt8], _ old: String, _ new: String) throws(DiagramUpdateError) -> Edit {
    if let start = bytes.offset(ofLine: source.line) {
      let end = bytes[start...].firstIndex { $0 == UInt8(ascii: "\n") || $0 == 13 } ?? bytes.count
      let line = String(decoding: bytes[start..<end], as: UTF8.self)
      let key = line.prefix(source.column - 1)
      if line.dropFirst(source.column - 1).trimmed() == old.trimmed(), key.contains(":") {
        let isTight = old.isEmpty && key.last == ":"
        return Edit((start + key.utf8.count)..<end, (isTight ? "  " : "") + String(new.trimmed()))
      }
    }
    throw DiagramUpdateError("line \(source.line) of \(source.fileName) has changed.")
  }

  // MARK: Changes

  private struct Edit: Codable, Equatable {
    let start: Int
    let end: Int
    let text: String

    init(_ range: Range<Int>, _ text: String) {
      start = range.lowerBound
      end = range.upperBound
      self.text = text
    }

    var range: Range<Int> { start..<end }
  }

  /// The changes since the tests were built.
  private struct Log: Codable {
    let build: Date
    let original: [UInt8]
    var edits: [Edit] = []

    var text: [UInt8] {
      var result: [UInt8] = []
      var index = 0
      for edit in edits {
        result += original[index..<edit.start] + Array(edit.text.utf8)
        index = edit.end
      }
      return result + original[index...]
    }
  }

  private var logURL: URL {
    let name = url.path.utf8.reduce(14_695_981_039_346_656_037 as UInt64) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 }
    return FileManager.default.temporaryDirectory.appending(path: "signals-\(getuid())-\(String(name, radix: 36)).json")
  }

  private func changes(to current: [UInt8]) throws(DiagramUpdateError) -> Log {
    let build = source.compiledPath.flatMap(BuildDate.of) ?? .distantPast
    if let data = try? Data(contentsOf: logURL), let log = try? JSONDecoder().decode(Log.self, from: data),
      log.build == build, log.text == current
    {
      return log
    }
    let attributes = try? FileManager.default.attributesOfItem(atPath: url.path)
    if build > .distantPast, let date = attributes?[.modificationDate] as? Date, date > build {
      throw DiagramUpdateError(
        "\(source.fileName) was changed after the tests were built. Build and run them again.")
    }
    return Log(build: build, original: current)
  }

  private func write(_ log: inout Log) throws(DiagramUpdateError) {
    do {
      let permissions = try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions]
      // First the list: if it contains more than the file, it is not used.
      try JSONEncoder().encode(log).write(to: logURL, options: .atomic)
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: logURL.path)
      try Data(log.text).write(to: url, options: .atomic)
      if let permissions {
        try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: url.path)
      }
    } catch {
      throw DiagramUpdateError("\(url.path) cannot be written: \(error)")
    }
  }

  /// Locks out other threads and other processes.
  private func locked<Result>(
    _ body: () throws(DiagramUpdateError) -> Result
  ) throws(DiagramUpdateError) -> Result {
    // Each thread has its own descriptor, so the lock works between threads too.
    let descriptor = open(url.deletingLastPathComponent().path, O_RDONLY)
    guard descriptor >= 0 else { throw DiagramUpdateError("\(url.deletingLastPathComponent().path) cannot be opened.") }
    defer { close(descriptor) }
    while flock(descriptor, LOCK_EX) != 0 {
      guard errno == EINTR else { throw DiagramUpdateError("\(url.path) cannot be locked.") }
    }
    return try body()
  }
}

/// The build date of the tests.
private enum BuildDate {
  /// The date of the file, program or library, that contains the code into which a path was compiled.
  static func of(_ path: StaticString) -> Date? {
    guard path.hasPointerRepresentation, let file = file(holding: UInt(bitPattern: path.utf8Start)) else { return nil }
    return try? FileManager.default.attributesOfItem(atPath: file)[.modificationDate] as? Date
  }

  #if canImport(Darwin)
    private static func file(holding address: UInt) -> String? {
      var info = Dl_info()
      guard dladdr(UnsafeRawPointer(bitPattern: address), &info) != 0 else { return nil }
      return info.dli_fname.map { String(cString: $0) }
    }
  #else
    /// The program: tests are not in a library here.
    private static func file(holding address: UInt) -> String? {
      try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    }
  #endif
}
