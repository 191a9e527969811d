extension Signal {
  // How sources and operators create signals. Recording is attached here and where they are connected.

  /// Creates a signal without an upstream.
  @inlinable
  init(_ site: Site, attach: @escaping @Sendable (consuming Observer<Value>, Subscription) -> Void) {
    self.init(site, .current, .chain(attach))
  }

  /// Creates a signal of one value.
  @inlinable
  init(_ site: Site, just value: Value) {
    self.init(site, .current, .just(value))
  }

  /// Creates a signal from another one.
  @inlinable
  init<Input>(
    _ site: Site, derivedFrom input: Signal<Input>,
    attach: @escaping @Sendable (consuming Observer<Value>, Subscription) -> Void
  ) {
    self.init(site, input.recorder, .chain(attach))
  }

  /// Creates a signal from several others.
  @inlinable
  init<Input>(
    _ site: Site, derivedFrom inputs: [Signal<Input>],
    attach: @escaping @Sendable (consuming Observer<Value>, Subscription) -> Void
  ) {
    self.init(site, .first(of: inputs), .chain(attach))
  }

  /// Creates a signal from several others, which may be of different types.
  @inlinable
  init(
    _ site: Site, derivedFrom inputs: JoinedInputs,
    attach: @escaping @Sendable (consuming Observer<Value>, Subscription) -> Void
  ) {
    self.init(site, inputs.recorder, .chain(attach))
  }

  /// Creates a signal from two others.
  @inlinable
  init<First, Second>(
    _ site: Site, derivedFrom first: Signal<First>, _ second: Signal<Second>,
    attach: @escaping @Sendable (consuming Observer<Value>, Subscription) -> Void
  ) {
    self.init(site, first.recorder.or(second.recorder), .chain(attach))
  }

  /// Creates the same signal as another one, shown as an operator of this name and location: for an operator that is
  /// another one with fixed arguments.
  @inlinable
  init(_ site: Site, sameAs other: Signal<Value>) {
    self.init(site, other.recorder, other.storage)
  }

  /// Creates a signal that represents several others.
  @inlinable
  init(_ site: Site, parts: SignalParts<Value>) {
    self.init(site, .first(of: parts.signals), .parts(parts))
  }

  /// Creates a signal from another one and a fused run of stages.
  @inlinable
  init<Input>(_ site: Site, derivedFrom input: Signal<Input>, stages: StageRun<Value>) {
    self.init(site, input.recorder, .stages(stages))
  }
}
