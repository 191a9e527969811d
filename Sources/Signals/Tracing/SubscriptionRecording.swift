import Synchronization

/// What the graph keeps of one subscription: nothing, while it is off.
///
/// It does not retain what is kept. Once the subscription is connected, only the thread that ended the subscription may use it, once, and the
/// subscription's handler while it is called; see ``ChainRecord``.
@usableFromInline
struct SubscriptionRecording: Sendable {
  #if SIGNALS_WITHOUT_GRAPH
    @inlinable var record: ChainRecord? { nil }

    @inlinable
    init(_ record: ChainRecord?) {}
  #else
    @usableFromInline let record: ChainRecord?

    @inlinable
    init(_ record: ChainRecord?) {
      self.record = record
    }
  #endif

  /// Of a subscription that is not recorded.
  @inlinable
  static var none: SubscriptionRecording { SubscriptionRecording(nil) }

  /// Whether anything is kept.
  @inlinable
  var isOn: Bool { record != nil }

  /// Gives the next node a name, unless an operator nearer to the subscriber has given it one, and says of which channel it is an end.
  @usableFromInline
  func nameNext(_ name: String, _ link: ChannelLink? = nil) {
    guard let record else { return }
    record.nameNext(name)
    if let link { record.linkNext(link) }
  }

  /// Notes that the chain is connected.
  @inlinable
  func connected() {
    if isOn { noteConnected() }
  }

  @usableFromInline
  func noteConnected() {
    record?.connected()
  }

  /// Notes that the subscription is over. Called once, by whoever ended it.
  @inlinable
  func ended(disposed: Bool) {
    if isOn { noteEnded(disposed: disposed) }
  }

  @usableFromInline
  func noteEnded(disposed: Bool) {
    record?.subscriptionEnded(disposed ? .disposed : .completed)
  }

  // Each of these is called once, in place of ``ended(disposed:)``.

  /// Notes that the subscription is over because the bag that held it was released.
  @usableFromInline
  func releasedWithBag() {
    record?.subscriptionEnded(.releasedWithBag)
  }

  /// Notes that the subscription is over because its last reference was released.
  func released() {
    record?.subscriptionEnded(.released)
  }

  /// Notes that the subscription is over because its owner is deallocated.
  @usableFromInline
  func ownerGone() {
    record?.subscriptionEnded(.ownerGone)
  }

  /// Notes that the subscription is over because the actor on which its values are delivered is deallocated.
  func actorGone() {
    record?.subscriptionEnded(.actorGone)
  }

  /// Notes that a value came which is not handled, because the owner is deallocated. Only inside the call of the subscription's handler: the
  /// closure that calls the handler keeps the tap of the subscriber's node, and a tap holds the record.
  func unheard() {
    record?.noteUnheard()
  }
}

/// The object that a subscription ends with, as the graph knows it.
@usableFromInline
struct SubscriptionOwner: Sendable {
  let owner: NodeOwner
  /// The node of the owner, if that is a source into which each value is written.
  let target: SourceNode?

  /// - Parameters:
  ///   - object: Kept by the caller.
  ///   - bond: What ends the subscription with the object; it knows whether each value is written into that.
  @usableFromInline
  init(_ object: AnyObject, _ bond: OwnerBond? = nil) {
    owner = NodeOwner(object)
    target =
      bond?.isBinding == true ? ((object as? any BindingTarget)?.source as? any BoundSource)?.makeGraphNode() : nil
  }

  /// Those of bags that were found when the graph was read last: so they are the same when it is read again.
  private static let known = Mutex<[SubscriptionOwner]>([])

  /// Lets the bags of the process tell what is in them, when the graph is read.
  static func askingBags(_ bags: @escaping @Sendable () -> [(bag: DisposeBag, owner: AnyObject)]) {
    GraphRecorder.askingBags {
      var owners: [UInt: NodeOwner] = [:]
      var found: [SubscriptionOwner] = []
      for (bag, object) in bags() {
        let owner = SubscriptionOwner(object)
        found.append(owner)
        for case let subscription as Subscription in bag.items where !subscription.isDisposed {
          if let record = subscription.recording.record { owners[record.address] = owner.owner }
        }
      }
      known.withLock { swap(&$0, &found) }
      return owners
    }
  }
}

extension Subscription {
  // Each of these is followed by `recording.connected()`.

  /// Lets the chain of this subscription be recorded, when there is somebody to do it.
  ///
  /// - Parameter room: For the nodes that are known of beforehand.
  @usableFromInline
  func beginRecording(owner: SubscriptionOwner?, _ recorder: Recorder, room: ChainRoom) {
    recording = SubscriptionRecording(
      ChainRecord.begin(inheriting: recorder.recorder, owner: owner?.owner, writingTo: owner?.target, room: room))
    if let record = recording.record, record.findsSubscription { record.noteSubscription { [weak self] in self } }
  }

  /// Lets the chain of this subscription, an operator's input, be recorded where the operator is.
  @inlinable
  func beginRecording<Input>(_ signal: Signal<Input>, as role: InputRole, of node: OperatorNode) {
    if node.isRecorded { beginRecording(below: node, as: role, room: signal.chainRoom) }
  }

  @usableFromInline
  func beginRecording(below node: OperatorNode, as role: InputRole, room: ChainRoom) {
    guard let reference = node.reference else { return }
    recording = SubscriptionRecording(ChainRecord.begin(below: reference, as: role.edgeKind, room: room))
  }

  /// Lets the chain of this subscription, from which all subscribers of a source get their values, be recorded where the source is.
  func beginRecording<Value>(_ signal: Signal<Value>, below source: borrowing SourceRecording) {
    guard let node = source.graphNode else { return }
    recording = SubscriptionRecording(ChainRecord.begin(below: node, room: signal.chainRoom))
  }
}
