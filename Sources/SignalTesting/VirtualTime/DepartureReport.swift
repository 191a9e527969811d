import Signals

/// What there is to say of what left virtual time: one failure for each operator, and for each declaration of the test that it goes back to.
struct DepartureReport {
  private let departures: [Departure]
  private let test: MarbleSource

  /// - Parameter test: The test.
  init(_ departures: [Departure], of test: MarbleSource) {
    self.departures = departures
    self.test = test
  }

  /// Lets the running test fail.
  func record() {
    for (message, place) in failures { report(message, at: place, else: test) }
  }

  /// Notes it with what else a marble test has found.
  func add(to failures: MarbleFailures) {
    for (message, place) in self.failures { failures.add(.cause, message, at: place, else: test) }
  }

  private var failures: [(message: String, place: MarbleSource)] {
    var sites: [Site] = []
    for case let site? in departures.map(\.site) where !sites.contains(site) { sites.append(site) }
    let operators = sites.map { site in
      (
        "\(site.kind) \(Chains.place(site)) left virtual time.\n  " + Departure.Cause.realScheduler.explanation,
        MarbleSource(site, near: test)
      )
    }
    var origins: [MarbleSource] = []
    let others = departures.filter { $0.site == nil }
    for departure in others where !origins.contains(departure.origin ?? test) {
      origins.append(departure.origin ?? test)
    }
    return operators
      + origins.map { origin in
        (Self.message(Set(others.filter { ($0.origin ?? test) == origin }.map(\.cause))), origin)
      }
  }

  private static func message(_ causes: Set<Departure.Cause>) -> String {
    var causes = causes
    // Where the way out is known, it does not matter whether the task came back in time: that is luck.
    if !causes.isDisjoint(with: Departure.Cause.known) {
      causes.subtract([.unfinishedDeclaration, .cameBack, .unfinished])
    } else if causes.contains(.unfinishedDeclaration) {
      causes.remove(.unfinished)
    }
    let headline =
      causes.contains(.unfinishedDeclaration)
      ? "The task has not finished although nothing is left to do." : "Something left virtual time."
    return ([headline] + Departure.Cause.allCases.filter(causes.contains).map { "  " + $0.explanation })
      .joined(separator: "\n")
  }
}
