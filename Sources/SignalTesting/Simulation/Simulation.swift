import SignalPicture
public import Signals
import Synchronization

/// One run of a simulation: its time, and what its seed decides.
///
/// Code under test needs none of it. A scenario uses it to cause faults, and to note what its nodes do.
public final class Simulation: Sendable {
  /// The seed of the run.
  public let seed: UInt64
  /// Virtual time, which is also a `Clock`. It advances while all tasks wait.
  public let time: VirtualTimeScheduler

  let log: SimulationLog?
  private let random: Mutex<SplitMix>
  private let networkCount = Atomic(0)
  private let ends = Mutex<[@Sendable () -> Void]>([])

  init(seed: UInt64, time: VirtualTimeScheduler, log: SimulationLog?) {
    self.seed = seed
    self.time = time
    self.log = log
    random = Mutex(SplitMix(seed: SplitMix.derived(from: seed, for: "faults")))
  }

  /// Counts a network.
  ///
  /// - Returns: The number of networks.
  func addNetwork() -> Int { networkCount.add(1, ordering: .relaxed).newValue }

  /// Calls a closure at the end of the run.
  func atEnd(_ body: @escaping @Sendable () -> Void) { ends.withLock { $0.append(body) } }

  /// Ends the run.
  func end() {
    let ends = ends.withLock { $0 }
    for end in ends { end() }
  }

  /// Whether a fault occurs, by the seed: `if simulation.sometimes(0.1) { throw DiskFull() }`.
  ///
  /// - Parameter probability: From 0, never, to 1, always. Values outside count as the nearer of both.
  public func sometimes(_ probability: Double) -> Bool { random.withLock { $0.isBelow(probability) } }

  /// Sleeps for a time that the seed picks, such as in an actor that is slow now and then.
  ///
  /// - Parameters:
  ///   - limit: The longest sleep.
  ///   - probability: How often it sleeps at all, from 0 to 1.
  /// - Throws: `CancellationError` if the task is cancelled.
  public func pause(upTo limit: Duration, probability: Double = 1) async throws {
    guard sometimes(probability) else { return }
    try await time.sleep(for: duration(in: .zero...max(.zero, limit)))
  }

  /// Cancels a task at a time that the seed picks.
  ///
  /// - Parameters:
  ///   - task: The task.
  ///   - limit: The latest time from now on.
  ///   - probability: How often it is cancelled at all, from 0 to 1.
  public func cancel<Success, Failure>(
    _ task: Task<Success, Failure>, within limit: Duration, probability: Double = 1
  ) {
    guard sometimes(probability) else { return }
    _ = time.schedule(after: duration(in: .zero...max(.zero, limit))) { task.cancel() }
  }

  /// A duration that the seed picks: of whole milliseconds, if the limits are.
  ///
  /// - Parameter range: The possible durations. Those beyond 292 years count as that.
  func duration(in range: ClosedRange<Duration>) -> Duration { random.withLock { $0.duration(in: range) } }

  /// Notes an event of a node, which a failure shows.
  ///
  /// - Parameters:
  ///   - event: What happened. It is evaluated only in the run that is shown.
  ///   - node: The row of the event.
  public func note(_ event: @autoclosure () -> String, at node: String) {
    log?.add(event(), at: node, time.nanoseconds)
  }
}

extension SplitMix {
  /// The seed of one stream of numbers.
  static func derived(from seed: UInt64, for purpose: String) -> UInt64 {
    var mixer = SplitMix(seed: seed ^ purpose.utf8.stableHash)
    return mixer.next()
  }

  /// Whether something of a probability happens.
  mutating func isBelow(_ probability: Double) -> Bool { Double(next() >> 11) * 0x1p-53 < probability }

  /// A duration in a range: of whole milliseconds, if the limits are, so that events meet.
  mutating func duration(in range: ClosedRange<Duration>) -> Duration {
    let first = range.lowerBound.clampedNanoseconds
    let last = range.upperBound.clampedNanoseconds
    let unit: Int64 = first % 1_000_000 == 0 && last % 1_000_000 == 0 ? 1_000_000 : 1
    let count = UInt64(last.subtractingSaturated(first) / unit)
    return .nanoseconds(first + Int64(next(upperBound: count + 1)) * unit)
  }
}

extension Duration {
  /// The whole nanoseconds, clamped to the range of the type.
  var clampedNanoseconds: Int64 { Int64(clamping: attoseconds / 1_000_000_000) }
}
