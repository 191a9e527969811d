import SignalTesting
import Signals
import Testing

/// Leaks of any object.
@Suite struct TrackTests {
  private final class Player {
    var onEnd: () -> Void = {}
    var partner: Player?
    var bag: DisposeBag?
    func play(_ song: Int) {}
  }

  private final class Listener: Sendable {
    func hear(_ value: Int) {}
  }

  @Test(.noLeaks) func releasedObjectsPass() {
    let player = track(Player())
    player.onEnd = { [weak player] in player?.play(1) }
    player.onEnd()
  }

  /// What a check says of a cycle through a closure.
  private func words(of check: (() -> Void) -> Void) -> String {
    weak var left: Player?
    defer { left?.onEnd = {} }
    return failure(offset: 2) {
      check {
        let player = track(Player())
        player.onEnd = { player.play(1) }
        left = player
      }
    }
  }

  @Test(.waitsBriefly) func aCycleThroughAClosureIsFound() {
    let message = words { assertNoLeaks($0) }
    #expect(message.contains("object still alive: Player TrackTests.swift:"), "\(message)")
    #expect(message.contains("such as Player.onEnd"), "\(message)")
  }

  @Test(.waitsBriefly) func aCycleThroughPropertiesIsNamed() {
    weak var left: Player?
    let message = failure(offset: 2) {
      assertNoLeaks {
        let player = track(Player())
        player.partner = Player()
        player.partner?.partner = player
        left = player
      }
    }
    #expect(message.contains("a cycle through properties: Player.partner -> Player.partner -> Player"), "\(message)")
    left?.partner = nil
  }

  @Test(.waitsBriefly) func aLeakedSubscriptionThatKeepsItIsNamed() {
    let source = Emitter<Int>()
    let messages = issuesOf {
      assertNoLeaks {
        let listener = track(Listener())
        source.signal.subscribe { listener.hear($0) }.retained()
      }
    }.compactMap { $0.comments.first?.rawValue }
    #expect(messages.count == 2, "\(messages)")
    let message = messages.first { $0.contains("object still alive") } ?? ""
    #expect(message.contains("a leaked subscription retained it"), "\(message)")
  }

  @Test(.waitsBriefly) func asynchronousScopesAreChecked() async {
    weak var left: Player?
    await withKnownIssue {
      await assertNoLeaks {
        await Task.yield()
        let player = track(Player())
        player.onEnd = { player.play(1) }
        left = player
      }
    } matching: {
      "\($0)".contains("object still alive: Player")
    }
    left?.onEnd = {}
    await assertNoLeaks {
      let player = track(Player())
      await Task.yield()
      player.play(1)
    }
  }

  @Test(.healthy) func theCheckOfHealthIncludesIt() { track(Player()).play(1) }

  @Test(.waitsBriefly) func theCheckOfHealthFindsIt() {
    let message = words { assertHealthy($0) }
    #expect(message.contains("object still alive: Player"), "\(message)")
  }

  @Test func roundsDoNotFindIt() {
    let messages = issuesOf { assertHealthy(repeating: 3) { track(Player()).play(1) } }
    #expect(messages.count == 3)
  }

  @Test func withoutACheckItFails() {
    let message = failure(offset: 0) { track(Player()) }
    #expect(message.contains("track has no leak check around it"), "\(message)")
  }
}
