/// The read side: something that delivers values over time, and may end.
///
/// ```swift
/// let bag = DisposeBag()
/// let celsius = Emitter<Double>()
/// let fahrenheit: Signal<Double> = celsius.signal.map { $0 * 9 / 5 + 32 }
/// fahrenheit.subscribe { print($0) }.store(in: bag)
/// celsius.send(20)
/// ```
///
/// A signal is a value that describes a chain from a source to its subscriber. Nothing happens until it is subscribed
/// to, and each subscription creates its own chain. Every signal obeys the numbered laws, see <doc:Laws>. The most
/// important ones for a subscriber:
/// - `value* (failed | finished)?`, and nothing after the end;
/// - one call at a time, in the order in which the source sent;
/// - synchronous, unless an operator is documented to hop to a scheduler;
/// - nothing more after the ``Subscription`` was disposed.
///
/// The operator pages show marble diagrams:
///
/// ```text
/// source             -a-b-c-|
///                    source.prefix(2)
/// result             -a-(b|)
/// source subscribed  ^--!
/// ```
///
/// A `-` is a millisecond in which nothing happens, a letter or a digit a value, `|` the end and `#` a failure, each of
/// which takes a millisecond too. `(b|)` denotes events at the same instant, `{a}` events inside subscribe; spaces mean
/// nothing. A source begins when it is subscribed to; `^` and `!` are the beginning and the end of a subscription.
/// These diagrams are run as tests.
public struct Signal<Value: Sendable>: Sendable {
  /// How the signal is connected. A signal of exactly one value is distinguished, so that `flatMap` can deliver its
  /// value without connecting it. `parts` are those of `merge`, `concat` or `prepend`, see ``SignalParts``.
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
  @usableFromInline let recorder: Recorder

  @inlinable
  init(_ site: Site, _ recorder: Recorder, _ storage: Storage) {
    self.storage = storage
    self.site = site
    self.recorder = recorder
  }

  @inlinable
  init(emitter core: EmitterCore<Value>) {
    // Hidden: the emitter has a node of its own, one for all subscribers.
    self.init(.hidden, core.recording.recorder, .emitter(core))
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

  /// Connects an observer, and adds this operator's node while the subscription is recorded. Operators connect their
  /// upstream through this function; fused operators, `prepend` and `startRecorded` add their nodes themselves.
  @inlinable
  func connect(_ observer: consuming Observer<Value>, _ subscription: Subscription) {
    if let record = subscription.recording.record { return attach(recorded(observer, record), subscription) }
    attach(observer, subscription)
  }
}

extension Signal {
  /// Connects an observer, and names the operator that this signal is created by, unless it has a name from downstream.
  ///
  /// - Parameter link: The end of a channel between programs, if the operator is one.
  func connect(
    _ observer: consuming Observer<Value>, _ subscription: Subscription, named name: String, link: ChannelLink? = nil
  ) {
    subscription.recording.nameNext(name, link)
    if subscription.tag?.name == nil { subscription.tag = NamedTag(name, subscription.tag) }
    connect(observer, subscription)
  }

  /// Creates an operator from an observer transformation: from an observer of `Output` to an observer of this signal's
  /// values.
  ///
  /// Prefer ``lift(_:state:_:)`` or ``lift(_:stateless:)`` where they suffice: they cost the same, and the compiler
  /// checks them. Here nothing is checked. The closure runs once for each subscription and gets the downstream
  /// observer. The observer that it creates has to ensure that:
  /// - the downstream observer is called by one thread at a time, only while the created observer is being called;
  /// - its `end` is called at most once, and nothing after it;
  /// - an error that its `receive` throws travels up, or is handled with ``Observer/deliver(_:)``.
  ///
  /// Calling the downstream observer from two threads at once, or later, corrupts memory.
  ///
  /// ```swift
  /// extension Signal where Value: Numeric {
  ///   func doubled(
  ///     fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ///   ) -> Signal<Value> {
  ///     unsafeLift(Site("doubled", fileID: fileID, line: line, function: function)) { downstream in
  ///       Observer(for: downstream) { value in try downstream.receive(value * 2) }
  ///     }
  ///   }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - site: The operator's name in the graph, and the call site: pass on `fileID`, `line` and `function`.
  ///   - makeObserver: Creates the observer of one subscription from the downstream observer.
  @unsafe
  @inlinable
  public func unsafeLift<Output>(
    _ site: Site, _ makeObserver: @escaping @Sendable (consuming Observer<Output>) -> Observer<Value>
  ) -> Signal<Output> {
    let upstream = self
    return Signal<Output>(site, derivedFrom: self) { downstream, subscription in
      upstream.connect(makeObserver(downstream), subscription)
    }
  }
}
