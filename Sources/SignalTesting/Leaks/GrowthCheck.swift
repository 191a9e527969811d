import Signals

/// Compares the live objects after each of several rounds.
struct GrowthCheck {
  private var censuses: [GrowthCensus] = []

  /// The live objects after the latest round; nil once a round has shown that they are not about to be released.
  var reference: GrowthCensus? {
    let isSettled = zip(censuses, censuses.dropFirst()).contains { $0.retainedCount < $1.retainedCount }
    return isSettled ? nil : censuses.last
  }

  mutating func add(_ census: GrowthCensus) { censuses.append(census) }

  /// The locations whose objects grow, each with the period of the growth.
  private var growing: [GrowthCensus.Place: Int] {
    guard let last = censuses.last else { return [:] }
    return last.counts.keys.reduce(into: [:]) { growing, place in
      growing[place] = Self.period(of: censuses.map { $0.counts[place] ?? 0 })
    }
  }

  /// The number of rounds in which a count grows: 1 if it is higher after each round than after the one before; 2 or 3
  /// if it never falls, and grows at least three times in so many rounds each. Nil if it does not grow.
  private static func period(of counts: [Int]) -> Int? {
    guard counts.count > 1, zip(counts, counts.dropFirst()).allSatisfy({ $0 <= $1 }) else { return nil }
    return [1, 2, 3].first { period in
      guard period == 1 || counts.count > 3 * period else { return false }
      return stride(from: period, to: counts.count, by: period).allSatisfy { counts[$0 - period] < counts[$0] }
    }
  }

  /// Names of superfluous allowances: the number of objects in chains with these names does not grow.
  func unused(_ allowed: Set<String>) -> [String] {
    let places = censuses.last?.allowedCounts ?? [:]
    return allowed.filter { name in
      (places[name] ?? [:]).keys.allSatisfy { place in
        Self.period(of: censuses.map { $0.allowedCounts[name]?[place] ?? 0 }) == nil
      }
    }.sorted()
  }

  /// The messages, and the locations where growing objects are created.
  ///
  /// An object above a growing one is reported with that, not separately.
  func failures(_ recorder: GraphRecorder, ignoring ignored: Set<String>, at place: MarbleSource)
    -> [(message: String, source: MarbleSource)]
  {
    let growing = growing
    if growing.isEmpty { return [] }
    let finder = LeakFinder(recorder, ignoring: ignored)
    // The latest of each: the one that the last round has left.
    var latest: [GrowthCensus.Place: ChainNode] = [:]
    for node in finder.chains.nodes.values where GrowthCensus.isAlive(node) {
      if finder.isIgnored(finder.chains.root(of: node)) { continue }
      let place = GrowthCensus.Place(node.site, isWork: false)
      if growing[place] != nil, latest[place].map({ $0.id < node.id }) ?? true { latest[place] = node }
    }
    var reported: Set<GrowthCensus.Place> = []
    for node in latest.values {
      for above in finder.chains.all(from: node) where above.id != node.id {
        let place = GrowthCensus.Place(above.site, isWork: false)
        if place != GrowthCensus.Place(node.site, isWork: false) { reported.insert(place) }
      }
    }
    var failures: [(order: UInt64, message: String, source: MarbleSource)] = []
    for (definition, node) in latest where !reported.contains(definition) {
      let chain = finder.chains.text(from: node, where: LeakFinder.isNotOver)
      failures.append(
        (
          node.id, message(definition, growing[definition] ?? 1, chain, node.site.function, at: place),
          MarbleSource(node.site, near: place)
        ))
    }
    for work in finder.pending.reversed() {
      let definition = GrowthCensus.Place(work.site, isWork: true)
      // Growing work of an operator is reported with the operator.
      let operatorPlace = GrowthCensus.Place(work.site, isWork: false)
      guard growing[definition] != nil, growing[operatorPlace] == nil, reported.insert(definition).inserted else {
        continue
      }
      let what = work.running == nil ? "work of" : work.node == nil ? "" : "task of"
      let chain =
        work.knownSite.map { (what.isEmpty ? "" : what + " ") + "\($0.kind) \(Chains.place($0))" }
        ?? work.running.map { "Task { } " + ($0.startedAt?() ?? "at an unknown location") }
        ?? "work at an unknown location"
      failures.append(
        (
          work.identifier,
          message(
            definition, growing[definition] ?? 1, chain, work.site?.function, isTask: work.running != nil, at: place),
          work.knownSite.map { MarbleSource($0, near: place) } ?? place
        ))
    }
    return failures.sorted { $0.order < $1.order }.map { ($0.message, $0.source) }
  }

  private func message(
    _ definition: GrowthCensus.Place, _ period: Int, _ chain: String, _ function: String?, isTask: Bool = false,
    at place: MarbleSource
  ) -> String {
    let counts = censuses.map { String($0.counts[definition] ?? 0) }
    // The first and last of many rounds.
    let shown = counts.count > 12 ? counts.prefix(6) + ["…"] + counts.suffix(5) : counts[...]
    let remedy =
      isTask
      ? "To do: await the task, or cancel it; under virtual time, let time pass in each round until it has finished."
      : definition.isWork
        ? "To do: dispose the result of schedule(after:), or let its time pass in each round."
        : "To do: dispose each round's subscriptions in that round, or find what retains them: a bag, a property, a cycle, a cache."
    return """
      grows with every \(["", "second ", "third "][period - 1])round: \(chain)\(function.map { $0.isEmpty ? "" : "\n  in \($0)" } ?? "")
        alive after each of \(counts.count) rounds: \(shown.joined(separator: ", "))
        \(remedy)
        found by the check at \(place.fileName):\(place.line)
      """
  }
}
