import SignalInspector
import Signals

/// A window on a chat room.
final class RoomWindow: Sendable {
  private let shown: Property<Int>
  private let bag = DisposeBag()

  /// Opens the window. It is closed when nobody holds it any more.
  init(messages: Signal<String>, shown: Property<Int>) {
    self.shown = shown
    messages.subscribe { text in self.show(text) }.store(in: bag)
  }

  private func show(_ text: String) { shown.value += 1 }
}

@main
struct ChatRooms {
  static func main() async throws {
    try await SignalInspector.start()
    let messages = Emitter<String>()
    let shown = Property(0)
    for number in 1... {
      // Somebody opens a window, reads one message, and closes it.
      let window = RoomWindow(messages: messages.signal, shown: shown)
      shown.value = 0
      messages.send("message \(number)")
      print("message \(number): shown in windows: \(shown.value)")
      withExtendedLifetime(window) {}
      try await Task.sleep(for: .milliseconds(100))
    }
  }
}
