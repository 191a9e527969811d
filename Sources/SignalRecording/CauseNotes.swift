import SignalGraph
import Synchronization

/// The last causes that reached a node group.
struct CauseRing: Sendable {
  /// The maximum number of causes.
  static let limit = 8

  private var noted: [(cause: Cause, start: RecentStarts.Start?)] = []
  /// The index of the earliest, once the limit is reached.
  private var earliest = 0

  /// A copy in its own memory, the earliest first.
  var causes: [Cause] {
    (noted[earliest...] + noted[..<earliest]).map { cause, start in
      var cause = cause
      cause.start = start?.value
      return cause
    }
  }

  /// Adds a cause, and its beginning if that was elsewhere.
  mutating func add(_ cause: Cause, from start: RecentStarts.Start? = nil) {
    guard noted.count >= Self.limit else { return noted.append((cause, start)) }
    noted[earliest] = (cause, start)
    earliest = (earliest + 1) % Self.limit
  }
}

extension Cause {
  /// A cause that comes here and now.
  init(_ number: UInt64, at moment: Double = secondsSince1970(), on thread: String, _ beginning: CauseBeginning?) {
    self.init(
      number: number, at: moment, thread: thread, origin: beginning?.origin,
      by: beginning.flatMap { $0.by == 0 ? nil : $0.by },
      parent: beginning.flatMap { $0.parent == 0 ? nil : $0.parent })
  }

  /// The same cause at a node that it reached from upstream.
  var passing: Cause {
    var cause = Cause(number: number, at: at, thread: thread)
    cause.start = start
    return cause
  }
}

/// The causes recorded in a chain.
struct CauseNotes: Sendable {
  /// The record of an operator's inputs.
  struct Inputs: Sendable {
    /// The cause of the latest value, from recorded nodes.
    var arrived: UInt64 = 0
    /// Sources that deliver to the operator without a node in between.
    var sources: [SourceNode] = []
  }

  /// By the address of the group.
  var groups: [UInt: CauseRing] = [:]
  /// By the identifier of the operator's node.
  var inputs: [UInt64: Inputs] = [:]
  /// The descriptions of the last values, by the address of the group, if the program requests them.
  var values: [UInt: ShownValue] = [:]

  /// The maximum number of recorded sources: those that come and go in a `flatMap` are not searched for.
  static let largestSources = 16

  mutating func note(_ source: SourceNode?, at node: UInt64) {
    var known = inputs[node] ?? Inputs()
    if let source, known.sources.count < Self.largestSources, !known.sources.contains(where: { $0 === source }) {
      known.sources.append(source)
    }
    inputs[node] = known
  }
}

extension HandlerCounts {
  /// The last causes that reached a group.
  func causes(of group: UnsafeMutablePointer<NodeGroup>) -> [Cause]? {
    // A copy in its own memory; see ``ChainExtras/notes``.
    causes.withLock { $0.groups[UInt(bitPattern: group)]?.causes }
  }

  /// The record of an operator's inputs, a copy in its own memory.
  func inputs(of node: UInt64) -> CauseNotes.Inputs? {
    causes.withLock { causes in
      causes.inputs[node].map { CauseNotes.Inputs(arrived: $0.arrived, sources: $0.sources.map { $0 }) }
    }
  }

  /// The description of the last value that a group delivered.
  func value(of group: UnsafeMutablePointer<NodeGroup>) -> String? {
    causes.withLock { $0.values[UInt(bitPattern: group)]?.reading }
  }

  func forgetCauses() { causes.withLock { $0 = CauseNotes() } }
}

/// The position of a group in a chain.
struct GroupPlace {
  /// The group's uppermost node.
  var top: UInt64 = 0
  /// The receiver of the group's values: a node or a source; 0 at a subscriber.
  var below: UInt64 = 0
  /// The chain's lowest node.
  var lowest: UInt64 = 0
  /// The group's lowest node.
  var bottom: UInt64 = 0
  var isLowest = false
  var isHighest = false
}

extension ChainRecord {
  /// Delivers a value downstream of a group: records its cause, and the time of the handler below.
  ///
  /// - Parameter value: The value, for a description.
  func trace(
    _ group: UnsafeMutablePointer<NodeGroup>, _ value: () -> any Sendable, _ deliver: () throws -> Void
  ) rethrows {
    guard isRecorderTracing else { return try deliver() }
    describe(value, at: group)
    let place = place(of: group)
    let thread = CauseTracing.thread
    let notes = handlerCounts
    let words = thread.words
    let (number, beginning) = note(at: place, group, thread, words, notes)
    let events = head.pointee.link._withUnsafeGuaranteedRef { $0.events }
    guard events.isOn else { return try hand(on: number, at: place, thread, notes, deliver) }
    let began = EventLog.now
    defer {
      events.add(
        GraphEvent(
          place.isLowest && downstream == nil ? .handled : .passed, node: place.bottom, first: place.top, cause: number,
          since: began, thread: words, beginning))
    }
    try hand(on: number, at: place, thread, notes, deliver)
  }

  /// Passes a value downstream of a group, with its cause.
  private func hand(
    on number: UInt64, at place: GroupPlace, _ thread: CauseThread, _ notes: HandlerCounts, _ deliver: () throws -> Void
  ) rethrows {
    guard place.isLowest else {
      return try thread.with(CauseFrame(place: .way(to: place.below), number: number)) {
        // Operators below a hop run in its call: a slow one among them blocks the thread like a slow handler.
        guard downstream != nil else { return try HandlerTracing.measure(place.lowest, adding: notes, deliver) }
        // Above a further hop only the main thread's time matters: it is that of the subscriber below.
        guard HandlerTracing.isOnMain, let (subscriber, notes) = subscriberBelow else { return try deliver() }
        try HandlerTracing.measure(subscriber, adding: notes, deliver)
      }
    }
    switch downstream?.target {
    case nil:
      try thread.with(CauseFrame(place: .handler(place.below), number: number)) {
        try HandlerTracing.run(place.below, adding: notes, deliver)
      }
    case .node(let node):
      node.record.noteArrival(of: number, at: node.identifier)
      try thread.with(CauseFrame(place: .way(to: node.identifier), number: number), deliver)
    case .source(let source):
      try thread.with(CauseFrame(place: .way(to: source.identifier), number: number), deliver)
    }
  }

