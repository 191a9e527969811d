public import SignalGraph

extension Signal {
  /// Adds a node for this signal's operator below which `observer` stands, and puts the node's counter in front of the observer.
  @usableFromInline
  func traced(_ observer: Observer<Value>, _ subscription: Subscription) -> Observer<Value> {
    guard let trace = observer.trace, site.kindText != nil else { return observer }
    let node = trace.recorder.makeNode(
      site, name: trace.name, downstream: trace.node, kind: trace.kind, lifetime: subscription.trace?.lifetime)
    subscription.trace?.add(node)
    let token = NodeToken(node)
    return Observer(
      receive: { value in
        token.node.passed()
        try observer.receive(value)
      },
      end: { completion in
        token.node.ended(completion)
        observer.end(completion)
      },
      trace: TraceContext(node: node))
  }
}

extension Observer {
  /// The same observer at the end of a subscription's chain, with a node of its own when the graph is on.
  @usableFromInline
  func tracedAsSubscriber(
    _ site: Site, owner: WeakOwner?, recorder: GraphRecorder?, _ subscription: Subscription
  ) -> Observer<Value> {
    guard let recorder = GraphRecorder.innermost(or: recorder) else { return self }
    let trace = SubscriptionTrace()
    let owner = owner.map(NodeOwner.object) ?? GraphScope.current.map(NodeOwner.scope)
    let node = recorder.makeNode(site, name: nil, downstream: nil, kind: .data, owner: owner, lifetime: trace.lifetime)
    trace.add(node)
    subscription.trace = trace
    let token = NodeToken(node)
    return Observer(
      receive: { value in
        token.node.passed()
        try receive(value)
      },
      end: { completion in
        token.node.ended(completion)
        end(completion)
      },
      trace: TraceContext(node: node))
  }

  /// The observer of an operator's further input, whose connection is of another kind.
  @inlinable
  func reached(by kind: Edge.Kind) -> Observer<Value> {
    Observer(receive: receive, end: end, trace: trace?.with(kind: kind))
  }
}
