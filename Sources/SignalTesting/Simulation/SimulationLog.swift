import SignalMarbles
import SignalPicture
import Synchronization

/// The events of a run, for the page that shows its failure.
final class SimulationLog: Sendable {
  /// The row of cuts.
  static let networkRow = "network"

  /// The maximum number of events in a failure message.
  private static let longestSummary = 40
  private static let alphabet = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".map(String.init)

  private enum Event: Sendable {
    case note(row: String, text: String, at: Int64)
    case message(Transmission)

    var nanoseconds: Int64 {
      switch self {
      case .note(_, _, let time): time
      case .message(let message): message.sent
      }
    }
  }

  private struct Transmission: Sendable {
    var text: String
    var sender: String
    var receiver: String
    var sent: Int64
    var fate: MessageFate
    /// The times at which it arrived, or would have.
    var ends: [(nanoseconds: Int64, fate: MessageFate)] = []
    /// The number of equal messages that followed directly on the same link, such as heartbeats, and the time of the last.
    var repeatCount = 0
    var lastRepeat: Int64 = 0
    /// The number of those that did not arrive.
    var lostRepeatCount = 0
  }

  private struct State: Sendable {
    var rows: [String] = []
    var events: [Event] = []
    /// The number of the latest message on each link.
    var latest: [String: Int] = [:]
    /// The time of the first failure.
    var failure: Int64?
  }

  private let state = Mutex(State())

  func addRows(_ rows: [String]) {
    state.withLock { state in
      for row in rows where !state.rows.contains(row) { state.rows.append(row) }
    }
  }

  /// Notes that the run fails now: later events are not shown.
  func noteFailure(_ now: Int64) { state.withLock { $0.failure = $0.failure ?? now } }

  func add(_ text: String, at row: String, _ now: Int64) {
    addRows([row])
    state.withLock { $0.events.append(.note(row: row, text: text, at: now)) }
  }

  /// Notes that a message was sent.
  ///
  /// - Returns: The number of the message, or that of the equal one before.
  func addMessage(
    _ text: String, from sender: String, to receiver: String, _ fate: MessageFate, _ now: Int64
  ) -> (number: Int, isRepeat: Bool) {
    let transmission = Transmission(text: text, sender: sender, receiver: receiver, sent: now, fate: fate)
    return state.withLock { state in
      let link = "\(sender)>\(receiver)"
      if let latest = state.latest[link], case .message(var before) = state.events[latest], before.text == text {
        before.repeatCount += 1
        before.lastRepeat = now
        if fate != .isSent { before.lostRepeatCount += 1 }
        state.events[latest] = .message(before)
        return (latest, true)
      }
      state.latest[link] = state.events.count
      state.events.append(.message(transmission))
      return (state.events.count - 1, false)
    }
  }

  /// Notes that a message has arrived, or got lost on its way.
  func end(_ message: (number: Int, isRepeat: Bool), _ fate: MessageFate, _ now: Int64) {
    state.withLock { state in
      let number = message.number
      guard case .message(var transmission) = state.events[number] else { return }
      if !message.isRepeat {
        transmission.ends.append((now, fate))
      } else if fate != .arrived {
        transmission.lostRepeatCount += 1
      }
      state.events[number] = .message(transmission)
    }
  }

  /// What was seen of a run.
  struct Page {
    /// The last events before the failure as marbles, a row for each node, and a legend.
    var summary: String
    /// All events before the failure, a line for each.
    var events: String
  }

  /// What was seen; nil if there was nothing.
  var page: Page? {
    let state = state.withLock { $0 }
    let end = state.failure ?? .max
    var events = state.events.filter { $0.nanoseconds <= end }
    while case .note(Self.networkRow, _, _)? = events.last { events.removeLast() }
    guard !events.isEmpty else { return nil }
    let shown = Array(events.suffix(Self.longestSummary))
    var lines = Self.table(of: shown, rows: state.rows, failure: state.failure).lines() + [""]
    let omitted = events.count - shown.count
    if omitted > 0 {
      lines.append("(\(omitted) earlier event\(omitted == 1 ? "" : "s") in the attachment)")
    }
    lines += zip(Self.alphabet, shown).map { letter, event in "\(letter) = \(Self.words(event))" }
    return Page(
      summary: lines.joined(separator: "\n"), events: events.map { Self.words($0) + "\n" }.joined())
  }

  private static func table(of events: [Event], rows: [String], failure: Int64?) -> MarbleTable {
    var cells: [String: [MarbleTable.Slot: String]] = [:]
    var times: [Int64] = []
    func put(_ letter: String, at row: String, _ nanoseconds: Int64) {
      times.append(nanoseconds)
      cells[row, default: [:]][MarbleTable.Slot(nanoseconds: nanoseconds, isInsideSubscribe: false), default: ""] +=
        letter
    }
    for (letter, event) in zip(alphabet, events) {
      switch event {
      case .note(let row, _, let time): put(letter, at: row, time)
      case .message(let message):
        put(letter, at: message.sender, message.sent)
        for end in message.ends where end.fate == .arrived && end.nanoseconds <= failure ?? .max {
          put(letter, at: message.receiver, end.nanoseconds)
        }
      }
    }
    let mark = failure.map { MarbleTable.Slot(nanoseconds: $0, isInsideSubscribe: false) }
    if let failure { times.append(failure) }
    let rows = rows.map { row in
      MarbleTable.Row(title: row, cells: (cells[row] ?? [:]).mapValues { $0.count == 1 ? $0 : "(\($0))" })
    }
    let frame = MarbleTable.frame(1_000_000, fitting: times)
    var table = MarbleTable(
      rows: rows, marks: Set([mark].compactMap(\.self)), end: (times.max() ?? 0).addingSaturated(frame), frame: frame)
    table.showsAll = true
    return table
  }

  private static func words(_ event: Event) -> String {
    switch event {
    case .note(let row, let text, let time):
      return "\(MarbleDuration.spoken(time)): \(row == networkRow ? "" : "\(row): ")\(text)"
    case .message(let message):
      let repeats =
        message.repeatCount == 0
        ? ""
        : "; \(message.repeatCount) more until \(MarbleDuration.spoken(message.lastRepeat))"
          + (message.lostRepeatCount == 0 ? "" : ", \(message.lostRepeatCount) of them lost")
      return
        "\(MarbleDuration.spoken(message.sent)): \(message.sender) → \(message.receiver): \(message.text), \(outcome(of: message))\(repeats)"
    }
  }

  private static func outcome(of message: Transmission) -> String {
    if let reason = reason(message.fate) { return reason }
    if message.ends.isEmpty { return "under way at the end" }
    let ends = message.ends.map { "\(reason($0.fate) ?? "arrives") at \(MarbleDuration.spoken($0.nanoseconds))" }
    return ends.joined(separator: ", ")
  }

  /// Why a message does not arrive.
  private static func reason(_ fate: MessageFate) -> String? {
    switch fate {
    case .isSent, .arrived: nil
    case .lost: "lost"
    case .cut: "lost by a cut"
    case .nobodyReceives: "not received"
    }
  }
}
