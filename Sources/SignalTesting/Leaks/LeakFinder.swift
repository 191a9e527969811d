import SignalGraph
package import Signals

/// Decides which of a recorder's nodes and work have leaked. Everything that the recorder knows is supposed to be over.
package struct LeakFinder {
  let chains: Chains
  let pending: [PendingWork]
  /// Work that is reported with the task that waits for it.
  private let sleeps: [PendingWork]
  private let ignored: Set<String>
  /// Nodes that are not over, by the lowest node of their chain.
  let alive: [UInt64: [ChainNode]]

  package init(_ recorder: GraphRecorder, ignoring ignored: Set<String> = []) {
    // Work first: work that is done in the meantime may end nodes, but work that a node requests in the meantime
    // belongs to a node that is found.
    let work = recorder.pendingWork
    chains = Chains(recorder.chainNodes())
    let unfinished = work.filter { $0.running?.isOver?() != true }
    let tasks = Set(unfinished.filter { $0.running != nil }.map(\.identifier))
    // A sleep is reported with its task. The sleeping unstructured task is unknown.
    let isAnyUncontrolled = unfinished.contains { $0.running?.isOver != nil }
    sleeps = unfinished.filter {
      $0.isAnonymous && $0.running == nil && ($0.task.map(tasks.contains) ?? false || isAnyUncontrolled)
    }
    let folded = Set(sleeps.map(\.identifier))
    pending = unfinished.filter { !folded.contains($0.identifier) }
    self.ignored = ignored
    var alive: [UInt64: [ChainNode]] = [:]
    for node in chains.nodes.values where !node.isSource && (node.isConnected || !node.isFreed) {
      alive[chains.root(of: node).id, default: []].append(node)
    }
    // There may be no node between a source and a connection to it.
    for node in chains.nodes.values where Self.isConnection(node, chains) { alive[node.id, default: []] += [] }
    self.alive = alive
  }

  /// Whether there is work that will end by itself.
  ///
  /// - Parameter names: Names of chains whose cancelled tasks do not count: nobody asks whether they end.
  package func isWorkOnItsWay(exceptTasksOf names: Set<String>) -> Bool {
    pending.contains { work in
      guard let task = work.running else { return work.stage == .onItsWay }
      // It was cancelled, and ends on its own thread.
      return !task.isVirtual && isOfEndedChain(work) && !isOfChain(work, named: names)
    }
  }

  private func isOfChain(_ work: PendingWork, named names: Set<String>) -> Bool {
    guard let node = work.node.flatMap({ chains.nodes[$0] }) else { return false }
    return isNamed(chains.root(of: node), names)
  }

  /// Whether it is a task that was cancelled, and ends as soon as time is advanced.
  func isAboutToEnd(_ work: PendingWork) -> Bool {
    guard let task = work.running else { return false }
    return task.isVirtual && isOfEndedChain(work) && task.mayGoOn?() ?? true
  }

  /// Whether the work's operator has a subscription that is over.
  private func isOfEndedChain(_ work: PendingWork) -> Bool {
    work.node.map { !(chains.nodes[$0]?.isConnected ?? false) } ?? false
  }

  /// The leaks, equal ones counted together, in the order of creation.
  ///
  /// - Parameters:
  ///   - isOfInterest: Whether to check a chain, by its lowest node.
  ///   - isWorkOfInterest: Whether to check work that belongs to no chain.
  package func leaks(
    where isOfInterest: (ChainNode) -> Bool = { _ in true },
    work isWorkOfInterest: (PendingWork) -> Bool = { _ in true }
  ) -> [Leak] {
    var leaks: [(identifier: UInt64, leak: Leak)] = []
    var explained: Set<UInt64> = []
    for (identifier, members) in alive {
      guard let root = chains.nodes[identifier], isOfInterest(root) else { continue }
      if isIgnored(root) {
        explained.insert(identifier)
      } else if let leak = leak(root, members) {
        leaks.append((identifier, leak))
        if leak.kind != .stillRetained { explained.insert(identifier) }
      }
    }
    for work in pending {
      let node = work.node.flatMap { chains.nodes[$0] }
      guard node.map({ isOfInterest(chains.root(of: $0)) }) ?? isWorkOfInterest(work) else { continue }
      if let root = node.map({ chains.root(of: $0) }), explained.contains(root.id) || isIgnored(root) { continue }
      if isOver(work, of: node) { continue }
      if let task = work.running {
        leaks.append((work.identifier, leak(task, work, of: node)))
        continue
      }
      leaks.append((work.identifier, leak(work, of: node)))
    }
    return Self.counted(leaks.sorted { $0.identifier < $1.identifier }.map(\.leak))
  }

  /// Whether it does nothing any more: a value that was pending when its subscription was disposed, as a hop cannot be
  /// cancelled; or a cancelled task.
  func isOver(_ work: PendingWork, of node: ChainNode?) -> Bool {
    if work.stage == .queued, let node, !node.isConnected { return true }
    return isAboutToEnd(work)
  }

  /// The leaked subscriptions, by their messages.
  var neverDisposed: [Leak: [ChainNode]] {
    var found: [Leak: [ChainNode]] = [:]
    for (identifier, members) in alive {
      guard let root = chains.nodes[identifier], !isIgnored(root) else { continue }
      if let leak = leak(root, members), leak.kind == .neverDisposed { found[leak, default: []].append(root) }
    }
    return found
  }

  /// The names in chains that have leaked.
  func names() -> Set<String> {
    var names: Set<String> = []
    for (identifier, members) in alive {
      guard let root = chains.nodes[identifier], leak(root, members) != nil else { continue }
      names.formUnion(chains.all(from: root).compactMap(\.name))
    }
    for work in pending {
      guard let node = work.node.flatMap({ chains.nodes[$0] }), !isOver(work, of: node) else { continue }
      names.formUnion(chains.all(from: chains.root(of: node)).compactMap(\.name))
    }
    return names
  }

  /// The nodes that are not over.
  package var leakedNodes: Set<UInt64> { Set(leakedRoots.flatMap { alive[$0.id] ?? [] }.map(\.id)) }

  /// The nodes of all chains that are not over.
  package var leakedChains: Set<UInt64> { Set(leakedRoots.flatMap { chains.all(from: $0) }.map(\.id)) }

  private var leakedRoots: [ChainNode] { alive.keys.compactMap { chains.nodes[$0] }.filter { !isIgnored($0) } }

  private func leak(_ root: ChainNode, _ members: [ChainNode]) -> Leak? {
    let isUpstreamConnected = members.contains { $0.isConnected }
    switch (root.isConnected || root.isSource && root.state == .live, root.state) {
    case (true, .live):
      if Self.isConnection(root, chains) { return connection(root) }
      // A shared source has an upstream as long as it has subscribers, and those are separate subscriptions.
      return root.isSource ? retained(root, members) : neverDisposed(root)
    case _ where isUpstreamConnected: return upstreamStillSubscribed(root, members)
    default: return retained(root, members)
    }
  }

  private func neverDisposed(_ root: ChainNode) -> Leak {
    var details = facts(root)
    for work in pending where work.node.flatMap({ chains.nodes[$0] }).map({ chains.root(of: $0).id }) == root.id {
      let state = work.running == nil ? "waits in a scheduler" : "is a task that has not finished"
      if let site = work.site { details.append("work of \(site.kind) \(Chains.place(site)) \(state)") }
    }
    if root.recordedSubscription?.isReadByTask == true { return read(root, details) }
    if root.site.isReported {
      return Leak(
        kind: .stillReported, site: root.site, chain: chains.text(from: root, where: Self.isNotOver), details: details,
        advice: "To do: end it: leave its loop, cancel its task, or release its GraphReporter.")
    }
    return Leak(
      kind: .neverDisposed, site: root.site, chain: chains.text(from: root, where: Self.isNotOver), details: details,
      advice:
        "To do: dispose the subscription, or find what retains it: a bag, a property, a cycle through its closure, or retained().",
      trace: root.trace as? CreationTrace)
  }

  /// Whether a node is a connected connectable signal without subscribers.
  private static func isConnection(_ node: ChainNode, _ chains: Chains) -> Bool {
    node.isSource && node.isConnected && node.state == .live && node.site.behavior.contains(.waitsForConnection)
      && chains.root(of: node).id == node.id
  }

  /// A connection without subscribers.
  private func connection(_ root: ChainNode) -> Leak {
    Leak(
      kind: .neverDisposed, site: root.site, chain: chains.text(from: root, where: Self.isNotOver),
      details: facts(root) + ["connect() has connected it, and it has no subscriber"],
      advice: "To do: dispose what connect() returned, or find what retains it: a bag, or a property.",
      trace: root.trace as? CreationTrace)
  }

  /// A subscription that a task reads.
  private func read(_ root: ChainNode, _ details: [String]) -> Leak {
    Leak(
      kind: .taskStillRunning, site: root.site, chain: chains.text(from: root, where: Self.isNotOver),
      details: details + ["a task reads the signal: a loop over values(), or firstValue()"],
      advice: "To do: cancel the task and await its end, leave the loop, or let the signal end.",
      trace: root.trace as? CreationTrace)
  }

  private func upstreamStillSubscribed(_ root: ChainNode, _ members: [ChainNode]) -> Leak {
    var details = facts(root)
    let ended = members.filter { $0.isConnected && $0.state != .live }
    let highest = ended.filter { node in !chains.above(node).contains { above in ended.contains { $0.id == above.id } }
    }
    details += highest.sorted { $0.id < $1.id }.map { "\(Chains.label($0)) has delivered its end" }
    return Leak(
      kind: .upstreamStillSubscribed, site: root.site, chain: chains.text(from: root, where: Self.isNotOver),
      details: details,
      advice:
        "To do: in an operator that terminates early, throw StopDelivery() after it has ended its downstream: this disposes its upstream.",
      trace: root.trace as? CreationTrace)
  }

  private func retained(_ root: ChainNode, _ members: [ChainNode]) -> Leak? {
    let held = members.filter { !$0.isFreed && !$0.isConnected }
    if held.isEmpty { return nil }
    let highest = held.filter { node in !chains.above(node).contains { above in held.contains { $0.id == above.id } } }
    return Leak(
      kind: .stillRetained, site: root.site, chain: chains.text(from: root) { _ in true },
      details: facts(root)
        + highest.sorted { $0.id < $1.id }.map { "something still retains the observer of \(Chains.label($0))" },
      advice:
        "To do: find what stores the observer or a closure that captures it, and release it when the subscription ends.",
      trace: root.trace as? CreationTrace)
  }

  private func leak(_ work: PendingWork, of node: ChainNode?) -> Leak {
    let chain =
      if let node {
        "work of " + chains.text(from: chains.root(of: node)) { _ in true }
      } else if let site = work.knownSite {
        "\(site.kind) \(Chains.place(site))"
      } else {
        "work at an unknown location (a sleep, a dispatch queue's or timer's, or a call without file and line)"
      }
    return Leak(
      kind: .workStillPending, site: work.knownSite, chain: chain,
      details: (node.map { ["scheduled by \(Chains.label($0))"] } ?? [])
        + function(of: work.site),
      advice: work.stage != .onItsWay
        ? work.knownSite == nil
          ? "To do: dispose the result of schedule(after:), cancel the work item, the timer or the sleeping task, or let its time pass."
          : "To do: dispose the result of schedule(after:), pass it to the producer's own(_:), or let its time pass."
        : "To do: wait for the work; where it needs the checking thread, use the async form of the check.",
      trace: work.trace as? CreationTrace)
  }

  private func leak(_ task: RunningTask, _ work: PendingWork, of node: ChainNode?) -> Leak {
    let trace = work.trace as? CreationTrace
    let isUnstructured = task.isOver != nil
    var details = function(of: work.site)
    let chain: String
    var advice =
      "To do: await the task, or cancel it; under virtual time, let time pass until it has finished."
    if work.node != nil {
      chain =
        "task of "
        + (node.map { chains.text(from: chains.root(of: $0)) { _ in true } }
          ?? work.site.map { "\($0.kind) \(Chains.place($0))" } ?? "an operator")
      if let node { details.insert("started by \(Chains.label(node))", at: 0) }
      details.append("it was cancelled when its subscription ended, and has not finished since")
      advice =
        "To do: make the closure respond to cancellation: Task.checkCancellation(), or withTaskCancellationHandler where it waits for a continuation."
    } else if isUnstructured {
      let start = trace?.place ?? task.startedAt?()
      chain = "Task { }" + (start.map { " \($0)" } ?? " at an unknown location")
      if let starter = pending.first(where: { $0.identifier == work.task })?.site {
        details.append("started by \(starter.kind) \(Chains.place(starter))")
      }
      if start == nil { details.append("with SIGNALS_TRACE_CREATION=1 the check reports where tasks are started") }
    } else {
      chain = work.site.map { "\($0.kind) \(Chains.place($0))" } ?? "a task"
    }
    if sleeps.contains(where: { $0.task == work.identifier && $0.stage == .waiting }) {
      details.append("it sleeps in virtual time")
    }
    return Leak(
      kind: .taskStillRunning, site: work.site, chain: chain, details: details, advice: advice,
      trace: trace)
  }

  private func function(of site: Site?) -> [String] {
    site.flatMap { $0.function.isEmpty ? nil : ["in \($0.function)"] } ?? []
  }

  private func facts(_ root: ChainNode) -> [String] {
    [
      (Chains.isExpectation(root) ? "in a marble test" : "in \(root.site.function)")
        + (root.owner.map { ", belongs to \($0)" } ?? "")
    ]
  }

  static func isNotOver(_ node: ChainNode) -> Bool {
    node.isSource || node.isConnected || !node.isFreed
  }

  /// Whether a chain has an ignored name.
  func isIgnored(_ root: ChainNode) -> Bool { isNamed(root, ignored) }

  private func isNamed(_ root: ChainNode, _ names: Set<String>) -> Bool {
    !names.isEmpty && chains.all(from: root).contains { $0.name.map(names.contains) ?? false }
  }

  private static func counted(_ leaks: [Leak]) -> [Leak] {
    var indices: [Leak: Int] = [:]
    var result: [Leak] = []
    for leak in leaks {
      if let index = indices[leak] {
        result[index].count += 1
      } else {
        indices[leak] = result.count
        result.append(leak)
      }
    }
    return result
  }
}

extension PendingWork {
  /// The location of the request; nil also if it is that of a test's own task, which has no file.
  var knownSite: Site? { site.flatMap { $0.fileID.isEmpty ? nil : $0 } }
}
