import MainQueueTrial
import Testing

@Suite("Law 14: the main queue, in tests of the main actor", .timeLimit(.minutes(5)))
@MainActor
struct MainActorTests {
  @Test("everything below a hop is on the main queue")
  func trial() async {
    #expect(await MainQueueTrial().complaints() == [])
  }
}
