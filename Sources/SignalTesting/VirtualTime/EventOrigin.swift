import Signals
import Synchronization

/// Tells where the events of a probe or a recorder come from: an event from outside of the virtual time in which it is read fails the test.
final class EventOrigin: Sendable {
  private let watch: (any VirtualTimeWatch)?
  /// How many virtual times there had been when an event last came from outside of any; 0 if none did.
  private let latestOutside = Atomic<UInt64>(0)

  init(of scheduler: (any Scheduler)?) {
    watch = VirtualWorld.watch(of: scheduler)
  }

  func noteEvent() {
    if let watch { return watch.noteEvent() }
    if VirtualWorld.current == nil { latestOutside.store(VirtualWorld.latestNumber, ordering: .relaxed) }
  }

  /// Notes that somebody reads the events. Those that came before this virtual time are no part of it.
  func noteReading() {
    guard watch == nil, let world = VirtualWorld.ofCurrentTask, latestOutside.load(ordering: .relaxed) >= world.number
    else { return }
    latestOutside.store(0, ordering: .relaxed)
    world.noteEventElsewhere()
  }
}
