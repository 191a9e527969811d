import SignalGraph

extension GraphSnapshot {
  /// This snapshot with counts and times limited, so that calculations do not overflow. A snapshot file may contain any
  /// number.
  ///
  /// The limit of counts is 2⁴³: a CPU that delivers values as fast as it can reaches it after a day, and the sum over
  /// a million nodes still fits. Times are within three thousand years.
  var plausible: GraphSnapshot {
    var snapshot = self
    snapshot.takenAt = Self.time(takenAt)
    for index in snapshot.nodes.indices { snapshot.nodes[index].limit() }
    for index in snapshot.definitions.indices where snapshot.definitions[index].ends != nil {
      snapshot.definitions[index].ends?.limit()
    }
    for index in snapshot.definitions.indices {
      guard let gone = snapshot.definitions[index].gone else { continue }
      snapshot.definitions[index].gone = GoneNodes(
        nodes: Self.count(gone.nodes), values: Self.count(gone.values), names: gone.names)
      snapshot.definitions[index].gone?.withLiveSource = gone.withLiveSource.map(Self.count)
    }
    for index in snapshot.edges.indices {
      if let count = snapshot.edges[index].count { snapshot.edges[index].count = Self.count(count) }
    }
    return snapshot
  }

  fileprivate static func count(_ count: UInt64) -> UInt64 { min(count, 1 << 43) }

  fileprivate static func time(_ seconds: Double) -> Double { seconds.isFinite ? min(max(seconds, -1e11), 1e11) : 0 }
}

extension Node {
  fileprivate mutating func limit() {
    valueCount = GraphSnapshot.count(valueCount)
    waiting = waiting.map(GraphSnapshot.count)
    dropped = dropped.map(GraphSnapshot.count)
    since = since.map(GraphSnapshot.time)
    interval = interval.map { max(0, GraphSnapshot.time($0)) }
    leadTime = leadTime.map { max(0, GraphSnapshot.time($0)) }
    waits = waits.map { times in
      WaitTimes(
        values: GraphSnapshot.count(times.values), seconds: max(0, GraphSnapshot.time(times.seconds)),
        longest: max(0, GraphSnapshot.time(times.longest)))
    }
    attempts = attempts.map { known in
      Attempts(
        failed: GraphSnapshot.count(known.failed), lastFailure: known.lastFailure,
        failedAt: GraphSnapshot.time(known.failedAt), delay: known.delay.map { max(0, GraphSnapshot.time($0)) })
    }
    demand = demand.map { Demand(isAsked: $0.isAsked, since: GraphSnapshot.time($0.since)) }
    lastEventAt = lastEventAt.map(GraphSnapshot.time)
    if let all = causes {
      causes = all.suffix(100).map { cause in
        var plain = Cause(
          number: cause.number, at: GraphSnapshot.time(cause.at), thread: String(cause.thread.prefix(64)),
          origin: cause.origin, by: cause.by, parent: cause.parent)
        plain.start = cause.start.map { start in
          CauseStart(
            node: start.node, at: GraphSnapshot.time(start.at), thread: String(start.thread.prefix(64)),
            origin: start.origin, by: start.by, parent: start.parent)
        }
        return plain
      }
    }
    handler = handler.map { times in
      var plain = HandlerTimes(
        calls: GraphSnapshot.count(times.calls), seconds: max(0, GraphSnapshot.time(times.seconds)),
        mainSeconds: max(0, GraphSnapshot.time(times.mainSeconds)), longest: max(0, GraphSnapshot.time(times.longest)))
      plain.mainCPUSeconds = times.mainCPUSeconds.map { max(0, GraphSnapshot.time($0)) }
      return plain
    }
  }
}

extension EndCounts {
  fileprivate mutating func limit() {
    for path in [
      \EndCounts.finished, \.failed, \.disposed, \.unused, \.released, \.late, \.unhandled, \.lost, \.losing,
      \.losingAll,
    ] { self[keyPath: path] = GraphSnapshot.count(self[keyPath: path]) }
    caught = caught.map(GraphSnapshot.count)
  }
}
