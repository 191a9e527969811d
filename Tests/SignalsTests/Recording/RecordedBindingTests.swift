import SignalGraph
import Signals
import Testing

/// What the live graph says of bindings.
@Suite("Bindings in the live graph")
struct RecordedBindingTests {
  private enum Target: CaseIterable {
    case property, optionalProperty, emitter
  }

  /// A binding is a link to the source that it writes into, also while nobody traces handlers or reads that source; a handler is not.
  @Test(arguments: Target.allCases, [false, true])
  private func aBindingIsALink(to target: Target, isTraced: Bool) throws {
    let recorder = GraphRecorder()
    let (source, property, optional, emitter) = recorder.record {
      (Emitter<Int>(), Property(0), Property<Int?>(nil), Emitter<Int>())
    }
    if isTraced { recorder.traceHandlers(true) }
    let subscriptions = recorder.record {
      let binding =
        switch target {
        case .property: source.signal.map { $0 + 1 }.bind(to: property)
        case .optionalProperty: source.signal.map { $0 + 1 }.bind(to: optional)
        case .emitter: source.signal.map { $0 + 1 }.bind(to: emitter)
        }
      return [binding, source.signal.subscribe(with: property) { _, _ in }]
    }
    for value in 1...3 { source.send(value) }
    let snapshot = recorder.snapshot()
    let links = snapshot.edges.filter { $0.kind == .feedback }
    #expect(links.map(\.count) == [3])
    let link = try #require(links.first)
    let kinds = Dictionary(uniqueKeysWithValues: snapshot.definitions.map { ($0.id, $0.kind) })
    let nodes = Dictionary(uniqueKeysWithValues: snapshot.nodes.map { ($0.id, $0) })
    #expect(nodes[link.source].flatMap { kinds[$0.definition] } == "subscribe")
    #expect(nodes[link.target].flatMap { kinds[$0.definition] } == (target == .emitter ? "emitter" : "property"))
    withExtendedLifetime((subscriptions, property, optional, emitter)) {}
  }
}
