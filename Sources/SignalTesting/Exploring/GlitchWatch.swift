import SignalGraph
import Signals
import Synchronization

/// Records the value counts of the graph's nodes at each send and receive, and finds glitches in them.
final class GlitchWatch: MarbleWatch {
  /// The value counts of the nodes.
  private struct Reading: Sendable {
    enum Occasion: Sendable {
      case sending(input: Int)
      case piece
      case output(recorder: Int, event: Int)
    }

    var occasion: Occasion
    var nanoseconds: Int64
    var counts: [UInt64: UInt64]
    /// The nodes at that time, for an output.
    var chains: Chains?

    /// The number of the source that sends next.
    var input: Int? {
      if case .sending(let number) = occasion { number } else { nil }
    }

    func count(_ node: UInt64) -> UInt64 { counts[node] ?? 0 }
  }

  /// The origin of values.
  private enum Origin: Hashable {
    /// A source of the test, by its number.
    case input(Int)
    /// An emitter or a property.
    case node(UInt64)
  }

  private struct State {
    var readings: [Reading] = []
    var recorders: [any WatchedRecorder] = []
    /// The nodes that existed before each was subscribed.
    var limits: [UInt64] = []
    var inputCount = 0
    /// The numbers of the hot sources.
    var hotInputs: Set<Int> = []
    var nanoseconds: Int64 = 0
  }

  let recorder = GraphRecorder(endedLimit: 4_096)
  private let joins: Set<String>
  private let frame: Int64
  private let state = Mutex(State())

  init(joins: Set<String>, frame: Duration) {
    self.joins = joins
    self.frame = frame.exactNanoseconds ?? 1
  }

  /// Whether an operator is checked: by default also one that declares to combine.
  private func isJoin(_ site: Site) -> Bool {
    joins.contains(site.kind) || joins == Glitch.joins && site.behavior.contains(.combinesLatest)
  }

  // MARK: Noting

  /// Leaves the order unchanged.
  func director(of scheduler: VirtualTimeScheduler) -> VirtualTimeScheduler.Director {
    { [self] _, ready in
      note(.piece)
      state.withLock { $0.nanoseconds = ready.deadline.exactNanoseconds ?? .max }
      return 0
    }
  }

  func number(isHot: Bool) -> Int? {
    state.withLock { state in
      state.inputCount += 1
      if isHot { state.hotInputs.insert(state.inputCount) }
      return state.inputCount
    }
  }

  func willSend(_ number: Int?) {
    if let number { note(.sending(input: number)) }
  }

  func willSubscribe(_ recorder: any WatchedRecorder) {
    let last = self.recorder.chainNodes().last?.id ?? 0
    state.withLock { state in
      state.recorders.append(recorder)
      state.limits.append(last)
    }
  }

  func received(by recorder: any WatchedRecorder) {
    guard let index = state.withLock({ $0.recorders.firstIndex { $0 === recorder } }) else { return }
    note(.output(recorder: index, event: recorder.eventCount), Chains(self.recorder.chainNodes()))
  }

  private func note(_ occasion: Reading.Occasion, _ chains: Chains? = nil) {
    let counts = Dictionary(recorder.snapshot().nodes.map { ($0.id, $0.valueCount) }) { first, _ in first }
    state.withLock { state in
      state.readings.append(
        Reading(occasion: occasion, nanoseconds: state.nanoseconds, counts: counts, chains: chains))
    }
  }

  // MARK: Finding

  /// The glitches, once the test has run.
  func glitches() -> [Glitch] {
    note(.piece)
    let state = state.withLock { $0 }
    var glitches: [Glitch] = []
    for (index, reading) in state.readings.enumerated() {
      guard case .output(let number, let event) = reading.occasion, let chains = reading.chains,
        state.recorders[number].isValue(event), let root = root(of: number, state, chains)
      else { continue }
      for join in chains.all(from: root).sorted(by: { $0.id < $1.id }) where isJoin(join.site) {
        // The value of another operator.
        guard index > 0, reading.count(join.id) > state.readings[index - 1].count(join.id),
          let (early, late) = mixture(join, chains, state.readings, index)
        else { continue }
        glitches.append(
          glitch(state.recorders[number], number, event, Self.label(join), path(early, chains), path(late, chains)))
        break
      }
    }
    return glitches
  }

  /// The subscription of a subscriber of the test.
  private func root(of number: Int, _ state: State, _ chains: Chains) -> ChainNode? {
    chains.nodes.values.filter {
      $0.id > state.limits[number] && $0.downstream == nil && Chains.isExpectation($0)
    }.min { $0.id < $1.id }
  }

