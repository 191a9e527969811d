/// The members of a recorder, and their connections.
struct MemberGraph {
  /// A chain and the source that it was connected to when the graph was created: read once, as it may be connected to
  /// one at any time.
  struct Member {
    let chain: ChainRecord
    let source: SourceNode?
  }

  private(set) var chains: [Member] = []
  private(set) var sources: [SourceNode] = []
  /// Sources that deliver to an operator's further input without a node in between; operators that deliver to the
  /// sources that are their signals.
  private(set) var inputs: [UInt64: [UInt64]] = [:]
  /// The numbers of an operator's connected inputs without a node, also of those from sources of other recorders.
  private(set) var bareInputCounts: [UInt64: Int] = [:]
  /// Addresses of chains and sources.
  private var known: Set<UInt> = []

  /// - Parameters:
  ///   - chains: Chains that the caller retains. They retain their downstream.
  ///   - reachingDown: Whether to add chains that are no longer retained, if a retained one delivers to them.
  init(_ chains: [ChainRecord], _ sources: [SourceNode], reachingDown: Bool) {
    var queue = chains
    known.reserveCapacity(chains.count + sources.count)
    self.chains.reserveCapacity(chains.count)
    for chain in queue { known.insert(chain.address) }
    for source in sources { add(source) }
    defer { addUpstreams() }
    var index = 0
    while index < queue.count {
      let member = Member(chain: queue[index], source: queue[index].source)
      index += 1
      self.chains.append(member)
      let downstream = member.chain.downstream
      if member.chain.topIdentifier == nil, member.chain.isConnected, let downstream {
        bareInputCounts[downstream.identifier, default: 0] += 1
      }
      if reachingDown { add(downstream, &queue) }
      // Sources from before belong to another recorder.
      guard let source = member.source else { continue }
      add(source)
      if member.chain.topIdentifier == nil, let downstream {
        inputs[downstream.identifier, default: []].append(source.identifier)
      }
    }
  }

  private static func address(_ source: SourceNode) -> UInt {
    UInt(bitPattern: Unmanaged.passUnretained(source).toOpaque())
  }

  private mutating func add(_ source: SourceNode) {
    if known.insert(Self.address(source)).inserted { sources.append(source) }
  }

  private mutating func add(_ downstream: ChainDownstream?, _ queue: inout [ChainRecord]) {
    switch downstream?.target {
    case .node(let place): if known.insert(place.record.address).inserted { queue.append(place.record) }
    case .source(let source): add(source)
    case nil: break
    }
  }

  private mutating func addUpstreams() {
    for source in sources {
      if let upstream = source.upstream { inputs[source.identifier, default: []].append(upstream.identifier) }
    }
  }

  /// The operator's node that a source's values come from, if there is one and it is among the members.
  func upstream(of source: SourceNode) -> UInt64? {
    source.upstream.flatMap { known.contains($0.record.address) ? $0.identifier : nil }
  }

  /// Whether the downstream of a chain is among the members.
  func shows(_ downstream: ChainDownstream?) -> Bool {
    switch downstream?.target {
    case .node(let place): known.contains(place.record.address)
    case .source(let source): known.contains(Self.address(source))
    case nil: false
    }
  }
}
