#if Tracing
  import SignalGraph
  public import Signals
  import Synchronization
  public import Tracing

  /// Emits spans of swift-distributed-tracing for causes: from a send into a source to its last effect.
  ///
  /// ```swift
  /// import SignalObservability
  /// import Signals
  ///
  /// func serve() async {
  ///   // Early, before the chains are made.
  ///   Introspection.enable()
  ///   let tracing = Task { await GraphTracing(sampling: 0.01).run() }
  ///   // What the program does.
  ///   tracing.cancel()
  /// }
  /// ```
  ///
  /// A span has the name of its source, else its kind. It begins when the value is sent and ends at the time of its
  /// last effect at any node: through operators, hops, timers and tasks. Each node is an event of it, with its location
  /// and thread. A send by a handler is a child span. A span of the sender, such as that of a request, is its parent:
  /// the context of the sending task is used.
  ///
  /// It is off until ``run(every:clock:)`` or ``start()`` is called. While it is on, handlers are profiled, as they are
  /// for `signal-viz why`: each value costs some hundreds of nanoseconds at each node, whether or not it is sampled.
  /// Nodes retain their last eight causes, so of causes that come faster than eight times between two polls the earlier
  /// ones are missed, at least in part: poll more often, or treat the spans as examples.
  public final class GraphTracing: Sendable {
    private let recorder: GraphRecorder?
    private let tracer: (any Tracer)?
    private let traces: Mutex<Traces>
    private let contexts: SampledContexts
    private let watch = Mutex<UInt64?>(nil)

    /// Creates it, turned off.
    ///
    /// - Parameters:
    ///   - sampling: The share of the causes that become spans, from 0 to 1.
    ///   - quiet: The time without an effect, in seconds, after which a span ends. Its end is that of the last effect.
    ///   - recorder: The recorder to trace; by default that of the process, while the graph is on.
    ///   - tracer: The receiver of the spans; by default the tracer with which the program bootstrapped
    ///     `InstrumentationSystem`.
    public init(
      sampling: Double, quiet: Double = 1, recorder: GraphRecorder? = nil, tracer: (any Tracer)? = nil
    ) {
      self.recorder = recorder
      self.tracer = tracer
      contexts = SampledContexts(sampling)
      traces = Mutex(Traces(quiet: max(0, quiet.isFinite ? quiet : 1)))
    }

    deinit {
      guard let key = watch.withLock({ $0 }) else { return }
      CauseWatch.end(key)
      (recorder ?? Introspection.recorder)?.traceHandlers(false, for: ObjectIdentifier(self))
    }

    /// Traces until its task is cancelled, and then ends the open spans.
    ///
    /// - Parameters:
    ///   - interval: The time between two polls. Less than a millisecond counts as a millisecond.
    ///   - clock: The clock for the interval.
    public func run<Time: Clock>(every interval: Duration = .milliseconds(100), clock: Time = ContinuousClock()) async
    where Time.Duration == Duration {
      start()
      while !Task.isCancelled {
        look()
        try? await clock.sleep(for: max(interval, .milliseconds(1)))
      }
      stop()
    }

    /// Begins to track causes.
    @inline(never)
    public func start() {
      watch.withLock { key in
        if key == nil { key = CauseWatch.begin { [contexts] in contexts.note($0) } }
        (recorder ?? Introspection.recorder)?.traceHandlers(true, for: ObjectIdentifier(self))
      }
    }

    /// Polls the graph and emits spans for completed causes.
    @inline(never)
    public func look() {
      guard let recorder = recorder ?? Introspection.recorder else { return }
      let client = ObjectIdentifier(self)
      // Under the lock, as another thread may stop meanwhile.
      let isOn = watch.withLock { key in
        // Recording may have been turned off and on.
        if key != nil, !recorder.isTracing(for: client) { recorder.traceHandlers(true, for: client) }
        return key != nil
      }
      guard isOn else { return }
      report(recorder.snapshot(), isLast: false)
    }

    /// Stops, and emits spans for all causes that were seen.
    @inline(never)
    public func stop() {
      guard
        let key = watch.withLock({ key in
          defer { key = nil }
          return key
        })
      else { return }
      CauseWatch.end(key)
      guard let recorder = recorder ?? Introspection.recorder else { return }
      report(recorder.snapshot(), isLast: true)
      recorder.traceHandlers(false, for: ObjectIdentifier(self))
    }

    private func report(_ snapshot: GraphSnapshot, isLast: Bool) {
      let (over, forgotten) = traces.withLock { traces in
        traces.add(snapshot, contexts.isSampled)
        return traces.takeOver(at: isLast ? .infinity : snapshot.takenAt)
      }
      let tracer = tracer ?? InstrumentationSystem.tracer
      for trace in over { trace.report(to: tracer, contexts.take(trace.number) ?? .topLevel) }
      for number in forgotten { _ = contexts.take(number) }
    }
  }
#endif
