import DequeModule
import Signals
import Synchronization

/// The links of a simulated network.
public struct NetworkConditions: Sendable {
  /// How long a message takes.
  public var latency: ClosedRange<Duration>
  /// How often a message is lost, from 0 to 1.
  public var loss: Double
  /// How often a message arrives twice, from 0 to 1.
  public var duplication: Double
  /// Whether messages from one node to another arrive in the order in which they were sent.
  public var isOrdered: Bool

  /// Creates conditions; without arguments those of a connection that works, with a latency of 1 to 10 ms.
  ///
  /// - Parameters:
  ///   - latency: How long a message takes. Negative durations count as zero.
  ///   - loss: How often a message is lost, from 0 to 1.
  ///   - duplication: How often a message arrives twice, from 0 to 1.
  ///   - isOrdered: Whether messages from one node to another arrive in the order in which they were sent.
  public init(
    latency: ClosedRange<Duration> = .milliseconds(1) ... .milliseconds(10), loss: Double = 0,
    duplication: Double = 0, isOrdered: Bool = true
  ) {
    self.latency = latency
    self.loss = loss
    self.duplication = duplication
    self.isOrdered = isOrdered
  }
}

/// Messages between named nodes in virtual time: with latency, loss, duplication, reordering, and links that are cut and
/// heal. The seed of the simulation decides all of it.
///
/// ```swift
/// @Test func asksAgain() {
///   simulate { simulation in
///     let network = SimulatedNetwork<String>(
///       simulation, nodes: ["client", "server"], conditions: NetworkConditions(loss: 0.3))
///     network.receive(at: "server") { message, client in network.send("re: \(message)", from: "server", to: client) }
///     let replies = network.messages(to: "client")
///     let asking = Task {
///       while !Task.isCancelled {
///         network.send("hello", from: "client", to: "server")
///         try await Task.sleep(for: .milliseconds(50))
///       }
///     }
///     let reply = await replies.first { _ in true }
///     asking.cancel()
///     #expect(reply?.message == "re: hello")
///   }
/// }
/// ```
///
/// Code under test needs no import: give it closures that send, and a sequence or a handler for what arrives. What a link
/// does with its *n*-th message depends only on the seed, so that it does the same in another order of work.
///
/// A message is lost if its link is cut when it is sent, when it arrives, or between. A message to a node that nobody receives
/// at is lost as well. A node may send to itself: such messages take time, and are not lost.
public final class SimulatedNetwork<Message: Sendable>: Sendable {
  /// A message that has arrived.
  public struct Delivery: Sendable {
    /// The message.
    public let message: Message
    /// The node that sent it.
    public let sender: String
  }

  private struct Link: Hashable, Sendable {
    var sender: String
    var receiver: String
  }

  private struct LinkState: Sendable {
    var sentCount: UInt64 = 0
    /// Whether the scenario has cut it.
    var isCutOff = false
    /// Whether a disturbance has.
    var isDisturbed = false
    /// The number of times that it was cut.
    var cutCount = 0

    var isCut: Bool { isCutOff || isDisturbed }
    /// The time of the latest arrival, in nanoseconds.
    var lastArrival: Int64 = 0
    /// The messages under way that arrive in order: arrivals at the same instant may run in any order.
    var waiting: Deque<Transmission> = []
  }

  private struct Transmission: Sendable {
    var message: Message
    var cutCount: Int
    /// Its number in the log, and whether it repeats the one before.
    var entry: (number: Int, isRepeat: Bool)?
  }

  private struct State: Sendable {
    var conditions: NetworkConditions
    var links: [Link: LinkState] = [:]
    var receivers: [String: @Sendable (Message, String) -> Void] = [:]
    var random: SplitMix
  }

  /// The nodes.
  public let nodes: [String]

  private let simulation: Simulation
  /// Its position among the networks of the run, so that two do not lose the same messages.
  private let number: Int
  private let source: MarbleSource
  private let state: Mutex<State>

