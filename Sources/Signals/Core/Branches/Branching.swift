public import Synchronization

/// One subscription of an operator that divides its upstream's values into signals, its branches.
///
/// The downstream belongs to a junction; the ``BranchKeeper`` retains the upstream, as branches may outlive the former.
/// The operator runs where its values come from, one work item at a time (law 3).
@usableFromInline
struct Branching<Value: Sendable, Output: Sendable>: Sendable {
  @usableFromInline let outer: Junction<Output>
  @usableFromInline let keeper: BranchKeeper
  @usableFromInline let site: Site
  @usableFromInline let recorder: Recorder

  /// - Parameters:
  ///   - site: The operator's site, which its branches have too.
  ///   - source: The operator's upstream.
  ///   - isDirect: Whether ``connect(_:_:)`` follows, and not ``junction(to:)``.
  @inlinable
  init<Input>(
    _ downstream: Observer<Output>, _ subscription: Subscription, _ site: Site, of source: Signal<Input>,
    isDirect: Bool = false
  ) {
    outer = Junction(downstream, subscription)
    keeper = BranchKeeper(for: subscription)
    self.site = site
    recorder = source.recorder
    // Before other code has it.
    if isDirect { keeper.upstream.beginRecording(source, as: .values, of: outer.node) }
    outer.adopt(keeper, as: outer.reserveKey())
  }

  /// Connects upstream.
  @inlinable
  func connect(_ source: Signal<Value>, _ observer: consuming Observer<Value>) {
    let upstream = keeper.upstream
    defer { upstream.recording.connected() }
    if !isOver { source.connect(observer, upstream) }
  }

  /// For operators with several inputs, or with a queue, before the branches.
  @inlinable
  func junction<Step: Sendable>(to observer: Observer<Step>) -> Junction<Step> {
    Junction(observer, keeper.upstream, node: outer.node)
  }

  /// Whether no subscriber is left. Code that delivers several events checks it in between.
  @inlinable var isOver: Bool { keeper.isOver.load(ordering: .acquiring) }

  /// Whether further branches are taken.
  @inlinable var takesBranches: Bool { !outer.isClosed.load(ordering: .acquiring) }

  /// Creates a branch.
  @inlinable
  func makeBranch() -> BranchCore<Value> {
    BranchCore(of: self)
  }

  /// Delivers a branch to the operator's subscriber.
  @inlinable
  func deliver(_ output: Output) {
    if outer.enter() {
      outer.attempt { try outer.emit(output) }
      outer.leave()
    } else {
      let outer = outer
      outer.perform { outer.attempt { try outer.emit(output) } }
    }
  }

  /// Throws, to stop upstream, if no subscriber is left.
  @inlinable
  func checkIsTaken() throws {
    if keeper.isOver.load(ordering: .relaxed) { throw StopDelivery() }
  }

  /// Ends the operator; its branches have to be closed before.
  @usableFromInline
  func end(_ completion: Completion) {
    let outer = outer
    outer.perform { outer.end(completion) }
  }
}
