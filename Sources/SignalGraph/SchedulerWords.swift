/// Labels of schedulers: "utility queue" for `qos.utility`, with a number only if several have the same name.
package struct SchedulerWords: Sendable {
  private var numbered: Set<String> = []

  /// - Parameter schedulers: The schedulers of nodes, such as `qos.utility #7`.
  package init(of schedulers: some Sequence<String>) {
    var known: [String: String] = [:]
    for scheduler in schedulers {
      let name = Self.parts(of: scheduler).name
      if known.updateValue(scheduler, forKey: name) ?? scheduler != scheduler { numbered.insert(name) }
    }
  }

  /// A label such as "utility queue", or "utility queue 7" if there is another one.
  package subscript(scheduler: String) -> String {
    let (name, number) = Self.parts(of: scheduler)
    let words = Self.queues[name] ?? name
    return numbered.contains(name) ? "\(words) \(number)" : words
  }

  /// The name, and the number that distinguishes it from others of that name; the first has none.
  private static func parts(of text: String) -> (name: String, number: Int) {
    guard let mark = text.lastIndex(of: "#"), let number = Int(text[text.index(after: mark)...]), number > 1,
      text[..<mark].hasSuffix(" ")
    else { return (text, 1) }
    return (String(text[..<mark].dropLast()), number)
  }

  /// The system's global queues.
  private static let queues = [
    "qos.background": "background queue", "qos.default": "default queue", "qos.utility": "utility queue",
    "qos.userInitiated": "user-initiated queue", "qos.userInteractive": "user-interactive queue",
  ]
}