  /// Creates a network whose nodes all reach each other.
  ///
  /// - Parameters:
  ///   - simulation: The run.
  ///   - nodes: The names of the nodes, in the order of the rows of a failure.
  ///   - conditions: Those of all links.
  public init(
    _ simulation: Simulation, nodes: [String], conditions: NetworkConditions = NetworkConditions(),
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    self.simulation = simulation
    self.nodes = nodes
    number = simulation.addNetwork()
    source = MarbleSource(fileID: fileID, filePath: filePath, line: line, column: column)
    state = Mutex(
      State(
        conditions: conditions,
        random: SplitMix(seed: SplitMix.derived(from: simulation.seed, for: "\(number) disturbances"))))
    simulation.log?.addRows(nodes)
    // A handler may send on the network that calls it.
    simulation.atEnd { [weak self] in self?.close() }
  }

  /// The conditions of all links, for messages that are sent from now on.
  public var conditions: NetworkConditions {
    get { state.withLock { $0.conditions } }
    set { state.withLock { $0.conditions = newValue } }
  }

  private func close() {
    let before = state.withLock { state in
      defer { state.receivers = [:] }
      return state.receivers
    }
    withExtendedLifetime(before) {}
  }

  // MARK: Messages

  /// Sends a message.
  ///
  /// The test fails if there is no such node.
  public func send(_ message: Message, from sender: String, to receiver: String) {
    guard isKnown(sender), isKnown(receiver) else { return }
    let link = Link(sender: sender, receiver: receiver)
    let now = simulation.time.nanoseconds
    let (fate, delays, transmission, isOrdered) = state.withLock {
      state -> (MessageFate, [Int64], Transmission, Bool) in
      let conditions = state.conditions
      var record = state.links[link, default: LinkState()]
      defer { state.links[link] = record }
      record.sentCount += 1
      var random = SplitMix(
        seed: SplitMix.derived(
          from: simulation.seed &+ record.sentCount &* 0x9E37_79B9_7F4A_7C15, for: "\(number) \(sender)>\(receiver)"))
      let transmission = Transmission(message: message, cutCount: record.cutCount)
      if record.isCut { return (.cut, [], transmission, false) }
      let isLost = random.isBelow(conditions.loss) && sender != receiver
      let isTwice = random.isBelow(conditions.duplication)
      if isLost { return (.lost, [], transmission, false) }
      let delays = (0..<(isTwice ? 2 : 1)).map { _ -> Int64 in
        var arrival = now.addingSaturated(max(0, random.duration(in: conditions.latency).clampedNanoseconds))
        if conditions.isOrdered { arrival = max(arrival, record.lastArrival) }
        record.lastArrival = max(record.lastArrival, arrival)
        return arrival.subtractingSaturated(now)
      }
      return (.isSent, delays, transmission, conditions.isOrdered)
    }
    var numbered = transmission
    numbered.entry = simulation.log?.addMessage("\(message)", from: sender, to: receiver, fate, now)
    for delay in delays {
      let transmission = numbered
      if isOrdered { state.withLock { $0.links[link]?.waiting.append(transmission) } }
      _ = simulation.time.schedule(after: .nanoseconds(delay)) { [self] in
        arrive(isOrdered ? state.withLock { $0.links[link]?.waiting.popFirst() } : transmission, link)
      }
    }
  }

  private func arrive(_ transmission: Transmission?, _ link: Link) {
    guard let transmission else { return }
    let (receiver, isThere) = state.withLock { state in
      let record = state.links[link]
      return (state.receivers[link.receiver], record.map { !$0.isCut && $0.cutCount == transmission.cutCount } ?? true)
    }
    if let entry = transmission.entry {
      let fate: MessageFate = !isThere ? .cut : receiver == nil ? .nobodyReceives : .arrived
      simulation.log?.end(entry, fate, simulation.time.nanoseconds)
    }
    if isThere { receiver?(transmission.message, link.sender) }
  }

  /// Calls a handler for each message that arrives at a node, instead of the previous handler or sequence.
  ///
  /// - Parameters:
  ///   - node: The node.
  ///   - handler: Gets the message and the node that sent it, in a work item of its own.
  public func receive(at node: String, _ handler: @escaping @Sendable (_ message: Message, _ sender: String) -> Void) {
    guard isKnown(node) else { return }
    let before = state.withLock { $0.receivers.updateValue(handler, forKey: node) }
    withExtendedLifetime(before) {}
  }

  /// Stops receiving at a node: what arrives there is lost, as while it restarts.
  public func stopReceiving(at node: String) {
    guard isKnown(node) else { return }
    let before = state.withLock { $0.receivers.removeValue(forKey: node) }
    withExtendedLifetime(before) {}
  }

