import SignalGraph

/// Writes the elements of a snapshot as JSON, byte for byte like `JSONEncoder` with sorted keys and in a small part of
/// its time: the inspected program bears the cost.
///
/// Strings longer than ``SnapshotPieces/textBytes`` are truncated. Numbers that JSON cannot represent are omitted.
struct JSONText {
  private(set) var bytes: [UInt8] = []
  /// The last written time and its text: the nodes of a chain have the same.
  private var lastTime = (seconds: 0.0, text: "0")

  init(capacity: Int) {
    bytes.reserveCapacity(capacity)
  }

  mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
  }

  /// Adds literal JSON.
  mutating func write(_ text: StaticString) {
    bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  // MARK: Elements

  mutating func add(_ definition: Definition) {
    write("{")
    if let behavior = definition.behavior {
      write("\"behavior\":[")
      for (index, name) in behavior.names.enumerated() {
        if index > 0 { write(",") }
        add(name)
      }
      write("],")
    }
    if let ends = definition.ends {
      add(ends)
      write(",")
    }
    write("\"fileID\":")
    add(definition.fileID)
    write(",\"function\":")
    add(definition.function)
    if let gone = definition.gone {
      write(",\"gone\":{\"names\":[")
      for (index, name) in gone.names.enumerated() {
        if index > 0 { write(",") }
        add(name)
      }
      write("],\"nodes\":")
      add(gone.nodes)
      write(",\"values\":")
      add(gone.values)
      add(",\"withLiveSource\":", gone.withLiveSource)
      write("}")
    }
    write(",\"id\":")
    add(definition.id)
    if let isBare = definition.isBare { write(isBare ? ",\"isBare\":true" : ",\"isBare\":false") }
    if let isLoop = definition.isLoop { write(isLoop ? ",\"isLoop\":true" : ",\"isLoop\":false") }
    if let isReported = definition.isReported {
      write(isReported ? ",\"isReported\":true" : ",\"isReported\":false")
    }
    write(",\"kind\":")
    add(definition.kind)
    write(",\"line\":")
    add(definition.line)
    write("}")
  }

  private mutating func add(_ ends: EndCounts) {
    write("\"ends\":{")
    if let caught = ends.caught {
      write("\"caught\":")
      add(caught)
      write(",")
    }
    write("\"disposed\":")
    add(ends.disposed)
    write(",\"failed\":")
    add(ends.failed)
    write(",\"finished\":")
    add(ends.finished)
    add(",\"lastCaught\":", ends.lastCaught)
    add(",\"lastUnhandled\":", ends.lastUnhandled)
    write(",\"late\":")
    add(ends.late)
    write(",\"losing\":")
    add(ends.losing)
    write(",\"losingAll\":")
    add(ends.losingAll)
    write(",\"lost\":")
    add(ends.lost)
    write(",\"released\":")
    add(ends.released)
    write(",\"unhandled\":")
    add(ends.unhandled)
    write(",\"unused\":")
    add(ends.unused)
    write("}")
  }

  mutating func add(_ node: Node) {
    write("{")
    if let attempts = node.attempts { add(attempts) }
    if let causes = node.causes { add(causes) }
    if let channels = node.channels { add(channels) }
    write("\"definition\":")
    add(node.definition)
    if let demand = node.demand {
      write(demand.isAsked ? ",\"demand\":{\"isAsked\":true,\"since\":" : ",\"demand\":{\"isAsked\":false,\"since\":")
      addTime(demand.since)
      write("}")
    }
    add(",\"dropped\":", node.dropped)
    add(",\"failure\":", node.failure)
    write(",\"findings\":[")
    for (index, finding) in node.findings.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      add(finding.rawValue)
    }
    write("]")
    if let handler = node.handler { add(handler) }
    write(",\"id\":")
    add(node.id)
    add(",\"interval\":", node.interval)
    if let isReleased = node.isReleased { write(isReleased ? ",\"isReleased\":true" : ",\"isReleased\":false") }
    add(",\"lastEventAt\":", node.lastEventAt)
    add(",\"lastValue\":", node.lastValue)
    add(",\"leadTime\":", node.leadTime)
    add(",\"memoryCount\":", node.memoryCount)
    add(",\"memoryLimit\":", node.memoryLimit)
    add(",\"name\":", node.name)
    add(",\"owner\":", node.owner)
    add(",\"ownerID\":", node.ownerID)
    add(",\"rate\":", node.rate)
    add(",\"scheduler\":", node.scheduler)
    add(",\"since\":", node.since)
    switch node.state {
    case .live: write(",\"state\":\"live\"")
    case .finished: write(",\"state\":\"finished\"")
    case .failed: write(",\"state\":\"failed\"")
    case .disposed: write(",\"state\":\"disposed\"")
    }
    write(",\"valueCount\":")
    add(node.valueCount)
    add(",\"waiting\":", node.waiting)
    if let waits = node.waits { add(waits) }
    write("}")
  }

  private mutating func add(_ channels: [ChannelEnd]) {
    write("\"channels\":[")
    for (index, end) in channels.enumerated() {
      write(index > 0 ? ",{\"direction\":" : "{\"direction\":")
      add(end.direction.rawValue)
      write(",\"name\":")
      add(end.name)
      write("}")
    }
    write("],")
  }

  private mutating func add(_ attempts: Attempts) {
    write("\"attempts\":{")
    if let delay = attempts.delay {
      write("\"delay\":")
      addTime(delay)
      write(",")
    }
    write("\"failed\":")
    add(attempts.failed)
    write(",\"failedAt\":")
    addTime(attempts.failedAt)
    add(",\"lastFailure\":", attempts.lastFailure)
    write("},")
  }

  private mutating func add(_ start: CauseStart) {
    write(",\"start\":{\"at\":")
    addTime(start.at)
    add(",\"by\":", start.by)
    write(",\"node\":")
    add(start.node)
    write(",\"origin\":")
    add(start.origin.rawValue)
    add(",\"parent\":", start.parent)
    write(",\"thread\":")
    add(start.thread)
    write("}")
  }

  private mutating func add(_ causes: [Cause]) {
    write("\"causes\":[")
    for (index, cause) in causes.enumerated() {
      write(index > 0 ? ",{\"at\":" : "{\"at\":")
      addTime(cause.at)
      add(",\"by\":", cause.by)
      write(",\"number\":")
      add(cause.number)
      add(",\"origin\":", cause.origin?.rawValue)
      add(",\"parent\":", cause.parent)
      if let start = cause.start { add(start) }
      write(",\"thread\":")
      add(cause.thread)
      write("}")
    }
    write("],")
  }

  private mutating func add(_ waits: WaitTimes) {
    write(",\"waits\":{\"longest\":")
    addTime(waits.longest)
    write(",\"seconds\":")
    addTime(waits.seconds)
    write(",\"values\":")
    add(waits.values)
    write("}")
  }

  private mutating func add(_ handler: HandlerTimes) {
    write(",\"handler\":{\"calls\":")
    add(handler.calls)
    write(",\"longest\":")
    addTime(handler.longest)
    if let time = handler.mainCPUSeconds {
      write(",\"mainCPUSeconds\":")
      addTime(time)
    }
    write(",\"mainSeconds\":")
    addTime(handler.mainSeconds)
    write(",\"seconds\":")
    addTime(handler.seconds)
    write("}")
  }

  mutating func add(_ edge: Edge) {
    if let count = edge.count {
      write("{\"count\":")
      add(count)
      write(",\"kind\":")
    } else {
      write("{\"kind\":")
    }
    add(edge.kind.rawValue)
    write(",\"source\":")
    add(edge.source)
    write(",\"target\":")
    add(edge.target)
    write("}")
  }

  mutating func add(_ event: GraphEvent) {
    write("{")
    if let by = event.by {
      write("\"by\":")
      add(by)
      write(",")
    }
    write("\"cause\":")
    add(event.cause)
    write(",\"duration\":")
    add(event.duration)
    write(",\"first\":")
    add(event.first)
    write(",\"kind\":")
    add(event.kind.rawValue)
    write(",\"node\":")
    add(event.node)
    add(",\"origin\":", event.origin?.rawValue)
    add(",\"parent\":", event.parent)
    write(",\"thread\":")
    add(event.thread)
    write(",\"time\":")
    add(event.time)
    write("}")
  }

  // MARK: Values that may be missing

  private mutating func add(_ key: StaticString, _ number: UInt64?) {
    guard let number else { return }
    write(key)
    add(number)
  }

  private mutating func add(_ key: StaticString, _ text: String?) {
    guard let text else { return }
    write(key)
    add(text)
  }

  private mutating func add(_ key: StaticString, _ number: Double?) {
    guard let number, number.isFinite else { return }
    write(key)
    addTime(number)
  }

  // MARK: Values

  /// Zero if JSON cannot represent the number.
  private mutating func addTime(_ time: Double) {
    let number = time.isFinite ? time : 0
    if number != lastTime.seconds || number == 0 {
      let words = number.description
      lastTime = (number, words.hasSuffix(".0") ? String(words.dropLast(2)) : words)
    }
    bytes.append(contentsOf: lastTime.text.utf8)
  }

  private mutating func add(_ number: Int) {
    if number < 0 { bytes.append(UInt8(ascii: "-")) }
    add(UInt64(number.magnitude))
  }

  private mutating func add(_ number: UInt64) {
    if number < 10 {
      bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number))
      return
    }
    // No number has more digits.
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
      var start = digits.count
      var rest = number
      while rest > 0 {
        start -= 1
        digits[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
        rest /= 10
      }
      bytes.append(contentsOf: digits[start...])
    }
  }

  private mutating func add(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    var text = SnapshotPieces.cut(text)
    text.withUTF8 { characters in
      if characters.allSatisfy({ $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }) {
        bytes.append(contentsOf: characters)
      } else {
        for character in characters { addEscaped(character) }
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private mutating func addEscaped(_ character: UInt8) {
    switch character {
    case UInt8(ascii: "\""): write("\\\"")
    case UInt8(ascii: "\\"): write("\\\\")
    case 0x08: write("\\b")
    case 0x09: write("\\t")
    case 0x0A: write("\\n")
    case 0x0C: write("\\f")
    case 0x0D: write("\\r")
    case 0..<0x20:
      write("\\u00")
      for digit in [character >> 4, character & 15] {
        bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
      }
    default: bytes.append(character)
    }
  }
}
