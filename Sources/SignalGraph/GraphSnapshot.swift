/// A consistent snapshot of the live signal graph of one process at one instant.
///
/// It has two levels: *definitions* (this `map` at `Feed.swift:42`) and *nodes*, the live subscriptions that run
/// through them. Edges connect nodes. Node and definition identifiers are stable between snapshots of one process.
public struct GraphSnapshot: Codable, Hashable, Sendable {
  /// The version of the wire model that this code writes.
  public static let currentVersion = 1

  /// The version of the wire model that the snapshot was written with.
  public var version: Int
  /// The process that the graph lives in.
  public var process: ProcessIdentity
  /// The time of the snapshot, in seconds since 1 January 1970 UTC.
  public var takenAt: Double
  /// The source locations of the nodes.
  public var definitions: [Definition]
  /// The operators' live (or recently ended) instances.
  public var nodes: [Node]
  /// The connections between nodes, in the direction in which values travel.
  public var edges: [Edge]

  /// Creates a snapshot of the current wire version.
  ///
  /// - Parameters:
  ///   - process: The process that the graph lives in.
  ///   - takenAt: The time of the snapshot, in seconds since 1 January 1970 UTC.
  ///   - definitions: The source locations of the nodes.
  ///   - nodes: The operators' instances.
  ///   - edges: The connections between nodes.
  public init(
    process: ProcessIdentity, takenAt: Double, definitions: [Definition] = [], nodes: [Node] = [], edges: [Edge] = []
  ) {
    self.version = Self.currentVersion
    self.process = process
    self.takenAt = takenAt
    self.definitions = definitions
    self.nodes = nodes
    self.edges = edges
  }
}

/// One source location where an operator, a source or a subscription is declared.
public struct Definition: Codable, Hashable, Sendable, Identifiable {
  /// The identifier, unique within the process.
  public var id: Int
  /// Its kind: `map`, `debounce`, `emitter`, `subscribe` ...
  public var kind: String
  /// Its behaviour; `nil` in snapshots of versions without it.
  public var behavior: OperatorBehavior?
  /// The `#fileID` of the location, such as `App/Feed.swift`.
  public var fileID: String
  /// The line of the location.
  public var line: Int
  /// The `#function` of the location.
  public var function: String
  /// The counts of ended subscriptions of this location; `nil` if none has ended, or if they are not counted.
  public var ends: EndCounts?
  /// Whether it is a subscription without any closure, by `subscribe()`; `nil` if it is not.
  public var isBare: Bool?
  /// Its nodes that have ended and are no longer in the snapshot; `nil` if there are none, or if they are not counted.
  public var gone: GoneNodes?
  /// Whether it is a subscription of a loop over `values()`; `nil` if it is not.
  public var isLoop: Bool?
  /// Whether it is a step of another pipeline, which a `GraphReporter` reports; `nil` if it is not.
  public var isReported: Bool?

  /// Creates a definition from its parts.
  ///
  /// - Parameters:
  ///   - id: The identifier, unique within the process.
  ///   - kind: Its kind, such as `map`.
  ///   - behavior: Its behaviour, if known.
  ///   - fileID: The `#fileID` of the location.
  ///   - line: The line of the location.
  ///   - function: The `#function` of the location.
  ///   - ends: The counts of ended subscriptions of this location.
  ///   - isBare: Whether it is a subscription without any closure.
  public init(
    id: Int, kind: String, behavior: OperatorBehavior? = nil, fileID: String, line: Int, function: String,
    ends: EndCounts? = nil, isBare: Bool? = nil
  ) {
    self.id = id
    self.kind = kind
    self.behavior = behavior
    self.fileID = fileID
    self.line = line
    self.function = function
    self.ends = ends
    self.isBare = isBare
  }
}

extension Definition {
  /// Whether it is a subscription: a subscriber, a binding or a loop. In snapshots without behaviours the kind decides.
  public var isSubscription: Bool { behavior?.contains(.subscribes) ?? (kind == "subscribe") }
}

/// One live instance of a definition.
public struct Node: Codable, Hashable, Sendable, Identifiable {
  /// The life cycle state of a node.
  public enum State: String, Codable, Hashable, Sendable, CaseIterable {
    /// It can still deliver values.
    case live
    /// It delivered its `finished`.
    case finished
    /// It delivered its `failed`.
    case failed
    /// Its subscription was disposed before it ended.
    case disposed
  }

  /// A notable fact or fault of a node.
  public enum Finding: String, Codable, Hashable, Sendable, CaseIterable {
    /// Alive after its owner, bag or scope was released.
    case leaked
    /// Alive, without a value for a long time; see ``GraphSnapshot/addingActivity(since:thresholds:)``.
    case idle
    /// Among the busiest nodes of the graph; see ``GraphSnapshot/addingActivity(since:thresholds:)``.
    case hot
  }

