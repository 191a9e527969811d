import Dispatch
import SignalCocoa
import Signals
import Synchronization

/// A control that runs everywhere.
@MainActor final class Dial: EventSender {
  enum Kind { case turned, pressed }

  private(set) var writes = 0
  var position = 0 { didSet { writes += 1 } }
  private(set) var relays: [(kind: Kind, relay: EventRelay)] = []

  func connect(_ relay: EventRelay, for kind: Kind) { relays.append((kind, relay)) }
  func disconnect(_ relay: EventRelay, for kind: Kind) { relays.removeAll { $0.relay === relay } }

  /// What a user does.
  func turn(to position: Int) {
    self.position = position
    fire(.turned)
  }

  func fire(_ kind: Kind) {
    for entry in relays where entry.kind == kind { entry.relay.fire() }
  }
}

/// What happened, in order.
final class Log: Sendable {
  private let stored = Mutex<[String]>([])
  var lines: [String] { stored.withLock { $0 } }
  func add(_ line: String) { stored.withLock { $0.append(line) } }
}

/// Returns once everything has run that is on the main queue now. Other tests use it too, so what comes there comes at once only when nothing waits.
func turn() async {
  await withCheckedContinuation { continuation in DispatchQueue.main.async { continuation.resume() } }
}
