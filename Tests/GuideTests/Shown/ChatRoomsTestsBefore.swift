import SignalTesting
import Signals
import Testing

@testable import ChatRooms

@Suite(.fails(asToldBy: "FindALeak")) struct ChatRoomsTestsBefore {
  @Test func aClosedWindowIsGone() {
    let messages = Emitter<String>()
    assertNoLeaks {
      _ = RoomWindow(messages: messages.signal, shown: Property(0))
      messages.send("hello")
    }
  }
}