  /// The subscriber below the operators that this chain is an input of, and its record; nil below a shared source.
  private var subscriberBelow: (node: UInt64, notes: HandlerCounts)? {
    var record = self
    while let downstream = record.downstream {
      guard case .node(let node) = downstream.target else { return nil }
      record = node.record
    }
    return record.lowestNode.map { ($0.identifier, record.handlerCounts) }
  }

  /// The position of a group. The lowest one of a subscriber's chain delivers to the subscriber itself.
  private func place(of group: UnsafeMutablePointer<NodeGroup>) -> GroupPlace {
    var place = GroupPlace()
    var lastTop: UInt64 = 0
    forEachGroup { other, identifier in
      let top = identifier + UInt64(other.pointee.nodeCount) - 1
      place.isHighest = other == group
      if lastTop == 0 { place.lowest = identifier }
      if other == group {
        place.isLowest = lastTop == 0
        place.below = lastTop == 0 ? identifier : lastTop
        place.top = top
        place.bottom = identifier
      }
      lastTop = top
    }
    return place
  }

  /// Records the cause of a value that a group delivers.
  ///
  /// - Returns: The number of the cause, and its origin if it begins here.
  private func note(
    at place: GroupPlace, _ group: UnsafeMutablePointer<NodeGroup>, _ thread: CauseThread, _ words: String,
    _ notes: HandlerCounts
  ) -> (number: UInt64, beginning: CauseBeginning?) {
    let known = knownCause(at: place, thread)
    let number = known ?? CauseTracing.nextNumber()
    let beginning = known == nil ? beginning(at: place, thread) : nil
    let cause = Cause(number, on: words, beginning)
    let start = known == nil ? nil : RecentStarts.find(number)
    if known == nil { RecentStarts.note(cause, at: place.top) }
    notes.causes.withLock { causes in
      // The end of recording comes here too, after clearing the flag.
      guard isRecorderTracing else { return }
      causes.groups[UInt(bitPattern: group), default: CauseRing()].add(cause, from: start)
    }
    return (number, beginning)
  }

  /// The cause of a value that a group delivers, if it did not begin there.
  private func knownCause(at place: GroupPlace, _ thread: CauseThread) -> UInt64? {
    let taken = thread.takeTaken(of: place.top)
    if let taken, taken.number > 0, !taken.isTimed { return taken.number }
    let frame = thread.top ?? TaskAuthor.current?.frame
    if let taken, taken.isTimed { return timedCause(of: place.top, carried: taken.number) }
    guard let frame else { return nil }
    let number: UInt64? =
      switch frame.place {
      case .way(place.top), .task(place.top): frame.number
      case .source(let sender) where place.isHighest:
        sender === source || source == nil && hasTracedInputs(place.top) ? sender.currentNumber : nil
      case .left where place.isHighest && source == nil: frame.number
      case .work(place.top) where place.isHighest && source == nil: timedCause(of: place.top, carried: frame.number)
      default: nil
      }
    return number == 0 ? nil : number
  }

  /// The origin of a cause that begins at a group.
  private func beginning(at place: GroupPlace, _ thread: CauseThread) -> CauseBeginning {
    let frame = thread.top ?? TaskAuthor.current?.frame
    if place.isHighest, isConnecting { return frame?.subscribing ?? CauseBeginning(.subscription) }
    if let frame { return frame.beginning }
    let isSource = place.isHighest && !hasTracedInputs(place.top)
    return CauseBeginning(isSource ? .program : .unknown)
  }

  /// The cause of a value that an operator's timer releases: the latest that came, as in `debounce`; if each value has
  /// its own timer, that value's.
  private func timedCause(of node: UInt64, carried: UInt64) -> UInt64? {
    if let behavior = site(of: node)?.behavior, behavior.contains(.delays), !behavior.contains(.settles) {
      return carried == 0 ? nil : carried
    }
    let latest = knownHandlerCounts?.inputs(of: node).map { inputs in
      inputs.sources.reduce(max(inputs.arrived, carried)) { max($0, $1.latestNumber) }
    }
    return latest == 0 ? nil : latest
  }

  /// Whether any recorded input delivers to a node.
  func hasTracedInputs(_ node: UInt64) -> Bool {
    knownHandlerCounts?.causes.withLock { $0.inputs[node] != nil } == true
  }

  private func noteArrival(of number: UInt64, at node: UInt64) {
    handlerCounts.causes.withLock { causes in
      if isRecorderTracing { causes.inputs[node, default: CauseNotes.Inputs()].arrived = number }
    }
  }

  /// Registers this as an input of its downstream.
  func noteAsInput() {
    switch downstream?.target {
    case .node(let node):
      let direct = topIdentifier == nil ? source : nil
      node.record.handlerCounts.causes.withLock { causes in
        if node.record.isRecorderTracing { causes.note(direct, at: node.identifier) }
      }
    case .source(let source): source.noteInput()
    case nil: break
    }
  }
}

extension NodeReference {
  /// Whether any recorded input delivers to the node.
  var hasTracedInputs: Bool { record.hasTracedInputs(identifier) }
}
