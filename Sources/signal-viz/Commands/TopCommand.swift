import ArgumentParser

extension ActivityTable.Order: ExpressibleByArgument {}

struct TopCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "top", abstract: "Continuously shows a program's busiest locations.",
    discussion: """
      Each line is a location in the code: its values a second since the previous refresh, all its values, its queue depth, the share of the \
      time that its handlers took (100 % is a whole thread), and its live nodes. It continues until Ctrl-C or the end of the program.

      On a terminal it fills the screen: r, c, w and h sort by values a second, values, waiting or handler time, n shows each node by \
      itself, q quits. Into a pipe it writes a table for each refresh, or with --json one object a line, with the keys `version` (1), `at`, \
      `seconds`, `program`, `nodes` (live ones), `subscriptions`, `valuesPerSecond` and `rows`, each with `title`, `kind`, `place`, `nodes`, \
      `rate`, `count`, `waiting`, and if they are known `handler` and `node`.

      Exit status: 0 however it ends; 2 if no program can be queried; 64 if the arguments are wrong.

      Examples:
        signal-viz top --name SearchBox
        signal-viz top --sort handler --every 5s
        signal-viz top --for 10s --every 10s | head -5
      """)

  @OptionGroup var program: ProgramChoice

  @Option(help: "The sort key: rate, count, waiting or handler.")
  var sort = ActivityTable.Order.rate

  @Option(help: "The interval between refreshes, such as 500ms or 5s.")
  var every = WatchTime(seconds: 1)

  @Option(name: .customLong("for"), help: "How long to continue; without it, until Ctrl-C.")
  var time: WatchTime?

  @Flag(help: "Print a line for each node instead of each location.")
  var nodes = false

  @Option(help: "The maximum number of lines to print, unless the output is a terminal.")
  var limit = 20

  @Flag(help: "Print JSON, one object a line.")
  var json = false

  @Flag(help: "Do not measure handlers: values pass as fast as without inspection.")
  var noHandlers = false

  func validate() throws {
    try program.checkThatOneIsMeant(besidesFile: false)
    guard every.seconds >= 0.1 else {
      throw ValidationError("--every \(every.words) is not possible; give 100ms or more.")
    }
    guard time.map({ $0.seconds >= 0.1 }) ?? true else {
      throw ValidationError("--for compares two snapshots: give 100ms or more.")
    }
    guard (1...100_000).contains(limit) else {
      throw ValidationError("--limit \(limit) is not possible; give 1 to 100000 lines.")
    }
    guard !(noHandlers && sort == .handler) else {
      throw ValidationError("--no-handlers measures no handlers, so there is nothing for --sort handler.")
    }
  }

  func run() throws {
    try ExitStatus.unansweredIfThrown {
      var top = Top(
        program: try program.connection(), interval: every, time: time, order: sort, byNode: nodes, limit: limit,
        isJSON: json,
        tracesHandlers: !noHandlers)
      // Interrupting it before the first response is no failure either.
      do { try top.run() } catch is ProgramConnection.Interrupted {}
    }
  }
}
