public import Dispatch

/// Runs work on a dispatch queue, in order.
///
/// ```swift
/// import Dispatch
///
/// let bag = DisposeBag()
/// let images = DispatchQueue(label: "images")
/// let names = Emitter<String>()
/// names.signal
///   .receive(on: .queue(images))
///   .subscribe { name in print("decoding \(name)") }
///   .store(in: bag)
/// ```
///
/// The order is preserved on concurrent queues too: the scheduler puts a serial queue in front. Work of one scheduler
/// does not overlap; work of two schedulers on the same concurrent queue may.
public struct DispatchQueueScheduler: Scheduler {
  /// Its own serial queue.
  let queue: DispatchQueue
  private let recorder: Recorder

  /// Creates a scheduler for a queue.
  ///
  /// - Parameter queue: The queue, serial or concurrent, which the scheduler retains.
  public init(_ queue: DispatchQueue) {
    self.queue = DispatchQueue(label: "signals." + queue.label, target: queue)
    recorder = .current
  }

  /// Creates a scheduler for the global queue of a quality of service.
  ///
  /// - Parameter qos: The quality of service.
  public init(qos: DispatchQoS.QoSClass) {
    self.init(DispatchQueue.global(qos: qos))
  }

  /// The system's uptime.
  public var now: SchedulerInstant {
    RealTimeWatch.noteReading()
    return .uptime
  }

  /// Runs work on the queue as soon as possible.
  ///
  /// - Parameter work: Called once, on the queue.
  public func schedule(_ work: @escaping @Sendable () -> Void) {
    queue.runSoon(recorder: recorder, work)
  }

  /// Runs work on the queue after a delay.
  ///
  /// - Parameters:
  ///   - delay: The delay; a negative one counts as zero.
  ///   - tolerance: The accepted additional delay, to save energy; `nil` leaves that to the system.
  ///   - work: Called once, on the queue, unless it is cancelled before.
  /// - Returns: Cancels the work when it is disposed. Releasing it does not cancel anything.
  public func schedule(
    after delay: Duration, tolerance: Duration?, _ work: @escaping @Sendable () -> Void
  ) -> any Disposable {
    queue.run(after: delay, tolerance: tolerance, recorder: recorder, work)
  }
}

extension DispatchQueueScheduler {
  /// The Swift expression for a well-known target queue; else its label.
  static func name(of queue: DispatchQueue) -> String {
    let label = queue.label.hasPrefix("signals.") ? String(queue.label.dropFirst("signals.".count)) : queue.label
    switch label {
    case "com.apple.main-thread": return "main"
    case "com.apple.root.background-qos": return "qos.background"
    case "com.apple.root.utility-qos": return "qos.utility"
    case "com.apple.root.default-qos": return "qos.default"
    case "com.apple.root.user-initiated-qos": return "qos.userInitiated"
    case "com.apple.root.user-interactive-qos": return "qos.userInteractive"
    default: return label
    }
  }
}

extension Scheduler where Self == DispatchQueueScheduler {
  /// Runs work on a queue, in order.
  ///
  /// - Parameter queue: The queue, serial or concurrent.
  public static func queue(_ queue: DispatchQueue) -> DispatchQueueScheduler { DispatchQueueScheduler(queue) }
  /// Runs work on a global queue of a quality of service, in order.
  ///
  /// - Parameter qos: The quality of service.
  public static func qos(_ qos: DispatchQoS.QoSClass) -> DispatchQueueScheduler { DispatchQueueScheduler(qos: qos) }
}

extension SchedulerInstant {
  /// The system's uptime, which does not count time asleep: the time of queue schedulers, which a custom scheduler may
  /// use as its ``Scheduler/now``.
  public static var uptime: SchedulerInstant {
    SchedulerInstant(sinceOrigin: .nanoseconds(Int64(clamping: DispatchTime.now().uptimeNanoseconds)))
  }
}

extension DispatchQueue {
  /// Runs work as soon as possible.
  func runSoon(recorder: Recorder, _ work: @escaping @Sendable () -> Void) {
    RealTimeWatch.note()
    guard Recorder.isAnyOn else { return async(execute: work) }
    let scheduled = ScheduledWork(stage: .onItsWay, recorder: recorder, work)
    async { scheduled.run() }
  }

  /// Runs work after a delay, within the tolerance if one is given.
  func run(
    after delay: Duration, tolerance: Duration?, recorder: Recorder, _ work: @escaping @Sendable () -> Void
  ) -> any Disposable {
    RealTimeWatch.note()
    let deadline = DispatchTime.now() + DispatchTimeInterval(delay)
    // In virtual time a cancelled timer source is gone at once; cancelled work would be left until its time.
    guard tolerance != nil || RealTimeWatch.isInVirtualTime else {
      let scheduled = ScheduledWork(recorder: recorder, work)
      asyncAfter(deadline: deadline) { scheduled.run() }
      return scheduled
    }
    // Only a timer source has a leeway. Its own handler retains it until it fires or is cancelled.
    let timer = DispatchSource.makeTimerSource(queue: self)
    let work = TimerSourceWork(ScheduledWork(recorder: recorder, work), timer)
    timer.setEventHandler { work.run() }
    timer.schedule(deadline: deadline, leeway: DispatchTimeInterval(tolerance ?? .zero))
    timer.resume()
    return work
  }
}

/// Work that a timer source runs, once.
// Safe: dispatch sources may be cancelled from any thread, and nothing else is done with this one.
private final class TimerSourceWork: Disposable, @unchecked Sendable {
  private let work: ScheduledWork
  private let timer: any DispatchSourceTimer

  init(_ work: ScheduledWork, _ timer: any DispatchSourceTimer) {
    self.work = work
    self.timer = timer
  }

  func run() {
    work.run()
    timer.cancel()
  }

  func dispose() {
    work.dispose()
    timer.cancel()
  }

  var isDisposed: Bool { work.isDisposed }
}

extension DispatchTimeInterval {
  /// Converts a duration; a negative one counts as zero. In the finest unit in which a system with small integers can
  /// express it.
  fileprivate init(_ duration: Duration) {
    let nanoseconds = max(0, duration.clampedNanoseconds)
    if let count = Int(exactly: nanoseconds) {
      self = .nanoseconds(count)
    } else if let count = Int(exactly: nanoseconds / 1_000) {
      self = .microseconds(count)
    } else if let count = Int(exactly: nanoseconds / 1_000_000) {
      self = .milliseconds(count)
    } else {
      self = .seconds(Int(clamping: nanoseconds / 1_000_000_000))
    }
  }
}
