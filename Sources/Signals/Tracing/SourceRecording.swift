/// What the graph keeps of a source that many may subscribe to, such as an emitter: one node for all of them, once there is one of them.
@usableFromInline
struct SourceRecording: ~Copyable, Sendable {
  /// Where the source counts its values.
  typealias Counters = SourceNode.Counters

  private let site: Site
  @usableFromInline let recorder: Recorder
  private let node = OnceReference<SourceNode>()

  /// Of a source that is made here and now.
  @usableFromInline
  init(_ site: Site) {
    self.site = site
    recorder = .current
  }

  var hasNode: Bool { node.isSet }

  /// The node, once there is one.
  var graphNode: SourceNode? { node.load() }

  /// Notes that a subscription, which is recorded, has reached the source.
  func connect(_ subscription: SubscriptionRecording) {
    subscription.record?.connect(to: node)
  }

  /// Makes the node.
  ///
  /// - Parameters:
  ///   - subscription: The first that is recorded.
  ///   - counters: They are read until ``disposed()`` is called.
  ///   - completion: Reads the end that the source has come to.
  func makeNode(
    for subscription: SubscriptionRecording, _ counters: Counters, completion: () -> Completion?
  ) {
    guard let chain = subscription.record, let recorder = recorder.recorder ?? chain.recorder else { return }
    let new = SourceNode(site, name: chain.takeNextName(), recorder: recorder, counters)
    guard node.storeIfNil(new) === new else { return }
    recorder.begin(new)
    // Whoever ended the source before this has found no node to tell of it.
    if let completion = completion() { new.ended(completion) }
  }

  /// Notes the end.
  func ended(_ completion: Completion) {
    node.load()?.ended(completion)
  }

  /// Notes that the source is going away.
  func disposed() {
    node.load()?.disposed()
  }
}