  /// The messages that arrive at a node from now on, instead of the previous handler or sequence. The sequence keeps those
  /// that nobody has read yet.
  public func messages(to node: String) -> AsyncStream<Delivery> {
    let (stream, continuation) = AsyncStream.makeStream(of: Delivery.self)
    receive(at: node) { continuation.yield(Delivery(message: $0, sender: $1)) }
    return stream
  }

  private func isKnown(_ node: String) -> Bool {
    if nodes.contains(node) { return true }
    report("The network has no node \"\(node)\", only \(nodes.joined(separator: ", ")).", at: source)
    return false
  }

  // MARK: Cuts

  /// Cuts the link between two nodes, in both directions.
  public func cut(_ first: String, from second: String) {
    guard isKnown(first), isKnown(second) else { return }
    cut([first], from: [second])
  }

  /// Cuts every link between a group of nodes and the others.
  public func isolate(_ group: String...) { isolate(group) }

  private func isolate(_ group: [String], asDisturbance isDisturbance: Bool = false) {
    guard group.allSatisfy(isKnown) else { return }
    cut(group, from: nodes.filter { !group.contains($0) }, asDisturbance: isDisturbance)
  }

  private func cut(_ group: [String], from others: [String], asDisturbance isDisturbance: Bool = false) {
    simulation.log?.add(
      "cut: \(group.joined(separator: ", ")) | \(others.joined(separator: ", "))", at: SimulationLog.networkRow,
      simulation.time.nanoseconds)
    state.withLock { state in
      for node in group {
        for other in others where other != node {
          for link in [Link(sender: node, receiver: other), Link(sender: other, receiver: node)] {
            var record = state.links[link, default: LinkState()]
            if isDisturbance { record.isDisturbed = true } else { record.isCutOff = true }
            record.cutCount += 1
            state.links[link] = record
          }
        }
      }
    }
  }

  /// Restores every link.
  public func heal() { heal(onlyDisturbed: false) }

  private func heal(onlyDisturbed: Bool) {
    let (wasCut, isCut) = state.withLock { state in
      let cut = state.links.filter { onlyDisturbed ? $0.value.isDisturbed : $0.value.isCut }.keys
      for link in cut {
        state.links[link]?.isDisturbed = false
        if !onlyDisturbed { state.links[link]?.isCutOff = false }
      }
      return (!cut.isEmpty, state.links.values.contains(where: \.isCut))
    }
    guard wasCut else { return }
    simulation.log?.add(
      isCut ? "the disturbed links heal" : "all links heal", at: SimulationLog.networkRow, simulation.time.nanoseconds)
  }

  /// Cuts links and heals them again, at times that the seed picks: a single link, or all links of one node. At the end they
  /// heal; links that the scenario has cut itself stay cut.
  ///
  /// - Parameters:
  ///   - duration: The time from now on until the end.
  ///   - pauses: The time between one change and the next; at least a millisecond.
  public func disturb(
    for duration: Duration, pauses: ClosedRange<Duration> = .milliseconds(20) ... .milliseconds(500)
  ) {
    disturb(until: simulation.time.now.advanced(by: duration), pauses, isCut: false)
  }

  private func disturb(until end: SchedulerInstant, _ pauses: ClosedRange<Duration>, isCut: Bool) {
    let pause = max(.milliseconds(1), state.withLock { $0.random.duration(in: pauses) })
    let next = simulation.time.now.advanced(by: pause)
    guard next < end, nodes.count > 1 else {
      _ = simulation.time.schedule(after: simulation.time.now.duration(to: end)) { [self] in heal(onlyDisturbed: true) }
      return
    }
    _ = simulation.time.schedule(after: pause) { [self] in
      if isCut { heal(onlyDisturbed: true) } else { cutSomething() }
      disturb(until: end, pauses, isCut: !isCut)
    }
  }

  private func cutSomething() {
    let (isNode, first, offset) = state.withLock { state in
      (state.random.isBelow(0.5), state.random.below(nodes.count), 1 + state.random.below(nodes.count - 1))
    }
    if isNode { return isolate([nodes[first]], asDisturbance: true) }
    cut([nodes[first]], from: [nodes[(first + offset) % nodes.count]], asDisturbance: true)
  }
}

/// What becomes of a message.
enum MessageFate: Sendable {
  case isSent
  case arrived
  case lost
  case cut
  case nobodyReceives
}
