import Signals
import Synchronization

/// Determines the origin of a probe's or a recorder's events: an event from outside the virtual time in which it is
/// read fails the test.
final class EventOrigin: Sendable {
  private let watch: (any VirtualTimeWatch)?
  /// The number of virtual times at the last event from outside of any; 0 if there was none.
  private let latestOutside = Atomic<UInt64>(0)

  init(of scheduler: (any Scheduler)?) {
    watch = VirtualWorld.watch(of: scheduler)
  }

  func noteEvent() {
    if let watch { return watch.noteEvent() }
    if VirtualWorld.current == nil { latestOutside.store(VirtualWorld.latestNumber, ordering: .relaxed) }
  }

  /// Notes that the events are read. Earlier events than this virtual time are no part of it.
  func noteReading() {
    guard watch == nil, let world = VirtualWorld.ofCurrentTask, latestOutside.load(ordering: .relaxed) >= world.number
    else { return }
    latestOutside.store(0, ordering: .relaxed)
    world.noteEventElsewhere()
  }
}
