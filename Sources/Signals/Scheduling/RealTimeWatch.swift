import Synchronization

/// Lets tests hear of work that is handed to a queue of the system.
package enum RealTimeWatch {
  /// Called with the operator that schedules work or reads the time, on its thread, and with whether it only reads the time.
  package typealias Listener = @Sendable (_ author: Site?, _ isReading: Bool) -> Void

  private static let isOn = Atomic<Bool>(false)
  private static let current = Mutex<Listening?>(nil)

  /// A closure that stands in a mutex by itself would be wrapped anew at each look at it.
  private struct Listening {
    let listener: Listener
    let isInVirtualTime: @Sendable () -> Bool
    let isOffMainActor: @Sendable () -> Bool
  }

  /// Lets a closure hear of all such work in this process.
  ///
  /// - Parameters:
  ///   - listener: The closure.
  ///   - isInVirtualTime: Whether the calling thread runs code of a virtual time.
  ///   - isOffMainActor: Whether that is code of an actor or a task which is not the main actor's.
  package static func listen(
    _ listener: @escaping Listener, isInVirtualTime: @escaping @Sendable () -> Bool,
    isOffMainActor: @escaping @Sendable () -> Bool
  ) {
    current.withLock {
      $0 = Listening(listener: listener, isInVirtualTime: isInVirtualTime, isOffMainActor: isOffMainActor)
    }
    isOn.store(true, ordering: .releasing)
  }

  /// Whether what runs here is other code's, which this thread does for the process.
  @TaskLocal package static var isOfOthers = false

  /// Does what is not the doing of the code that calls this: what it hands to queues is not told of.
  static func onBehalfOfOthers(_ work: () -> Void) {
    if isOn.load(ordering: .acquiring) { $isOfOthers.withValue(true, operation: work) } else { work() }
  }

  /// Calls an asynchronous closure whose sleeps are not reported, because ``note()`` has reported the work already.
  static func afterNoting(_ work: () async -> Void) async {
    if isOn.load(ordering: .acquiring) { await $isOfOthers.withValue(true, operation: work) } else { await work() }
  }

  /// Tells of work that is about to be handed to a queue.
  static func note() {
    guard isOn.load(ordering: .acquiring), !isOfOthers else { return }
    current.withLock { $0 }?.listener(Recorder.authorSite, false)
  }

  /// Reports that the time of a scheduler of the system is read.
  static func noteReading() {
    guard isOn.load(ordering: .acquiring), !isOfOthers else { return }
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
}
