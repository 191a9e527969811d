/// What there is to say of what left virtual time: one failure for each declaration of the test that it goes back to.
struct DepartureReport {
  private let departures: [(departure: Departure, origin: MarbleSource?)]

  init(_ departures: [(departure: Departure, origin: MarbleSource?)]) { self.departures = departures }

  var failures: [(message: String, place: MarbleSource?)] {
    var origins: [MarbleSource?] = []
    for (_, origin) in departures where !origins.contains(origin) { origins.append(origin) }
    return origins.map { origin in
      (Self.message(Set(departures.filter { $0.origin == origin }.map(\.departure))), origin)
    }
  }

  private static func message(_ departures: Set<Departure>) -> String {
    var departures = departures
    var headline = "Something left virtual time."
    if departures.contains(.unfinishedDeclaration) {
      headline = "The task has not finished although nothing is left to do."
      departures.remove(.unfinished)
      // Why it has not finished is known.
      if !departures.isDisjoint(with: [.realSleep, .mainActor]) { departures.remove(.unfinishedDeclaration) }
    }
    let explanations = Departure.allCases.filter(departures.contains).map { "  " + $0.explanation }
    return ([headline] + explanations).joined(separator: "\n")
  }
}
