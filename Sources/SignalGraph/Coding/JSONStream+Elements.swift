extension JSONStream {
  mutating func add(_ definition: Definition) {
    addObject {
      $0.add("id", definition.id)
      $0.add("kind", definition.kind)
      $0.add("behavior", definition.behavior?.names)
      $0.add("fileID", definition.fileID)
      $0.add("line", definition.line)
      $0.add("function", definition.function)
      if let ends = definition.ends { $0.add(ends) }
      $0.add("isBare", definition.isBare)
      $0.add("isLoop", definition.isLoop)
      $0.add("isReported", definition.isReported)
      if let gone = definition.gone { $0.add(gone) }
    }
  }

  private mutating func add(_ ends: EndCounts) {
    addObject("ends") {
      $0.add("finished", ends.finished)
      $0.add("failed", ends.failed)
      $0.add("disposed", ends.disposed)
      $0.add("unused", ends.unused)
      $0.add("released", ends.released)
      $0.add("late", ends.late)
      $0.add("unhandled", ends.unhandled)
      $0.add("lost", ends.lost)
      $0.add("losing", ends.losing)
      $0.add("losingAll", ends.losingAll)
      $0.add("lastUnhandled", ends.lastUnhandled)
      $0.add("caught", ends.caught)
      $0.add("lastCaught", ends.lastCaught)
    }
  }

  private mutating func add(_ gone: GoneNodes) {
    addObject("gone") {
      $0.add("nodes", gone.nodes)
      $0.add("values", gone.values)
      $0.add("names", gone.names)
      $0.add("withLiveSource", gone.withLiveSource)
    }
  }

  mutating func add(_ node: Node) {
    addObject {
      $0.add("id", node.id)
      $0.add("definition", node.definition)
      $0.add("name", node.name)
      $0.add("state", node.state.rawValue)
      $0.add("valueCount", node.valueCount)
      $0.add("waiting", node.waiting)
      $0.add("dropped", node.dropped)
      $0.add("rate", node.rate)
      $0.add("lastEventAt", node.lastEventAt)
      $0.add("lastValue", node.lastValue)
      $0.add("owner", node.owner)
      $0.add("ownerID", node.ownerID)
      $0.add("failure", node.failure)
      $0.add("findings", node.findings.map(\.rawValue))
      $0.add("since", node.since)
      $0.add("scheduler", node.scheduler)
      $0.add("interval", node.interval)
      $0.add("leadTime", node.leadTime)
      $0.add("memoryLimit", node.memoryLimit)
      $0.add("memoryCount", node.memoryCount)
      $0.add("isReleased", node.isReleased)
      if let handler = node.handler { $0.add(handler) }
      if let waits = node.waits { $0.add(waits) }
      if let attempts = node.attempts { $0.add(attempts) }
      if let demand = node.demand { $0.add(demand) }
      $0.addList("causes", node.causes) { $0.add($1) }
      $0.addList("channels", node.channels) { stream, end in
        stream.addObject {
          $0.add("direction", end.direction.rawValue)
          $0.add("name", end.name)
        }
      }
    }
  }

  private mutating func add(_ handler: HandlerTimes) {
    addObject("handler") {
      $0.add("calls", handler.calls)
      $0.addTime("seconds", handler.seconds)
      $0.addTime("mainSeconds", handler.mainSeconds)
      $0.add("mainCPUSeconds", handler.mainCPUSeconds)
      $0.addTime("longest", handler.longest)
    }
  }

  private mutating func add(_ waits: WaitTimes) {
    addObject("waits") {
      $0.add("values", waits.values)
      $0.addTime("seconds", waits.seconds)
      $0.addTime("longest", waits.longest)
    }
  }

  private mutating func add(_ attempts: Attempts) {
    addObject("attempts") {
      $0.add("failed", attempts.failed)
      $0.add("lastFailure", attempts.lastFailure)
      $0.addTime("failedAt", attempts.failedAt)
      $0.add("delay", attempts.delay)
    }
  }

  private mutating func add(_ demand: Demand) {
    addObject("demand") {
      $0.add("isAsked", demand.isAsked)
      $0.addTime("since", demand.since)
    }
  }

  private mutating func add(_ cause: Cause) {
    addObject {
      $0.add("number", cause.number)
      $0.addTime("at", cause.at)
      $0.add("thread", cause.thread)
      $0.add("origin", cause.origin?.rawValue)
      $0.add("by", cause.by)
      $0.add("parent", cause.parent)
      if let start = cause.start { $0.add(start) }
    }
  }

  private mutating func add(_ start: CauseStart) {
    addObject("start") {
      $0.add("node", start.node)
      $0.addTime("at", start.at)
      $0.add("thread", start.thread)
      $0.add("origin", start.origin.rawValue)
      $0.add("by", start.by)
      $0.add("parent", start.parent)
    }
  }

  mutating func add(_ edge: Edge) {
    addObject {
      $0.add("source", edge.source)
      $0.add("target", edge.target)
      $0.add("kind", edge.kind.rawValue)
      $0.add("count", edge.count)
    }
  }

  mutating func add(_ event: GraphEvent) {
    addObject {
      $0.add("kind", event.kind.rawValue)
      $0.add("node", event.node)
      $0.add("first", event.first)
      $0.add("cause", event.cause)
      $0.add("time", event.time)
      $0.add("duration", event.duration)
      $0.add("thread", event.thread)
      $0.add("origin", event.origin?.rawValue)
      $0.add("by", event.by)
      $0.add("parent", event.parent)
    }
  }
}
