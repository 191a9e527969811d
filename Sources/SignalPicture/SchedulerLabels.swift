import SignalGraph

/// What boxes say of what their work runs on: in words, and with a number only where several of one name are in the picture.
package struct SchedulerLabels {
  private var numbered: Set<String> = []

  /// Of no picture: nothing has a number.
  package init() {}

  package init(of picture: GraphPicture) {
    var known: [String: String] = [:]
    for box in picture.boxes {
      for scheduler in box.parts.compactMap(\.scheduler) {
        let name = SchedulerName(scheduler).name
        if known.updateValue(scheduler, forKey: name) ?? scheduler != scheduler { numbered.insert(name) }
      }
    }
  }

  /// Such as "utility queue", or "utility queue 7" for `qos.utility #7` where another one is there too.
  package subscript(scheduler: String) -> String {
    let name = SchedulerName(scheduler).name
    let words = Self.words[name] ?? name
    guard numbered.contains(name) else { return words }
    // The first of a name has no number.
    let mark = name == scheduler ? nil : scheduler.lastIndex(of: "#")
    return "\(words) \(mark.map { String(scheduler[scheduler.index(after: $0)...]) } ?? "1")"
  }

  /// The queues that the system has.
  private static let words = [
    "qos.background": "background queue", "qos.default": "default queue", "qos.utility": "utility queue",
    "qos.userInitiated": "user-initiated queue", "qos.userInteractive": "user-interactive queue",
  ]
}
