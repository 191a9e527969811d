extension Signal {
  /// Makes an operator that keeps no state: what a closure makes of each value, or nothing where it returns `nil`.
  ///
  /// ```swift
  /// extension Signal where Value == String {
  ///   /// Delivers the first word of each text that has any.
  ///   func firstWords(
  ///     fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ///   ) -> Signal<Substring> {
  ///     lift(Site("firstWords", fileID: fileID, line: line, function: function), stateless: { text in text.split(separator: " ").first })
  ///   }
  /// }
  /// ```
  ///
  /// Adjacent operators of this kind, `map` and `filter` among them, are joined: a subscription needs one closure for all of them, and a
  /// value passes through them in a loop. If the closure throws, the signal fails.
  ///
  /// - Parameters:
  ///   - site: What the operator is called in the graph, and the place of the call: hand on `fileID`, `line` and `function`.
  ///   - transform: Makes a new value of each value, or returns `nil` to leave it out.
  /// - Complexity: no heap allocation for a value.
  ///
  /// See also ``lift(_:state:_:)``.
  @inlinable
  public func lift<Output>(
    _ site: Site, stateless transform: @escaping @Sendable (Value) throws -> Output?
  ) -> Signal<Output> {
    stage(site) { buffer in
      guard let output = try transform(buffer.take(Value.self)) else { return false }
      return buffer.put(output)
    }
  }

  /// Makes an operator of a stage that takes a `Value` and puts an `Output`; see ``Stage``.
  @inlinable
  func stage<Output>(_ site: Site, _ stage: @escaping @Sendable (StageBuffer) throws -> Bool) -> Signal<Output> {
    if case .stages(let above) = storage, above.count < StageList.longest {
      return Signal<Output>(
        site, derivedFrom: self, stages: StageRun(above, to: Output.self, Stage(site, stage)))
    }
    let connect: @Sendable (consuming StageInput, Subscription) -> Void
    if case .emitter(let core) = storage {
      // The usual source; the closure needs no memory of its own.
      connect = { input, subscription in core.add(input, subscription) }
    } else {
      let upstream = self
      connect = { input, subscription in upstream.connectStages(input, subscription) }
    }
    return Signal<Output>(
      site, derivedFrom: self,
      stages: StageRun(from: Value.self, to: Output.self, Stage(site, stage), connect: connect))
  }

  /// Connects a run of stages below this signal.
  @inlinable
  func connectStages(_ input: consuming StageInput, _ subscription: Subscription) {
    switch storage {
    case .emitter(let core): core.add(input, subscription)
    case .stages(let run): run.attach(input, subscription)
    case .chain, .just, .parts:
      if let record = subscription.recording.record { return attach(recorded(input, record), subscription) }
      attach(input.observer(of: Value.self), subscription)
    }
  }
}
