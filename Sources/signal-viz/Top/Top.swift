import Foundation
import SignalGraph

/// Polls a program and shows what is busiest, until interrupted, the time is up, or the program ends.
struct Top {
  var program: ProgramConnection
  var interval: WatchTime
  /// The total time; nil for no limit.
  var time: WatchTime?
  var order: ActivityTable.Order
  var byNode: Bool
  var limit: Int
  var isJSON: Bool
  var tracesHandlers: Bool
  /// Whether the program's version of the library cannot profile handlers.
  private var isOlder = false

  init(
    program: ProgramConnection, interval: WatchTime, time: WatchTime?, order: ActivityTable.Order, byNode: Bool,
    limit: Int, isJSON: Bool, tracesHandlers: Bool
  ) {
    self.program = program
    self.interval = interval
    self.time = time
    self.order = order
    self.byNode = byNode
    self.limit = limit
    self.isJSON = isJSON
    self.tracesHandlers = tracesHandlers
  }

  /// The minimum interval of snapshots, as a multiple of the time one takes, so that the program is not kept busy with
  /// a large graph.
  private static let restFactor = 10.0

  private enum Ending {
    case wanted, programEnded
  }

  mutating func run() throws {
    let interruption = Interruption()
    program.interruption = interruption.descriptor
    // If the first snapshot fails, there is nothing to show.
    var before: GraphSnapshot?
    var now = try look()
    let identity = now.process
    if isOlder {
      Terminal.note(
        "\(identity.words) uses an older version of the library, without handler times. The rest is shown."
      )
    }
    let screen = isJSON || !Screen.isPossible ? nil : try Screen(interruption: interruption)
    let ending: Ending
    do {
      ending = try repeatedly(screen, interruption, &before, &now)
      screen?.leave()
    } catch {
      screen?.leave()
      throw error
    }
    if ending == .programEnded { Terminal.note("\(identity.words) has ended.") }
  }

  private mutating func repeatedly(
    _ screen: Screen?, _ interruption: Interruption, _ before: inout GraphSnapshot?, _ now: inout GraphSnapshot
  ) throws -> Ending {
    let clock = ContinuousClock()
    let end = time.map { clock.now + .seconds($0.seconds) }
    var next = clock.now + .seconds(interval.seconds)
    var traceAt = clock.now + ProgramConnection.profileInterval
    var trouble: String?
    try screen.map { try draw(now, since: before, on: $0, trouble) }
    while true {
      let due = min(next, end ?? next)
      let deadline = tracesHandlers ? min(due, traceAt) : due
      switch screen?.wait(until: deadline)
        ?? (interruption.comes(within: deadline - clock.now) ? .interrupted : .timeout)
      {
      case .interrupted: return .wanted
      case .resized: try screen.map { try draw(now, since: before, on: $0, trouble) }
      case .key(let key):
        if key == "q" { return .wanted }
        press(key)
        try screen.map { try draw(now, since: before, on: $0, trouble) }
      case .timeout where clock.now < due:
        // If it fails, so does the query for the snapshot, which reports it.
        _ = try? program.trace(for: ProgramConnection.profileTime, within: .seconds(2))
        traceAt = clock.now + ProgramConnection.profileInterval
      case .timeout:
        let start = clock.now
        // Rates need two snapshots. After those, repeated queries may be delayed by the program.
        program.isPatient = before != nil
        do {
          let look = try look()
          guard look.process == now.process else { return .programEnded }
          (before, now, trouble) = (now, look, nil)
          if let screen { try draw(now, since: before, on: screen, nil) } else { try print(now, since: before) }
        } catch is ProgramConnection.Interrupted {
          return .wanted
        } catch let failure as Failure {
          if program.isGone { return .programEnded }
          // The program may be stopped, or busy.
          trouble = "\(failure)"
          if let screen {
            try draw(now, since: before, on: screen, trouble)
          } else {
            Terminal.note("\(failure)\nStill looking.")
          }
        }
        if let end, clock.now >= end { return .wanted }
        traceAt = clock.now + ProgramConnection.profileInterval
        next = clock.now + max(.seconds(interval.seconds) - (clock.now - start), (clock.now - start) * Self.restFactor)
      }
    }
  }

  private mutating func press(_ key: Character) {
    switch key {
    case "r": order = .rate
    case "c": order = .count
    case "w": order = .waiting
    case "h": order = .handler
    case "n": byNode.toggle()
    default: break
    }
  }

  private mutating func look() throws -> GraphSnapshot {
    if tracesHandlers {
      tracesHandlers = try program.trace(for: ProgramConnection.profileTime, within: .seconds(10))
      isOlder = !tracesHandlers
    }
    // A program that delays its responses may be slow as well.
    return try program.snapshot(of: GraphFocus(), within: .seconds(program.isPatient ? 30 : 10))
  }

  // MARK: What is shown

  private func draw(_ now: GraphSnapshot, since before: GraphSnapshot?, on screen: Screen, _ trouble: String?) throws {
    let size = screen.size
    let keys = "sort: r values/s  c values  w waiting  h handler   n \(byNode ? "places" : "nodes")   q quit"
    let table = ActivityTable(now, since: before, byNode: byNode, order: order)
    let shown = table.prefix(max(0, size.lines - 4))
    let text = ActivityText(table: shown, order: order, width: size.columns)
    let rest = table.rows.count - shown.rows.count
    let more = rest > 0 ? "\(rest) more   " : ""
    let last = (trouble.map { String($0.withVisibleControls.prefix { !$0.isNewline }) } ?? more + keys).prefix(
      size.columns)
    var lines = [text.heading, ""] + text.lines
    lines = Array(lines.prefix(max(1, size.lines - 1)))
    lines += Array(repeating: "", count: max(0, size.lines - 1 - lines.count)) + [String(last)]
    try screen.draw(lines, heading: 2)
  }

  private func print(_ now: GraphSnapshot, since before: GraphSnapshot?) throws {
    let table = ActivityTable(now, since: before, byNode: byNode, order: order).prefix(limit)
    guard !isJSON else { return try Terminal.write(json: Line(table).json()) }
    let text = ActivityText(table: table, order: order, width: nil)
    try Terminal.write(line: ([text.heading] + text.lines + [""]).joined(separator: "\n"))
  }

  /// A snapshot as one line of JSON.
  private struct Line: Encodable {
    var version = 1
    var at: String
    var seconds: Double
    var program: ProcessIdentity
    var nodes: Int
    var subscriptions: Int
    var valuesPerSecond: Double?
    var rows: [ActivityTable.Row]

    init(_ table: ActivityTable) {
      at = Date().formatted(.iso8601)
      seconds = table.seconds
      program = table.program
      nodes = table.nodes
      subscriptions = table.subscriptions
      valuesPerSecond = table.rate
      rows = table.rows
    }

    func json() throws -> Data {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      return try encoder.encode(self) + Data("\n".utf8)
    }
  }
}
