extension Signal {
  // How sources and operators make signals. All that is recorded of them is attached here and where they are connected.

  /// Makes a signal that does not come from another one.
  @inlinable
  init(_ site: Site, attach: @escaping @Sendable (consuming Observer<Value>, Subscription) -> Void) {
    self.init(site, .current, .chain(attach))
  }

  /// Makes a signal of one value.
  @inlinable
  init(_ site: Site, just value: Value) {
    self.init(site, .current, .just(value))
  }

  /// Makes a signal of another one.
  @inlinable
  init<Input>(
    _ site: Site, derivedFrom input: Signal<Input>,
    attach: @escaping @Sendable (consuming Observer<Value>, Subscription) -> Void
  ) {
    self.init(site, input.recorder, .chain(attach))
  }

  /// Makes a signal of several others.
  @inlinable
  init<Input>(
    _ site: Site, derivedFrom inputs: [Signal<Input>],
    attach: @escaping @Sendable (consuming Observer<Value>, Subscription) -> Void
  ) {
    self.init(site, .first(of: inputs), .chain(attach))
  }

  /// Makes a signal of several others, which may be of different types.
  @inlinable
  init(
    _ site: Site, derivedFrom inputs: JoinedInputs,
    attach: @escaping @Sendable (consuming Observer<Value>, Subscription) -> Void
  ) {
    self.init(site, inputs.recorder, .chain(attach))
  }

  /// Makes a signal of two others.
  @inlinable
  init<First, Second>(
    _ site: Site, derivedFrom first: Signal<First>, _ second: Signal<Second>,
    attach: @escaping @Sendable (consuming Observer<Value>, Subscription) -> Void
  ) {
    self.init(site, first.recorder.or(second.recorder), .chain(attach))
  }

  /// Makes the same signal as another one, shown as an operator of this name and place: for an operator that is another one with fixed arguments.
  @inlinable
  init(_ site: Site, sameAs other: Signal<Value>) {
    self.init(site, other.recorder, other.storage)
  }

  /// Makes a signal that stands for several others.
  @inlinable
  init(_ site: Site, parts: SignalParts<Value>) {
    self.init(site, .first(of: parts.signals), .parts(parts))
  }

  /// Makes a signal of another one and a run of stages.
  @inlinable
  init<Input>(_ site: Site, derivedFrom input: Signal<Input>, stages: StageRun<Value>) {
    self.init(site, input.recorder, .stages(stages))
  }
}