  /// The identifier, unique within the process and never reused.
  public var id: UInt64
  /// The definition that this is an instance of.
  public var definition: Int
  /// The name that the program gave with `named(_:)`.
  public var name: String?
  /// The life cycle state.
  public var state: State
  /// The number of values that passed.
  public var valueCount: UInt64
  /// The number of values that wait in the node to be delivered; `nil` if there are none, or if the node does not count
  /// them.
  public var waiting: UInt64?
  /// The number of values that the node has dropped because its queue was full, or because they were sent to a source
  /// after its end; `nil` if there are none, or if the node does not count them.
  public var dropped: UInt64?
  /// The rate in values per second, between two snapshots; `nil` in a single snapshot, see
  /// ``GraphSnapshot/addingActivity(since:thresholds:)``.
  public var rate: Double?
  /// The time of the last value, in seconds since 1 January 1970 UTC, while the program records causes. Otherwise `nil`
  /// in a single snapshot, and after ``GraphSnapshot/addingActivity(since:thresholds:)`` if the first snapshot was
  /// taken after that value.
  public var lastEventAt: Double?
  /// A short, redacted description of the last value, when the program opted in.
  public var lastValue: String?
  /// The owner or bag that retains the subscription, if known.
  public var owner: String?
  /// The error that ended the node, if `state` is `failed`.
  public var failure: String?
  /// The node's findings.
  public var findings: [Finding]
  /// The time at which its subscription was created, in seconds since 1 January 1970 UTC; `nil` for sources with one
  /// node for all subscribers.
  public var since: Double?
  /// The times of its handler, if it is a subscriber and handlers are profiled.
  public var handler: HandlerTimes?
  /// A number of the object that retains the subscription, the same for all that it retains; it is meaningless in
  /// another process.
  public var ownerID: UInt64?
  /// The last causes that reached it while handlers were profiled, the latest last; `nil` if there are none.
  public var causes: [Cause]?
  /// The scheduler of its work: `main`, the label of a queue, `virtual`; `nil` for a node that works on the thread of
  /// its values. Schedulers with the same name are distinguished by numbers: `qos.utility`, `qos.utility #2`.
  public var scheduler: String?
  /// Its repeated delay, in seconds, if it is time-based.
  public var interval: Double?
  /// Its first delay, in seconds, if that is not ``interval``.
  public var leadTime: Double?
  /// The times that values waited in it, if some did while handlers were profiled.
  public var waits: WaitTimes?
  /// Its attempts, if it is a `retry` whose upstream has failed.
  public var attempts: Attempts?
  /// Whether it is a source that ended because it was released; `nil` if not.
  public var isReleased: Bool?
  /// The maximum number of values that it retains for new subscribers, if it is a source that retains any besides the
  /// current value of a property; and the current number, if that does not depend on their age.
  public var memoryLimit, memoryCount: UInt64?
  /// The demand at it, if it delivers values only on request.
  public var demand: Demand?
  /// The channels between programs that its values go to or come from; `nil` if there are none.
  public var channels: [ChannelEnd]?

  /// Creates a node from its parts.
  ///
  /// - Parameters:
  ///   - id: The identifier, unique within the process and never reused.
  ///   - definition: The definition that this is an instance of.
  ///   - name: The name that the program gave with `named(_:)`.
  ///   - state: The life cycle state.
  ///   - valueCount: The number of values that passed.
  ///   - waiting: The number of values that wait in the node to be delivered; 0 counts as `nil`.
  ///   - dropped: The number of values that the node has dropped because its queue was full, or that came after its
  ///     end; 0 counts as `nil`.
  ///   - rate: The rate in values per second.
  ///   - lastEventAt: The time of the last value, in seconds since 1 January 1970 UTC.
  ///   - lastValue: A short, redacted description of the last value.
  ///   - owner: The owner or bag that retains the subscription.
  ///   - failure: The error that ended the node.
  ///   - findings: The node's findings.
  ///   - since: The time at which its subscription was created, in seconds since 1 January 1970 UTC.
  ///   - handler: The times of its handler.
  ///   - ownerID: A number of the object that retains the subscription.
  ///   - causes: The last causes that reached it, the latest last; none counts as `nil`.
  ///   - scheduler: The scheduler of its work.
  ///   - interval: Its repeated delay, in seconds.
  ///   - leadTime: Its first delay, in seconds, if that differs.
  ///   - waits: The times that values waited in it.
  public init(
    id: UInt64, definition: Int, name: String? = nil, state: State = .live, valueCount: UInt64 = 0,
    waiting: UInt64? = nil, dropped: UInt64? = nil, rate: Double? = nil, lastEventAt: Double? = nil,
    lastValue: String? = nil, owner: String? = nil, failure: String? = nil, findings: [Finding] = [],
    since: Double? = nil, handler: HandlerTimes? = nil, ownerID: UInt64? = nil, causes: [Cause]? = nil,
    scheduler: String? = nil, interval: Double? = nil, leadTime: Double? = nil, waits: WaitTimes? = nil
  ) {
    self.id = id
    self.definition = definition
    self.name = name
    self.state = state
    self.valueCount = valueCount
    self.waiting = waiting == 0 ? nil : waiting
    self.dropped = dropped == 0 ? nil : dropped
    self.rate = rate
    self.lastEventAt = lastEventAt
    self.lastValue = lastValue
    self.owner = owner
    self.failure = failure
    self.findings = findings
    self.since = since
    self.handler = handler
    self.ownerID = ownerID
    self.causes = causes?.isEmpty == true ? nil : causes
    self.scheduler = scheduler
    self.interval = interval
    self.leadTime = leadTime
    self.waits = waits
  }
}

