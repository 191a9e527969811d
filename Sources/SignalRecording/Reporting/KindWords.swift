import Synchronization

/// Kinds of steps that are named after a type, and not by a literal.
private let knownKinds = Mutex<[String: KindText]>([:])

/// A string that stays for as long as the program runs.
// Safe: it is written before others find it, and not changed.
private struct KindText: @unchecked Sendable {
  let bytes: UnsafePointer<UInt8>

  init(_ text: String) {
    let characters = Array(text.utf8) + [0]
    let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: characters.count)
    memory.initialize(from: characters, count: characters.count)
    bytes = UnsafePointer(memory)
  }
}

extension GraphReporter {
  /// Begins to report a step whose kind is the name of a type without `Async`, `Sequence` and its generic arguments:
  /// `map` for `AsyncMapSequence<…>`.
  ///
  /// There are as many kinds as the program has such types, and each is retained for ever.
  package init(
    kindOf type: Any.Type, removing words: [String], named name: @autoclosure () -> String?, fileID: StaticString,
    line: UInt, function: StaticString
  ) {
    guard Introspection.isOn, GraphRecorder.current != nil else {
      life = nil
      return
    }
    let text = Self.kind(of: type, removing: words)
    let kind = knownKinds.withLock { known in
      if let kind = known[text] { return kind }
      let new = KindText(text)
      known[text] = new
      return new
    }
    life = ReportedLife.begin(
      Site(Site("", fileID: fileID, line: line, function: function), kindText: kind.bytes), name: name(), owner: nil)
  }

  static func kind(of type: Any.Type, removing words: [String]) -> String {
    var text = String(String(describing: type).prefix { $0 != "<" })
    for word in words where text.count > word.count {
      if text.hasPrefix(word) {
        text.removeFirst(word.count)
      } else if text.hasSuffix(word) {
        text.removeLast(word.count)
      }
    }
    // An operator with a number of inputs in its name.
    while text.count > 1, text.last?.isNumber == true { text.removeLast() }
    return text.prefix(1).lowercased() + text.dropFirst()
  }
}
