extension Signal {
  /// Creates a stateless operator: the result of a closure for each value, or nothing if it returns `nil`.
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
  /// Adjacent stateless operators, `map` and `filter` among them, are fused: a subscription needs one closure for all
  /// of them, and a value passes through them in a loop. If the closure throws, the signal fails.
  ///
  /// - Parameters:
  ///   - site: The operator's name in the graph, and the call site: pass on `fileID`, `line` and `function`.
  ///   - transform: Computes a new value, or returns `nil` to drop the value.
  /// - Complexity: no heap allocation for a value of up to a kilobyte.
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

  /// Creates an operator from a stage that takes a `Value` and puts an `Output`; see ``Stage``.
  @inlinable
  func stage<Output>(_ site: Site, _ stage: @escaping @Sendable (StageBuffer) throws -> Bool) -> Signal<Output> {
    if case .stages(let above) = storage, above.count < StageList.longest {
      return Signal<Output>(
        site, derivedFrom: self, stages: StageRun(above, to: Output.self, Stage(site, stage)))
    }
    let connect: @Sendable (consuming StageInput, Subscription) -> Void
    if case .emitter(let core) = storage {
      // The usual source; the closure needs no memory.
      connect = { input, subscription in core.add(input, subscription) }
    } else {
      let upstream = self
      connect = { input, subscription in upstream.connectStages(input, subscription) }
    }
    return Signal<Output>(
      site, derivedFrom: self,
      stages: StageRun(from: Value.self, to: Output.self, Stage(site, stage), connect: connect))
  }

  /// Connects a fused run below this signal.
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
