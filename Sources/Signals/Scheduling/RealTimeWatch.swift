import Synchronization

/// Notifies tests of work that is passed to a system queue.
package enum RealTimeWatch {
  /// Called on the thread of an operator that schedules work or reads the time, with the operator, and with whether it
  /// only reads the time.
  package typealias Listener = @Sendable (_ author: Site?, _ isReading: Bool) -> Void

  private static let isOn = Atomic<Bool>(false)
  private static let current = Mutex<Listening?>(nil)

  /// A closure that is itself the value of a mutex would be wrapped again at each access.
  private struct Listening {
    let listener: Listener
    let isInVirtualTime: @Sendable () -> Bool
    let isOffMainActor: @Sendable () -> Bool
    let scheduler: @Sendable () -> VirtualTimeScheduler?
  }

  /// Sets the listener for all such work in this process.
  ///
  /// - Parameters:
  ///   - listener: The closure.
  ///   - isInVirtualTime: Whether the calling thread runs code of a virtual time.
  ///   - isOffMainActor: Whether that code belongs to an actor or a task other than the main actor's.
  ///   - scheduler: The scheduler of that virtual time.
  package static func listen(
    _ listener: @escaping Listener, isInVirtualTime: @escaping @Sendable () -> Bool,
    isOffMainActor: @escaping @Sendable () -> Bool,
    scheduler: @escaping @Sendable () -> VirtualTimeScheduler?
  ) {
    current.withLock {
      $0 = Listening(
        listener: listener, isInVirtualTime: isInVirtualTime, isOffMainActor: isOffMainActor, scheduler: scheduler)
    }
    isOn.store(true, ordering: .releasing)
  }

  /// Whether the running code is other code's, which this thread runs for the process.
  @TaskLocal package static var isOfOthers = false

  /// Whether the use of queues and sleeps by the running code has been reported already.
  @TaskLocal private static var isNoted = false

  /// Whether nothing is to be reported of the running code.
  package static var isSilent: Bool { isOfOthers || isNoted }

  /// Runs work that the caller did not cause: its use of queues is not reported.
  static func onBehalfOfOthers(_ work: () -> Void) {
    if isOn.load(ordering: .acquiring) { $isOfOthers.withValue(true, operation: work) } else { work() }
  }

  /// Calls an asynchronous closure whose sleeps are not reported, because ``note()`` has reported the work already.
  static func afterNoting(_ work: () async -> Void) async {
    if isOn.load(ordering: .acquiring) { await $isNoted.withValue(true, operation: work) } else { await work() }
  }

  /// Reports work that is about to be passed to a queue.
  static func note() {
    guard isOn.load(ordering: .acquiring), !isSilent else { return }
    current.withLock { $0 }?.listener(Recorder.authorSite, false)
  }

  /// Reports that the time of a scheduler of the system is read.
  static func noteReading() {
    guard isOn.load(ordering: .acquiring), !isSilent else { return }
    current.withLock { $0 }?.listener(Recorder.authorSite, true)
  }

  /// Whether this thread runs code of a virtual time that is not the main actor's.
  static var isOffMainActor: Bool {
    isOn.load(ordering: .acquiring) && current.withLock { $0 }?.isOffMainActor() ?? false
  }

  /// Whether this thread runs code of a virtual time.
  static var isInVirtualTime: Bool {
    isOn.load(ordering: .acquiring) && current.withLock { $0 }?.isInVirtualTime() ?? false
  }

  /// The scheduler of the virtual time whose code this thread runs; nil outside of virtual time.
  static var scheduler: VirtualTimeScheduler? {
    isOn.load(ordering: .acquiring) ? current.withLock { $0 }?.scheduler() : nil
  }
}
