import Signals

/// The remaining work in the virtual time of a test, by operator and line.
///
/// Schedulers attribute work to operators while a recorder is active: that of the leak check around the test, or else
/// the test's own.
final class WorkLeft: Sendable {
  private let recorder: GraphRecorder
  private let isOwn: Bool
  /// Work from before the test has lower numbers.
  private let before: Set<UInt64>

  init() {
    // Not the process's recorder: other tests work there too.
    if let outer = GraphRecorder.ofTask {
      recorder = outer
      isOwn = false
      before = Set(outer.pendingWork.map(\.identifier))
    } else {
      recorder = GraphRecorder(endedLimit: 0)
      isOwn = true
      before = []
    }
  }

  /// Records the work of a closure, and of the chains that it creates.
  func record<Result>(_ body: () throws -> Result) rethrows -> Result {
    try isOwn ? recorder.record(body) : body()
  }

  /// Discards the recording, at the end of the test.
  func forget() {
    if isOwn { recorder.close() }
  }

  // MARK: Telling

  /// The remaining work, a line for each operator or location:
  /// `interval Feed.swift:12, in subscribe <- filter <- interval`.
  ///
  /// - Parameter place: The location where other work was scheduled, if known.
  func lines(scheduledAt place: String? = nil) -> [String] {
    let chains = Chains(recorder.chainNodes())
    var counts: [String: Int] = [:]
    var lines: [String] = []
    for work in pending {
      let line = Self.line(work, chains, scheduledAt: place)
      if counts[line] == nil { lines.append(line) }
      counts[line, default: 0] += 1
    }
    return lines.map { line in counts[line].map { $0 > 1 ? "\($0) times \(line)" : line } ?? line }
  }

  /// A sentence about the first remaining work: it keeps running after the end of the diagrams. Nil if no remaining
  /// work has a name.
  var goesOn: String? {
    let names = names
    guard let first = names.first else { return nil }
    let others = names.count > 1 ? " and \(names.count - 1) more keep running." : " keeps running."
    return first + others + " "
  }

  private var names: [String] {
    let chains = Chains(recorder.chainNodes())
    var seen: Set<String> = []
    return pending.compactMap { work in
      let node = work.node.flatMap { chains.nodes[$0] }
      let site = work.site.flatMap { $0.fileID.hasPrefix("SignalTesting/") ? nil : $0 }
      let name = node.map(Chains.label) ?? site.map { "\($0.kind) \(Chains.place($0))" }
      return name.flatMap { seen.insert($0).inserted ? $0 : nil }
    }
  }

  private var pending: [PendingWork] {
    recorder.pendingWork.filter { !before.contains($0.identifier) && $0.stage != .running }
  }

  /// Whether all remaining work is that of tasks of the test.
  private var isOfTasks: Bool {
    let pending = pending
    return !pending.isEmpty && pending.allSatisfy { $0.node == nil && $0.site?.behavior.contains(.runsTasks) == true }
  }

  private static func line(_ work: PendingWork, _ chains: Chains, scheduledAt place: String?) -> String {
    if let node = work.node.flatMap({ chains.nodes[$0] }) {
      let root = chains.root(of: node)
      // The test's own subscription is omitted.
      let isOwn = root.site.fileID.hasPrefix("SignalTesting/")
      let chain = (isOwn ? chains.above(root) : [root]).map { chains.text(from: $0) { _ in true } }.joined(
        separator: " + ")
      let label = Chains.label(node)
      return chain == label ? label : "\(label), in \(chain)"
    }
    if let site = work.site {
      if site.fileID == "SignalTesting/MarbleInput.swift" { return "a source of the test" }
      if site.fileID.hasPrefix("SignalTesting/") { return "the test itself: subscribing, unsubscribing, at" }
    }
    if let site = work.site { return "\(site.kind) \(Chains.place(site))" }
    return place.map { "work scheduled at \($0)" } ?? "a sleeping task, or work scheduled at an unknown location"
  }

  /// The reason why a test does not end, and the remedy.
  ///
  /// - Parameters:
  ///   - reason: The reason why it was stopped, as a sentence.
  ///   - count: The number of remaining work items.
  ///   - remedy: The subscription diagram that ends the observation; nil if every observation has ended.
  ///   - place: The location where work without an operator was scheduled, if known.
  func endless(_ reason: String, count: Int, remedy: String?, scheduledAt place: String? = nil) -> EndlessRun {
    let lines = lines(scheduledAt: place)
    let isAlone = count == 1 && lines.count == 1
    let left = isAlone ? "1 work item is left" : "\(count) work items are left"
    let shown = lines.prefix(8).map { "  \($0)" } + (lines.count > 8 ? ["  … and \(lines.count - 8) more"] : [])
    if isOfTasks {
      let advice =
        "A task has not ended. If it only waits, pass a longer timeLimit:, or let it wait for less. If it repeats, end its loop."
      return EndlessRun(description: ([reason + " " + left + ":"] + shown + [advice]).joined(separator: "\n"))
    }
    let advice =
      remedy.map {
        [
          "An interval, or a timer that restarts itself, has no end. End the observation with subscription: \($0), or dispose",
          "the remaining work in the test.",
        ]
      } ?? [
        "An interval, or a timer that restarts itself, has no end. Every observation has ended. Dispose the remaining",
        "work in the test, and cancel in onDisposal each task that a signal starts.",
      ]
    return EndlessRun(
      description: ([reason + " " + left + (shown.isEmpty ? "." : ":")] + shown + advice).joined(separator: "\n"))
  }
}

/// A run that had to be stopped.
struct EndlessRun: Error, CustomStringConvertible {
  let description: String
}
