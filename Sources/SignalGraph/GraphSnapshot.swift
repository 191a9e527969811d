/// A consistent picture of the live signal graph of one process at one moment.
///
/// The picture has two levels: *definitions* (this `map` at `Feed.swift:42`) and *nodes*, the live subscriptions
/// that run through them. Edges join nodes. Node and definition identifiers are stable between snapshots of one
/// process.
public struct GraphSnapshot: Codable, Hashable, Sendable {
  /// The version of the wire model that this code writes.
  public static let currentVersion = 1

  /// The version of the wire model that the snapshot was written with.
  public var version: Int
  /// The process that the graph lives in.
  public var process: ProcessIdentity
  /// When the snapshot was taken, in seconds since 1 January 1970 UTC.
  public var takenAt: Double
  /// The places in the source code that the nodes come from.
  public var definitions: [Definition]
  /// The operators' live (or recently ended) instances.
  public var nodes: [Node]
  /// The connections between nodes, in the direction in which values travel.
  public var edges: [Edge]

  /// Makes a snapshot of the current wire version.
  ///
  /// - Parameters:
  ///   - process: The process that the graph lives in.
  ///   - takenAt: When the snapshot was taken, in seconds since 1 January 1970 UTC.
  ///   - definitions: The places in the source code that the nodes come from.
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

/// One place in the source code where an operator, a source or a subscription is written.
public struct Definition: Codable, Hashable, Sendable, Identifiable {
  /// The identifier, unique within the process.
  public var id: Int
  /// What it is: `map`, `debounce`, `emitter`, `subscribe` ...
  public var kind: String
  /// What it does; `nil` in snapshots of versions that did not say.
  public var behavior: OperatorBehavior?
  /// The `#fileID` of the place, such as `App/Feed.swift`.
  public var fileID: String
  /// The line of the place.
  public var line: Int
  /// The `#function` of the place.
  public var function: String
  /// How the subscriptions ended that were made here; `nil` when none has, or where that is not counted.
  public var ends: EndCounts?
  /// Whether it is a subscription that was made without any closure, by `subscribe()`; `nil` if it is not.
  public var isBare: Bool?
  /// Those of its nodes that have ended and are not in the snapshot any more; `nil` when there is none, or where that is not counted.
  public var gone: GoneNodes?
  /// Whether it is a subscription whose values a loop over `values()` takes; `nil` if it is not.
  public var isLoop: Bool?
  /// Whether it is a step of another pipeline, which a `GraphReporter` reports; `nil` if it is not.
  public var isReported: Bool?

  /// Makes a definition from its parts.
  ///
  /// - Parameters:
  ///   - id: The identifier, unique within the process.
  ///   - kind: What it is, such as `map`.
  ///   - behavior: What it does, if that is known.
  ///   - fileID: The `#fileID` of the place.
  ///   - line: The line of the place.
  ///   - function: The `#function` of the place.
  ///   - ends: How the subscriptions ended that were made here.
  ///   - isBare: Whether it is a subscription that was made without any closure.
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
  /// Whether it is a subscription: a subscriber, a binding or a loop. Snapshots that do not say what definitions do tell it by the kind.
  public var isSubscription: Bool { behavior?.contains(.subscribes) ?? (kind == "subscribe") }
}

/// One live instance of a definition.
public struct Node: Codable, Hashable, Sendable, Identifiable {
  /// Where a node is in its life.
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

  /// Something that was found to be wrong or remarkable with a node.
  public enum Finding: String, Codable, Hashable, Sendable, CaseIterable {
    /// Alive after its owner, bag or scope ended.
    case leaked
    /// Alive, without a value for a long time; see ``GraphSnapshot/addingActivity(since:thresholds:)``.
    case idle
    /// Among the busiest nodes of the graph; see ``GraphSnapshot/addingActivity(since:thresholds:)``.
    case hot
  }

