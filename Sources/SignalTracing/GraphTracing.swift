#if Tracing
  import SignalGraph
  public import Signals
  import Synchronization
  public import Tracing

  /// Makes spans of swift-distributed-tracing out of causes: from a send into a source to the last effect that it had.
  ///
  /// ```swift
  /// import SignalTracing
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
  /// A span is called as its source: by its name, else by its kind. It begins when the value is sent and ends when its effect came last to any node: through
  /// operators, hops, timers and tasks. Each node is an event of it, with its place and thread. What a handler sends on is a span below it. Who sends in a
  /// span of its own, such as that of a request, has it above: the context of the sending task counts.
  ///
  /// It is off until ``run(every:clock:)`` or ``start()`` is called. While it is on, handlers are traced, as they are for `signal-viz why`: each value costs some hundreds
  /// of nanoseconds at each node, whether or not it is sampled. Nodes keep their last eight causes, so of what comes faster than eight times between two
  /// looks the earlier ones are not seen at all, or not to their ends: look more often, or take the spans for examples.
  public final class GraphTracing: Sendable {
    private let recorder: GraphRecorder?
    private let tracer: (any Tracer)?
    private let traces: Mutex<Traces>
    private let contexts: SampledContexts
    private let watch = Mutex<UInt64?>(nil)

    /// Makes it. It does nothing yet.
    ///
    /// - Parameters:
    ///   - sampling: What part of the causes become spans, from 0 to 1.
    ///   - quiet: For how many seconds no effect has to have come before a span ends. Its end is that of the last effect.
    ///   - recorder: What is traced; without one that of the process, while the graph is on.
    ///   - tracer: Where the spans go; without one the tracer with which the program bootstrapped `InstrumentationSystem`.
    public init(
      sampling: Double, quiet: Double = 1, recorder: GraphRecorder? = nil, tracer: (any Tracer)? = nil
    ) {
      self.recorder = recorder
      self.tracer = tracer
      contexts = SampledContexts(sampling)
      traces = Mutex(Traces(quiet: max(0, quiet.isFinite ? quiet : 1)))
    }

    deinit { if let key = watch.withLock({ $0 }) { CauseWatch.end(key) } }

    /// Traces until its task is cancelled, and then ends what it has begun.
    ///
    /// - Parameters:
    ///   - interval: How long it waits between two looks. Less than a millisecond counts as a millisecond.
    ///   - clock: What it waits by.
    public func run<Time: Clock>(every interval: Duration = .milliseconds(100), clock: Time = ContinuousClock()) async
    where Time.Duration == Duration {
      start()
      while !Task.isCancelled {
        look()
        try? await clock.sleep(for: max(interval, .milliseconds(1)))
      }
      stop()
    }

    /// Begins to follow causes.
    @inline(never)
    public func start() {
      watch.withLock { key in
        if key == nil { key = CauseWatch.begin { [contexts] in contexts.note($0) } }
      }
      (recorder ?? Introspection.recorder)?.traceHandlers(true)
    }

    /// Looks at what came since, and makes spans of what has had its last effect.
    @inline(never)
    public func look() {
      guard watch.withLock({ $0 != nil }), let recorder = recorder ?? Introspection.recorder else { return }
      // Somebody else who traced may have ended it.
      if !recorder.isTracing { recorder.traceHandlers(true) }
      report(recorder.snapshot(), isLast: false)
    }

    /// Ends it, and makes spans of all that was seen.
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
      recorder.traceHandlers(false)
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
