import SignalTesting
import Signals
import Testing

@testable import ChatRoomsMended

@Test func aClosedWindowIsGone() {
  let messages = Emitter<String>()
  assertNoLeaks {
    _ = RoomWindow(messages: messages.signal, shown: Property(0))
    messages.send("hello")
  }
}
