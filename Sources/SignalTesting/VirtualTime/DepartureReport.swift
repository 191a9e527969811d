import Signals

/// The failures for escapes from virtual time: one for each operator, and one for each declaration of the test that
/// caused them.
struct DepartureReport {
  private let departures: [Departure]
  private let test: MarbleSource
  private let use: Departure.Use

  /// - Parameters:
  ///   - test: The test.
  ///   - use: How it uses virtual time.
  init(_ departures: [Departure], of test: MarbleSource, in use: Departure.Use) {
    // If an operator or a queue is known, whether its events and its work come back in time depends on timing.
    let isKnown = departures.contains { Departure.Cause.known.contains($0.cause) }
    var consequences: Set<Departure.Cause> = isKnown ? [.eventElsewhere, .scheduledElsewhere] : []
    // Schedulers submit work to a dispatch queue, and set a timer if there is a tolerance.
    if departures.contains(where: { $0.cause == .realScheduler }) {
      consequences.formUnion([.realTimer, .dispatched, .realTimeRead])
    }
    self.departures = departures.filter { !consequences.contains($0.cause) }
    self.test = test
    self.use = use
  }

  /// Fails the running test.
  func record() {
    for (message, place) in failures { report(message, at: place, else: test) }
  }

  /// Adds it to the other failures of a marble test.
  func add(to failures: MarbleFailures) {
    for (message, place) in self.failures { failures.add(.reason, message, at: place, else: test) }
  }

  /// The messages, one for each failure.
  var messages: [String] { failures.map(\.message) }

  private var failures: [(message: String, place: MarbleSource)] {
    var sites: [Site] = []
    for case let site? in departures.map(\.site) where !sites.contains(site) { sites.append(site) }
    let operators = sites.map { site in
      (
        "\(site.kind) \(Chains.place(site)) left virtual time.\n  "
          + (departures.first { $0.site == site }?.cause ?? .realScheduler).explanation(of: [], in: use),
        MarbleSource(site, near: test)
      )
    }
    var origins: [MarbleSource] = []
    let others = departures.filter { $0.site == nil }
    for departure in others where !origins.contains(departure.origin ?? test) {
      origins.append(departure.origin ?? test)
    }
    return operators
      + origins.map { origin in (message(others.filter { ($0.origin ?? test) == origin }), origin) }
  }

  private func message(_ departures: [Departure]) -> String {
    var causes = Set(departures.map(\.cause))
    // If the remedy is known, it does not matter whether the task came back in time, as that depends on timing.
    if !causes.isDisjoint(with: Departure.Cause.known) {
      causes.subtract([.unfinishedDeclaration, .cameBack, .unfinished])
    } else if causes.contains(.unfinishedDeclaration) {
      causes.remove(.unfinished)
    }
    let details = departures.filter { $0.cause == .unfinishedDeclaration }.flatMap(\.details)
    var lines = [Self.headline(causes, departures)]
    if causes.contains(.unfinishedDeclaration) { lines += details.map { "  " + $0 } }
    var isLimitNamed = false
    for cause in Departure.Cause.allCases where causes.contains(cause) {
      var line = "  " + cause.explanation(of: departures.filter { $0.cause == cause }, in: use)
      if cause.mayBeUndetected, !isLimitNamed {
        line += " " + use.limits
        isLimitNamed = true
      }
      lines.append(line)
    }
    return lines.joined(separator: "\n")
  }

  private static func headline(_ causes: Set<Departure.Cause>, _ departures: [Departure]) -> String {
    if causes.contains(.unfinishedDeclaration) {
      let moment = departures.first { $0.cause == .unfinishedDeclaration }?.moment
      let stop = moment.map { "Stopped at \(ProbeText.spoken($0.sinceOrigin)): t" } ?? "T"
      return stop + "he task has not finished although nothing is left to do."
    }
    if causes.contains(.neverDue) { return "No time has passed, and work is left." }
    if causes.isSubset(of: [.asleep, .endless, .unfinished]) { return "The test has ended, but its tasks have not." }
    if let actor = departures.lazy.compactMap(\.actor).first { return "Another test is using the actor \(actor)." }
    return "Something left virtual time."
  }
}
