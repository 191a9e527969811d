import DequeModule
import Foundation
public import SignalGraph
import Synchronization

extension GraphRecorder {
  /// What is kept: chains in the order in which they began, and sources.
  ///
  /// Only the two lists are copied under the lock: chains that begin or end meanwhile wait for that long.
  private func members() -> (chains: [ChainRecord], sources: [SourceNode]) {
    state.withLock { state in
      // Safe: a chain owns itself until it has taken itself out of the list, under this lock.
      var chains = state.chains.map { $0.takeUnretainedValue() }
      var sources = state.sources.map { $0 }
      for member in state.ended {
        switch member {
        case .chain(let record): chains.append(record)
        case .source(let source): sources.append(source)
        }
      }
      return (chains, sources)
    }
  }

  /// One node as it is now, while it is kept.
  ///
  /// - Complexity: O(*n*) in the number of chains.
  public func node(_ identifier: UInt64) -> (state: Node.State, valueCount: UInt64)? {
    let (chains, sources) = members()
    let source = sources.first { $0.identifier == identifier }?.reading
    let node = source ?? chains.lazy.compactMap { $0.reading(of: identifier) }.first
    return node.map { ($0.state, $0.valueCount) }
  }

  /// Work that schedulers have not done yet.
  package var pendingWork: [PendingWork] {
    state.withLock { $0.pendingWork.sorted { $0.key < $1.key }.map(\.value) }
  }

  /// Identifiers of the nodes whose closures are still in memory.
  public var retainedNodes: Set<UInt64> {
    var retained: Set<UInt64> = []
    for chain in members().chains {
      chain.forEachNode { if !$0.isFreed { retained.insert($0.identifier) } }
    }
    return retained
  }

  /// Every node that is kept, and those of other recorders that these are connected to.
  package func chainNodes() -> [ChainNode] {
    let graph = MemberGraph(members(), reachingDown: true)
    var nodes: [ChainNode] = []
    for chain in graph.chains {
      let source = chain.source?.identifier
      let top = chain.topIdentifier
      chain.forEachNode { node in
        var inputs = graph.inputs[node.identifier] ?? []
        if let source, node.identifier == top { inputs.append(source) }
        nodes.append(ChainNode(node, of: chain, inputs: inputs))
      }
    }
    nodes += graph.sources.map { ChainNode($0, inputs: graph.inputs[$0.identifier] ?? []) }
    return nodes.sorted { $0.id < $1.id }
  }

  /// The graph as it is now: live nodes, nodes that ended but are still in memory, and the latest ended ones.
  ///
  /// Senders are not stopped: only the list of chains is copied under a lock.
  ///
  /// - Complexity: O(*n*) in the number of nodes.
  public func snapshot() -> GraphSnapshot {
    let graph = MemberGraph(members(), reachingDown: false)
    var snapshot = GraphSnapshot(process: .current, takenAt: Date().timeIntervalSince1970)
    var definitions: [Site: Int] = [:]
    func definition(_ site: Site) -> Int {
      if let known = definitions[site] { return known }
      let new = number(of: site)
      definitions[site] = new
      return new
    }
    func add(_ node: NodeReading, _ owner: NodeOwner?) {
      snapshot.nodes.append(
        Node(
          id: node.identifier, definition: definition(node.site), name: node.name, state: node.state,
          valueCount: node.valueCount, owner: owner?.name, failure: node.failure,
          findings: node.state == .live && owner?.isOver == true ? [.leaked] : []))
    }
    for chain in graph.chains {
      let kind = chain.downstream?.kind ?? .data
      let isDownstreamShown = graph.isDownstreamShown(of: chain)
      var isLowest = true
      var below = isDownstreamShown ? chain.downstream?.identifier : nil
      chain.forEachNode { node in
        add(node, chain.owner)
        if let below {
          snapshot.edges.append(Edge(source: node.identifier, target: below, kind: isLowest ? kind : .data))
        }
        below = node.identifier
        isLowest = false
      }
      if let source = chain.source, let below {
        snapshot.edges.append(Edge(source: source.identifier, target: below, kind: isLowest ? kind : .data))
      }
    }
    for source in graph.sources { add(source.reading, nil) }
    snapshot.nodes.sort { $0.id < $1.id }
    let known = state.withLock { state in state.definitions.map { (site: $0.key, id: $0.value) } }
    snapshot.definitions = known.sorted { $0.id < $1.id }.map { site, id in
      Definition(id: id, kind: site.kind, fileID: site.fileID, line: site.line, function: site.function)
    }
    return snapshot
  }
}

extension GraphRecorder {
  /// The number of a definition; it stays the same.
  private func number(of site: Site) -> Int {
    state.withLock { state in
      let new = state.definitions.count + 1
      let number = state.definitions[site, default: new]
      if number == new { state.definitions[site] = new }
      return number
    }
  }
}

/// The members of a recorder, and what they are connected to.
private struct MemberGraph {
  private(set) var chains: [ChainRecord] = []
  private(set) var sources: [SourceNode] = []
  /// Sources that deliver to an operator's further input without any node between.
  private(set) var inputs: [UInt64: [UInt64]] = [:]
  private var known: Set<ObjectIdentifier> = []

  /// - Parameter reachingDown: Whether chains that are not kept any more are added, where one that is kept delivers to them.
  init(_ members: (chains: [ChainRecord], sources: [SourceNode]), reachingDown: Bool) {
    for chain in members.chains {
      known.insert(ObjectIdentifier(chain))
      chains.append(chain)
    }
    for source in members.sources { add(source) }
    var index = 0
    while index < chains.count {
      let chain = chains[index]
      index += 1
      if reachingDown { add(chain.downstream) }
      // Sources that were there before belong to another recorder.
      guard let source = chain.source else { continue }
      add(source)
      if chain.firstIdentifier == nil, let downstream = chain.downstream {
        inputs[downstream.identifier, default: []].append(source.identifier)
      }
    }
  }

  private mutating func add(_ source: SourceNode) {
    if known.insert(ObjectIdentifier(source)).inserted { sources.append(source) }
  }

  private mutating func add(_ downstream: ChainDownstream?) {
    switch downstream?.target {
    case .node(let place): if known.insert(ObjectIdentifier(place.record)).inserted { chains.append(place.record) }
    case .source(let source): add(source)
    case nil: break
    }
  }

  func isDownstreamShown(of chain: ChainRecord) -> Bool {
    switch chain.downstream?.target {
    case .node(let place): known.contains(ObjectIdentifier(place.record))
    case .source(let source): known.contains(ObjectIdentifier(source))
    case nil: false
    }
  }
}
