#if Metrics
  public import CoreMetrics
  import SignalFindings
  public import SignalGraph
  public import SignalRecording
  import Synchronization

  /// Reports metrics of the live graph to swift-metrics, for a program's usual metrics collector.
  ///
  /// ```swift
  /// import SignalObservability
  /// import SignalRecording
  ///
  /// func serve() async {
  ///   // Early, before the chains are made.
  ///   Introspection.enable()
  ///   let reporting = Task { await GraphMetrics().run(every: .seconds(10)) }
  ///   // What the program does.
  ///   reporting.cancel()
  /// }
  /// ```
  ///
  /// | metric | | labels |
  /// |---|---|---|
  /// | `signals_values_total` | counter: values that passed | `place`, `kind` |
  /// | `signals_values_per_second` | gauge: values per second since the last report | `place`, `kind` |
  /// | `signals_live` | gauge: live nodes, which at a `subscribe` are subscriptions | `place`, `kind` |
  /// | `signals_waiting` | gauge: waiting values | `place`, `kind` |
  /// | `signals_dropped_total` | counter: values dropped because too many were waiting, or sent after the end | `place`, `kind` |
  /// | `signals_ended_total` | counter: ended subscriptions and steps | `place`, `kind`, `how`: `finished`, `failed`, `disposed` |
  /// | `signals_findings` | gauge: current findings of the rule, as in `signal-viz check` | `rule` |
  /// | `signals_places_left_out` | gauge: locations without labels of their own | |
  ///
  /// A `place` is a source location, such as `App/Feed.swift:42`. Their number is bounded: the busiest get labels first
  /// and retain them for the lifetime of this object; all others are counted together, as `other`. Names, owners and
  /// errors are not used as labels, because their number is unbounded.
  ///
  /// The program stores the last few hundred ended chains: what others dropped after the last report is not counted.
  ///
  /// A report takes a snapshot, which costs about a microsecond for each live node. Senders do not wait for it.
  public final class GraphMetrics: Sendable {
    private let factory: any MetricsFactory
    private let recorder: GraphRecorder?
    private let findsFaults: Bool
    private let state: Mutex<MetricsState>

    /// Creates a reporter.
    ///
    /// - Parameters:
    ///   - placeLimit: The number of places with their own labels. Negative counts as 0.
    ///   - findsFaults: Whether the rules of `signal-viz check` are evaluated each time. They need two reports to
    ///     detect growth.
    ///   - recorder: The recorder to report; by default that of the process, while the graph is on.
    ///   - factory: The metrics factory; by default the one with which the program bootstrapped `MetricsSystem`.
    public init(
      placeLimit: Int = 100, findsFaults: Bool = true, recorder: GraphRecorder? = nil,
      factory: (any MetricsFactory)? = nil
    ) {
      let factory = factory ?? MetricsSystem.factory
      self.factory = factory
      self.recorder = recorder
      self.findsFaults = findsFaults
      state = Mutex(MetricsState(placeLimit: max(0, placeLimit)))
    }

    /// Reports continuously, until its task is cancelled. The `run()` of a service of swift-service-lifecycle can call
    /// it.
    ///
    /// - Parameters:
    ///   - interval: The time between two reports. Less than a millisecond counts as a millisecond.
    ///   - clock: The clock for the interval.
    public func run<Time: Clock>(every interval: Duration, clock: Time = ContinuousClock()) async
    where Time.Duration == Duration {
      repeat {
        report()
        try? await clock.sleep(for: max(interval, .milliseconds(1)))
      } while !Task.isCancelled
    }

    /// Reports the current state. Does nothing if nothing is recorded, or while another call reports.
    @inline(never)
    public func report() {
      guard let recorder = recorder ?? Introspection.recorder else { return }
      report { recorder.snapshot() }
    }

    /// Reports a snapshot of the current state.
    func report(taking takeSnapshot: () -> GraphSnapshot) {
      let countBefore: Int? = state.withLock { state in
        defer { state.isReporting = true }
        return state.isReporting ? nil : state.reportCount
      }
      guard let countBefore else { return }
      // Without the lock, as it may run any code. Not compared by time: the system's clock may have been set back.
      let snapshot = takeSnapshot()
      state.withLock { state in
        // Else a later one was reported in the meantime.
        if state.reportCount == countBefore { report(snapshot, in: &state) }
        state.isReporting = false
      }
    }

    /// Reports a snapshot, for example one that is also used otherwise.
    ///
    /// - Parameter snapshot: A snapshot of this process, taken after the last report; an earlier one is skipped.
    @inline(never)
    public func report(_ snapshot: GraphSnapshot) {
      state.withLock { state in
        if let last = state.last, snapshot.takenAt <= last.takenAt { return }
        report(snapshot, in: &state)
      }
    }

    /// Under the lock. Backends do not call back.
    private func report(_ snapshot: GraphSnapshot, in state: inout MetricsState) {
      var findings: [Finding]?
      if findsFaults { findings = Rules.findings(in: Observation(snapshot, since: state.last)) }
      state.report(snapshot, findings, factory)
    }
  }
#endif