  /// Two inputs of an operator of which one was new and the other still old when it delivered a value.
  private func mixture(
    _ join: ChainNode, _ chains: Chains, _ readings: [Reading], _ index: Int
  ) -> (early: ChainNode, late: ChainNode)? {
    let inputs = chains.above(join).map { ($0, origins(of: $0, chains)) }
    let reading = readings[index]
    for (early, earlyOrigins) in inputs {
      for (late, lateOrigins) in inputs where late.id != early.id {
        for origin in earlyOrigins.intersection(lateOrigins) {
          guard let (start, end) = cause(of: origin, readings, index), let before = start.counts[early.id],
            let lateBefore = start.counts[late.id]
          else { continue }
          guard reading.count(early.id) > before, reading.count(late.id) == lateBefore else { continue }
          if end.count(late.id) > lateBefore { return (early, late) }
          // The chain may have ended with this value.
          if passesEachValue(of: origin, to: late, chains),
            !readings.contains(where: { $0.count(late.id) > lateBefore })
          {
            return (early, late)
          }
        }
      }
    }
    return nil
  }

  /// Whether an input gets each value of a source at once: if it does not get one, the chain has ended. Each
  /// subscription of a cold source has values of its own.
  private func passesEachValue(of origin: Origin, to input: ChainNode, _ chains: Chains) -> Bool {
    if case .input(let number) = origin, !state.withLock({ $0.hotInputs.contains(number) }) { return false }
    var node = input
    while true {
      if Self.inputNumber(node).map({ origin == .input($0) }) ?? (origin == .node(node.id)) { return true }
      let above = chains.above(node)
      guard Self.operatorsForEachValue.contains(node.site.kind), above.count == 1 else { return false }
      node = above[0]
    }
  }

  /// The operators that deliver one value at once for each value of their input.
  private static let operatorsForEachValue: Set<String> = [
    "enumerated", "handle", "map", "mapError", "print", "scan", "share",
  ]

  /// The readings before and after the effects of an origin's event, if it was the latest send before a reading; nil if
  /// it was not.
  private func cause(of origin: Origin, _ readings: [Reading], _ index: Int) -> (Reading, Reading)? {
    let time = readings[index].nanoseconds
    func isOfThisInstant(_ position: Int) -> Bool {
      readings.indices.contains(position) && readings[position].nanoseconds == time
    }
    /// Whether an emitter or a property has sent between a reading and the one before it.
    func hasSent(_ position: Int) -> Bool {
      guard case .node(let node) = origin, position > 0 else { return false }
      return readings[position].count(node) > readings[position - 1].count(node)
    }
    var start = index
    while !hasSent(start), readings[start].input == nil {
      start -= 1
      guard isOfThisInstant(start) else { return nil }
    }
    if let input = readings[start].input {
      // A source's reading is taken before it sends.
      guard origin == .input(input) else { return nil }
    } else {
      start -= 1
    }
    var end = index
    while isOfThisInstant(end + 1), !hasSent(end + 1) {
      end += 1
      if readings[end].input != nil { break }
    }
    return (readings[start], readings[end])
  }

  private func origins(of node: ChainNode, _ chains: Chains) -> Set<Origin> {
    var origins: Set<Origin> = []
    for node in chains.all(from: node, followingBindings: true) {
      if let number = Self.inputNumber(node) { origins.insert(.input(number)) }
      if node.isSource { origins.insert(.node(node.id)) }
    }
    return origins
  }

  // MARK: Telling

  /// The number of the test's source that a node represents.
  private static func inputNumber(_ node: ChainNode) -> Int? {
    node.site.fileID == "\(MarbleWatching.inputFile)" ? Int(node.site.line) : nil
  }

  private static func label(_ node: ChainNode) -> String {
    inputNumber(node).map { "source \($0)" } ?? Chains.label(node)
  }

  private func path(_ node: ChainNode, _ chains: Chains) -> String {
    var labels = [Self.label(node)]
    var node = node
    while let upper = chains.above(node).first, labels.count < 100 {
      labels.append(Self.label(upper))
      node = upper
    }
    return labels.joined(separator: " <- ")
  }

  private func glitch(
    _ recorder: any WatchedRecorder, _ number: Int, _ event: Int, _ join: String, _ early: String, _ late: String
  ) -> Glitch {
    let events = recorder.notations
    let found = events[event - 1]
    let slot = MarbleTable.Slot(nanoseconds: found.nanoseconds, isInsideSubscribe: found.isInsideSubscribe)
    let times = events.map(\.nanoseconds)
    let table = MarbleTable(
      rows: [MarbleTable.Row(title: "received", cells: MarbleTable.cells(events))], marks: [slot],
      end: (times.max() ?? 0) + frame, frame: MarbleTable.frame(frame, fitting: times))
    return Glitch(
      expectation: number + 1, event: event, value: MarblePrinter.text(of: found.event),
      time: .nanoseconds(found.nanoseconds), join: join, earlyPath: early, latePath: late,
      picture: table.lines().joined(separator: "\n"))
  }
}

extension WatchedRecorder {
  /// Whether an event is a value, by its number.
  fileprivate func isValue(_ event: Int) -> Bool {
    switch notations[event - 1].event {
    case .failed, .finished: false
    default: true
    }
  }
}
