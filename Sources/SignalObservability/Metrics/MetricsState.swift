#if Metrics
  import CoreMetrics
  import SignalFindings
  import SignalGraph

  /// The reported values, and their metrics.
  struct MetricsState: Sendable {
    private let placeLimit: Int
    /// The last snapshot that was reported.
    private(set) var last: GraphSnapshot?
    /// The number of reports so far.
    private(set) var reportCount = 0
    /// Whether a snapshot is being taken.
    var isReporting = false
    private var totals: [Int: PlaceTotals] = [:]
    /// The dropped values of each node that dropped any, also of evicted ones, up to a number: a source returns when it
    /// gets a subscriber.
    private var dropped: [UInt64: UInt64] = [:]
    private var places: [Int: PlaceMetrics] = [:]
    private var others: PlaceMetrics?
    private var findings: [String: Gauge] = [:]
    private var leftOut: Gauge?

    init(placeLimit: Int) { self.placeLimit = placeLimit }

    mutating func report(_ snapshot: GraphSnapshot, _ found: [Finding]?, _ factory: any MetricsFactory) {
      let now = PlaceTotals.all(in: snapshot, droppedBefore: dropped)
      let seconds = last.map { snapshot.takenAt - $0.takenAt }
      admit(snapshot.definitions, now, factory)
      var rest: PlaceTotals.Change?
      for definition in snapshot.definitions {
        guard let totals = now[definition.id] else { continue }
        let change = totals.change(since: self.totals[definition.id])
        if let metrics = places[definition.id] {
          metrics.report(change, over: seconds)
        } else {
          rest = change.adding(rest)
        }
      }
      if let rest {
        if others == nil { others = PlaceMetrics(place: "other", kind: "other", factory) }
        others?.report(rest, over: seconds)
      }
      if leftOut == nil { leftOut = Gauge(label: "signals_places_left_out", factory: factory) }
      leftOut?.record(max(0, now.count - places.count))
      report(found, factory)
      totals = now
      if dropped.count > 10_000 { dropped = [:] }
      for node in snapshot.nodes { if let count = node.dropped { dropped[node.id] = count } }
      last = snapshot
      reportCount += 1
    }

    /// Gives labels to the busiest places without any, up to the limit.
    private mutating func admit(
      _ definitions: [Definition], _ now: [Int: PlaceTotals], _ factory: any MetricsFactory
    ) {
      let remaining = placeLimit - places.count
      guard remaining > 0 else { return }
      let new = definitions.filter { places[$0.id] == nil && now[$0.id] != nil }
      let busiest = new.sorted { (now[$1.id]?.values ?? 0, $0.id) < (now[$0.id]?.values ?? 0, $1.id) }
      for definition in busiest.prefix(remaining) {
        places[definition.id] = PlaceMetrics(
          place: "\(definition.fileID):\(definition.line)", kind: definition.kind, factory)
      }
    }

    private mutating func report(_ found: [Finding]?, _ factory: any MetricsFactory) {
      guard let found else { return }
      let counts = Dictionary(grouping: found, by: \.rule).mapValues(\.count)
      // Zero too, so that resolved findings are visible.
      for rule in Rules.all {
        let gauge =
          findings[rule.name]
          ?? Gauge(
            label: "signals_findings", dimensions: [("rule", rule.name)], factory: factory)
        findings[rule.name] = gauge
        gauge.record(counts[rule.name] ?? 0)
      }
    }
  }

  /// The totals of a location in a snapshot.
  struct PlaceTotals: Sendable {
    private(set) var values: UInt64 = 0
    /// The increment.
    private(set) var dropped: UInt64 = 0
    private(set) var waiting: UInt64 = 0
    private(set) var live = 0
    private var ends = EndCounts()

    /// By the definition's identifier.
    ///
    /// - Parameter droppedBefore: The values that nodes had dropped before, by the node's identifier.
    static func all(in snapshot: GraphSnapshot, droppedBefore: [UInt64: UInt64]) -> [Int: PlaceTotals] {
      var totals: [Int: PlaceTotals] = [:]
      for definition in snapshot.definitions {
        var total = PlaceTotals()
        total.values = definition.gone?.values ?? 0
        total.ends = definition.ends ?? EndCounts()
        totals[definition.id] = total
      }
      for node in snapshot.nodes {
        totals[node.definition]?.values &+= node.valueCount
        let dropped = node.dropped ?? 0
        totals[node.definition]?.dropped &+= dropped - min(dropped, droppedBefore[node.id] ?? 0)
        totals[node.definition]?.waiting &+= node.waiting ?? 0
        if node.state == .live { totals[node.definition]?.live += 1 }
      }
      return totals
    }

    /// The increments since an earlier snapshot, and the current values.
    struct Change: Sendable {
      var values: UInt64
      var dropped: UInt64
      var waiting: UInt64
      var live: Int
      var ended: [UInt64]

      func adding(_ other: Change?) -> Change {
        guard let other else { return self }
        return Change(
          values: values &+ other.values, dropped: dropped &+ other.dropped, waiting: waiting &+ other.waiting,
          live: live + other.live, ended: zip(ended, other.ended).map { $0 &+ $1 })
      }
    }

    func change(since earlier: PlaceTotals?) -> Change {
      let earlier = earlier ?? PlaceTotals()
      func more(_ path: KeyPath<PlaceTotals, UInt64>) -> UInt64 {
        self[keyPath: path] - min(self[keyPath: path], earlier[keyPath: path])
      }
      return Change(
        values: more(\.values), dropped: dropped, waiting: waiting, live: live,
        ended: [more(\.ends.finished), more(\.ends.failed), more(\.ends.disposed)])
    }
  }

  /// The metrics of a location.
  struct PlaceMetrics: Sendable {
    private let values: Counter
    private let rate: Gauge
    private let live: Gauge
    private let waiting: Gauge
    private let dropped: Counter
    private let ended: [Counter]

    init(place: String, kind: String, _ factory: any MetricsFactory) {
      let labels = [("place", place), ("kind", kind)]
      values = Counter(label: "signals_values_total", dimensions: labels, factory: factory)
      rate = Gauge(label: "signals_values_per_second", dimensions: labels, factory: factory)
      live = Gauge(label: "signals_live", dimensions: labels, factory: factory)
      waiting = Gauge(label: "signals_waiting", dimensions: labels, factory: factory)
      dropped = Counter(label: "signals_dropped_total", dimensions: labels, factory: factory)
      ended = ["finished", "failed", "disposed"].map {
        Counter(label: "signals_ended_total", dimensions: labels + [("how", $0)], factory: factory)
      }
    }

    /// - Parameter seconds: The time since the last report; nil at the first.
    func report(_ change: PlaceTotals.Change, over seconds: Double?) {
      add(change.values, to: values)
      add(change.dropped, to: dropped)
      for (count, counter) in zip(change.ended, ended) { add(count, to: counter) }
      live.record(change.live)
      waiting.record(Int64(clamping: change.waiting))
      if let seconds, seconds > 0 { rate.record(Double(change.values) / seconds) }
    }

    private func add(_ count: UInt64, to counter: Counter) {
      if count > 0 { counter.increment(by: Int64(clamping: count)) }
    }
  }
#endif