extension Node {
  /// Decodes a node; one without `findings` has none; unknown findings and channel directions are skipped.
  ///
  /// - Parameter decoder: The decoder to read from.
  /// - Throws: Rethrows the errors of the decoder.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    id = try container.decode(UInt64.self, forKey: .id)
    definition = try container.decode(Int.self, forKey: .definition)
    name = try container.decodeIfPresent(String.self, forKey: .name)
    state = try container.decode(State.self, forKey: .state)
    valueCount = try container.decode(UInt64.self, forKey: .valueCount)
    waiting = try container.decodeIfPresent(UInt64.self, forKey: .waiting)
    dropped = try container.decodeIfPresent(UInt64.self, forKey: .dropped)
    rate = try container.decodeIfPresent(Double.self, forKey: .rate)
    lastEventAt = try container.decodeIfPresent(Double.self, forKey: .lastEventAt)
    lastValue = try container.decodeIfPresent(String.self, forKey: .lastValue)
    owner = try container.decodeIfPresent(String.self, forKey: .owner)
    failure = try container.decodeIfPresent(String.self, forKey: .failure)
    let words = try container.decodeIfPresent([String].self, forKey: .findings) ?? []
    findings = words.compactMap(Finding.init(rawValue:))
    since = try container.decodeIfPresent(Double.self, forKey: .since)
    handler = try container.decodeIfPresent(HandlerTimes.self, forKey: .handler)
    ownerID = try container.decodeIfPresent(UInt64.self, forKey: .ownerID)
    causes = try container.decodeIfPresent([Cause].self, forKey: .causes)
    scheduler = try container.decodeIfPresent(String.self, forKey: .scheduler)
    interval = try container.decodeIfPresent(Double.self, forKey: .interval)
    leadTime = try container.decodeIfPresent(Double.self, forKey: .leadTime)
    waits = try container.decodeIfPresent(WaitTimes.self, forKey: .waits)
    attempts = try container.decodeIfPresent(Attempts.self, forKey: .attempts)
    isReleased = try container.decodeIfPresent(Bool.self, forKey: .isReleased)
    memoryLimit = try container.decodeIfPresent(UInt64.self, forKey: .memoryLimit)
    memoryCount = try container.decodeIfPresent(UInt64.self, forKey: .memoryCount)
    demand = try container.decodeIfPresent(Demand.self, forKey: .demand)
    let ends = try container.decodeIfPresent([ReadChannelEnd].self, forKey: .channels) ?? []
    channels = ends.contains { $0.end != nil } ? ends.compactMap(\.end) : nil
  }
}

/// A connection along which values travel from one node to another.
public struct Edge: Codable, Hashable, Sendable {
  /// What a connection carries.
  public enum Kind: String, Codable, Hashable, Sendable, CaseIterable {
    /// The values themselves.
    case data
    /// A signal that only triggers, as in `prefix(untilOutputFrom:)`.
    case trigger
    /// A subscription of an operator to a signal that it got as a value, as in `flatMap`.
    case inner
    /// Values that move to another scheduler.
    case hop
    /// Sends of a subscriber's handler to a source, while handlers are profiled.
    case feedback
    /// Values of which the newest is stored until another input needs it, as in `withLatest(from:)`.
    case sampled
  }

  /// The node that values come from.
  public var source: UInt64
  /// The node that values go to.
  public var target: UInt64
  /// What the connection carries.
  public var kind: Kind
  /// The number of values that it carried while handlers were profiled, if it is a ``Kind/feedback``; the number that
  /// the source has sent since the connection was made, if that is a source with one node for all subscribers.
  /// Otherwise `nil`.
  public var count: UInt64?

  /// Creates an edge from its parts.
  ///
  /// - Parameters:
  ///   - source: The node that values come from.
  ///   - target: The node that values go to.
  ///   - kind: What the connection carries.
  ///   - count: The number of values that a feedback carried, or that a shared source has sent since.
  public init(source: UInt64, target: UInt64, kind: Kind = .data, count: UInt64? = nil) {
    self.source = source
    self.target = target
    self.kind = kind
    self.count = count
  }
}

extension Edge {
  /// Decodes an edge; an unknown kind counts as ``Kind/data``.
  ///
  /// - Parameter decoder: The decoder to read from.
  /// - Throws: Rethrows the errors of the decoder.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    source = try container.decode(UInt64.self, forKey: .source)
    target = try container.decode(UInt64.self, forKey: .target)
    kind = Kind(rawValue: try container.decode(String.self, forKey: .kind)) ?? .data
    count = try container.decodeIfPresent(UInt64.self, forKey: .count)
  }
}
