/// What nodes work on, in words: "utility queue" for `qos.utility`, and with a number only where several of one name are among them.
package struct SchedulerWords: Sendable {
  private var numbered: Set<String> = []

  /// - Parameter schedulers: What nodes work on; as a node says it, such as `qos.utility #7`.
  package init(of schedulers: some Sequence<String>) {
    var known: [String: String] = [:]
    for scheduler in schedulers {
      let name = Self.parts(of: scheduler).name
      if known.updateValue(scheduler, forKey: name) ?? scheduler != scheduler { numbered.insert(name) }
    }
  }

  /// Such as "utility queue", or "utility queue 7" where another one is there too.
  package subscript(scheduler: String) -> String {
    let (name, number) = Self.parts(of: scheduler)
    let words = Self.queues[name] ?? name
    return numbered.contains(name) ? "\(words) \(number)" : words
  }

  /// The name, and the number that tells it from others of that name; the first has none.
  private static func parts(of text: String) -> (name: String, number: Int) {
    guard let mark = text.lastIndex(of: "#"), let number = Int(text[text.index(after: mark)...]), number > 1,
      text[..<mark].hasSuffix(" ")
    else { return (text, 1) }
    return (String(text[..<mark].dropLast()), number)
  }

  /// The queues that the system has.
  private static let queues = [
    "qos.background": "background queue", "qos.default": "default queue", "qos.utility": "utility queue",
    "qos.userInitiated": "user-initiated queue", "qos.userInteractive": "user-interactive queue",
  ]
}