  /// The identifier, unique within the process and never used again.
  public var id: UInt64
  /// The definition that this is an instance of.
  public var definition: Int
  /// The name that the program gave with `named(_:)`.
  public var name: String?
  /// Where the node is in its life.
  public var state: State
  /// How many values passed.
  public var valueCount: UInt64
  /// How many values wait in the node to be delivered; `nil` when there is none, or when the node cannot tell.
  public var waiting: UInt64?
  /// How many values the node has dropped because too many waited, or because they were sent to a source after its end; `nil` when there is none, or when the node cannot tell.
  public var dropped: UInt64?
  /// How many values passed in a second, between two looks at the graph; `nil` in a snapshot by itself, see
  /// ``GraphSnapshot/addingActivity(since:thresholds:)``.
  public var rate: Double?
  /// When the last value passed, in seconds since 1 January 1970 UTC, while the program notes causes. Else `nil` in a snapshot by itself, and after
  /// ``GraphSnapshot/addingActivity(since:thresholds:)`` when the graph was looked at first after that value.
  public var lastEventAt: Double?
  /// A short, redacted description of the last value, when the program opted in.
  public var lastValue: String?
  /// The owner or bag that keeps the subscription, if known.
  public var owner: String?
  /// The error that ended the node, when `state` is `failed`.
  public var failure: String?
  /// What was found on the node.
  public var findings: [Finding]
  /// When its subscription was made, in seconds since 1 January 1970 UTC; `nil` for sources that stand for all their subscribers.
  public var since: Double?
  /// What its handler took, if it is a subscriber's and handlers are being traced.
  public var handler: HandlerTimes?
  /// A number of the object that keeps the subscription, the same for all that it keeps; it means nothing in another process.
  public var ownerID: UInt64?
  /// The last causes that came to it while handlers were traced, the latest last; `nil` if there is none.
  public var causes: [Cause]?
  /// What its work runs on: `main`, the label of a queue, `virtual`; `nil` for a node that works where its values come. Those of one name are told
  /// apart by numbers: `qos.utility`, `qos.utility #2`.
  public var scheduler: String?
  /// How long it waits each time, in seconds, if it has to do with time.
  public var interval: Double?
  /// How long it waits the first time, in seconds, if that is not ``interval``.
  public var leadTime: Double?
  /// How long values waited in it, if some did while handlers were traced.
  public var waits: WaitTimes?
  /// What it has tried, if it is a `retry` above which something failed.
  public var attempts: Attempts?
  /// Whether it is a source that has ended because nobody kept it; `nil` if not.
  public var isReleased: Bool?
  /// How many values it keeps for new subscribers at most, if it is a source that keeps several; and now, where that does not depend on their age.
  public var memoryLimit, memoryCount: UInt64?
  /// Who waits there, if it gives values only when it is asked.
  public var demand: Demand?
  /// The channels between programs to which goes what passes, or from which it has come; `nil` if there is none.
  public var channels: [ChannelEnd]?

  /// Makes a node from its parts.
  ///
  /// - Parameters:
  ///   - id: The identifier, unique within the process and never used again.
  ///   - definition: The definition that this is an instance of.
  ///   - name: The name that the program gave with `named(_:)`.
  ///   - state: Where the node is in its life.
  ///   - valueCount: How many values passed.
  ///   - waiting: How many values wait in the node to be delivered; 0 counts as `nil`.
  ///   - dropped: How many values the node has dropped because too many waited, or came after its end; 0 counts as `nil`.
  ///   - rate: How many values passed in a second.
  ///   - lastEventAt: When the last value passed, in seconds since 1 January 1970 UTC.
  ///   - lastValue: A short, redacted description of the last value.
  ///   - owner: The owner or bag that keeps the subscription.
  ///   - failure: The error that ended the node.
  ///   - findings: What was found on the node.
  ///   - since: When its subscription was made, in seconds since 1 January 1970 UTC.
  ///   - handler: What its handler took.
  ///   - ownerID: A number of the object that keeps the subscription.
  ///   - causes: The last causes that came to it, the latest last; none counts as `nil`.
  ///   - scheduler: What its work runs on.
  ///   - interval: How long it waits each time, in seconds.
  ///   - leadTime: How long it waits the first time, in seconds, if that is not the same.
  ///   - waits: How long values waited in it.
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
  /// Reads a node; a node without `findings` has none; findings and ends of channels that this version does not know are left out.
  ///
  /// - Parameter decoder: Reads from this.
  /// - Throws: What the decoder throws.
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
    /// A signal that only causes something, as in `prefix(untilOutputFrom:)`.
    case trigger
    /// A subscription that an operator makes to a signal it was handed as a value, as in `flatMap`.
    case inner
    /// Values that move to another scheduler.
    case hop
    /// What a subscriber's handler sends to a source, while handlers are being traced.
    case feedback
    /// Values of which the newest is kept until another input asks for it, as in `withLatest(from:)`.
    case sampled
  }

  /// The node that values come from.
  public var source: UInt64
  /// The node that values go to.
  public var target: UInt64
  /// What the connection carries.
  public var kind: Kind
  /// How many values it carried while handlers were traced, if it is a ``Kind/feedback``; how many the source has sent since the connection was
  /// made, if that is a source which stands for all its subscribers. Else `nil`.
  public var count: UInt64?

  /// Makes an edge from its parts.
  ///
  /// - Parameters:
  ///   - source: The node that values come from.
  ///   - target: The node that values go to.
  ///   - kind: What the connection carries.
  ///   - count: How many values a feedback carried, or a shared source has sent since.
  public init(source: UInt64, target: UInt64, kind: Kind = .data, count: UInt64? = nil) {
    self.source = source
    self.target = target
    self.kind = kind
    self.count = count
  }
}

extension Edge {
  /// Reads an edge; a kind that this version does not know counts as ``Kind/data``.
  ///
  /// - Parameter decoder: Reads from this.
  /// - Throws: What the decoder throws.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    source = try container.decode(UInt64.self, forKey: .source)
    target = try container.decode(UInt64.self, forKey: .target)
    kind = Kind(rawValue: try container.decode(String.self, forKey: .kind)) ?? .data
    count = try container.decodeIfPresent(UInt64.self, forKey: .count)
  }
}
