/// The read side: something that delivers values over time, and may end.
///
/// A signal is a value that describes a chain from a source to wherever it is subscribed. Nothing happens until then, and each subscription
/// makes its own chain. What every signal keeps to is written down as numbered laws in `CONTRIBUTING.md`; the ones that matter most
/// to a subscriber:
/// - `value* (failed | finished)?`, and nothing after the end;
/// - one call at a time, in the order in which the source sent;
/// - synchronous, unless an operator says that it hops to a scheduler;
/// - nothing more after the ``Subscription`` was disposed.
public struct Signal<Value: Sendable>: Sendable {
  /// How the signal is connected. One value and nothing else is told apart, so that operators that make signals of values need not connect it.
  @usableFromInline
  enum Storage: Sendable {
    case chain(@Sendable (consuming Observer<Value>, Subscription) -> Void)
    case just(Value)
    case emitter(EmitterCore<Value>)
    case stages(StageRun<Value>)
    case parts(SignalParts<Value>)
  }

  @usableFromInline let storage: Storage
  @usableFromInline let site: Site
  @usableFromInline let recorder: GraphRecorder?

  @inlinable
  init(
    site: Site, recorder: GraphRecorder?,
    attach: @escaping @Sendable (consuming Observer<Value>, Subscription) -> Void
  ) {
    self.storage = .chain(attach)
    self.site = site
    self.recorder = recorder
  }

  @inlinable
  init(site: Site, recorder: GraphRecorder?, stages: StageRun<Value>) {
    self.storage = .stages(stages)
    self.site = site
    self.recorder = recorder
  }

  @inlinable
  init(site: Site, recorder: GraphRecorder?, parts: SignalParts<Value>) {
    self.storage = .parts(parts)
    self.site = site
    self.recorder = recorder
  }

  @inlinable
  init(emitter core: EmitterCore<Value>) {
    self.storage = .emitter(core)
    self.site = .hidden
    self.recorder = core.recorder
  }

  @inlinable
  init(just value: Value, site: Site, recorder: GraphRecorder?) {
    self.storage = .just(value)
    self.site = site
    self.recorder = recorder
  }

  /// Connects an observer, without a node in the graph.
  @inlinable
  func attach(_ observer: consuming Observer<Value>, _ subscription: Subscription) {
    switch storage {
    case .chain(let attach): attach(observer, subscription)
    case .emitter(let core): core.add(observer, subscription)
    case .stages(let run): run.attach(observer, subscription)
    case .parts(let row): row.attach(observer, subscription)
    case .just(let value):
      do { try observer.receive(value) } catch {
        return subscription.end(observer, after: error)
      }
      subscription.end(observer, .finished)
    }
  }

  /// Connects an observer: the one choke point through which every operator and every subscription reaches what is above it.
  @inlinable
  func connect(_ observer: consuming Observer<Value>, _ subscription: Subscription) {
    #if !SIGNALS_WITHOUT_GRAPH
      if let record = subscription.trace { return attach(traced(observer, record), subscription) }
    #endif
    attach(observer, subscription)
  }
}

extension Signal {
  /// Makes an operator: something that turns an observer of `Output` into an observer of this signal's values.
  ///
  /// This is what the library's own operators are made with, and costs the same for any other. The closure runs once for each subscription;
  /// state that it makes belongs to that subscription. Values come one at a time. See ``Observer`` for what to do with errors and
  /// the end.
  ///
  /// ```swift
  /// extension Signal where Value: Numeric {
  ///   func doubled(
  ///     fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ///   ) -> Signal<Value> {
  ///     lift(Site("doubled", fileID, line, function)) { downstream in
  ///       Observer(for: downstream) { value in try downstream.receive(value * 2) }
  ///     }
  ///   }
  /// }
  /// ```
  @inlinable
  public func lift<Output>(
    _ site: Site, _ makeObserver: @escaping @Sendable (consuming Observer<Output>) -> Observer<Value>
  ) -> Signal<Output> {
    let upstream = self
    return Signal<Output>(site: site, recorder: recorder) { downstream, subscription in
      upstream.connect(makeObserver(downstream), subscription)
    }
  }
}
