import Foundation
import Signals
import Synchronization
import Testing

@testable import SignalCocoa

@Suite struct KeyboardTests {
  private let names = KeyboardNames(
    notifications: [.willShow: Notification.Name("will show"), .willHide: Notification.Name("will hide")],
    startFrame: "start", endFrame: "end", duration: "duration", curve: "curve", isLocal: "local")

  private let below = CGRect(x: 0, y: 800, width: 400, height: 300)
  private let shown = CGRect(x: 0, y: 500, width: 400, height: 300)

  private var contents: [AnyHashable: Any] {
    ["start": below, "end": shown, "duration": 0.25, "curve": 7, "local": false]
  }

  @Test func whatANotificationCarriesIsRead() {
    let state = KeyboardState(.willShow, contents, names)
    #expect(
      state
        == KeyboardState(
          phase: .willShow, startFrame: below, endFrame: shown, duration: 0.25, curve: 7, isLocal: false))
  }

  @Test func whatIsMissingIsPlain() {
    #expect(
      KeyboardState(.didHide, ["end": below], names)
        == KeyboardState(phase: .didHide, startFrame: below, endFrame: below, duration: 0, curve: 0, isLocal: true))
    #expect(KeyboardState(.willShow, ["start": below], names) == nil)
    #expect(KeyboardState(.willShow, ["end": "no frame"], names) == nil)
    #expect(KeyboardState(.willShow, nil, names) == nil)
  }

  @Test func whatIsCoveredIsCountedFromBelow() {
    let state = KeyboardState(phase: .willShow, startFrame: below, endFrame: shown)
    #expect(state.coveredHeight(of: CGRect(x: 0, y: 0, width: 400, height: 800)) == 300)
    #expect(state.coveredHeight(of: CGRect(x: 0, y: 100, width: 400, height: 600)) == 200)
    #expect(state.coveredHeight(of: CGRect(x: 0, y: 600, width: 400, height: 50)) == 50)
    #expect(state.coveredHeight(of: CGRect(x: 0, y: 0, width: 400, height: 400)) == 0)
    #expect(state.coveredHeight(of: CGRect(x: 400, y: 0, width: 400, height: 800)) == 0)
    let floating = CGRect(x: 0, y: 300, width: 400, height: 200)
    let area = CGRect(x: 0, y: 0, width: 400, height: 800)
    #expect(KeyboardState(phase: .willShow, startFrame: below, endFrame: floating).coveredHeight(of: area) == 0)
    #expect(KeyboardState(phase: .willHide, startFrame: shown, endFrame: shown).coveredHeight(of: area) == 0)
  }

  @Test func statesComeFromTheCenterUntilTheSubscriberLeaves() {
    let center = NotificationCenter()
    let seen = Mutex<[KeyboardState.Phase]>([])
    let states = Keyboard.states(names, of: [.willShow, .willHide], in: center, #fileID, #line, #function)
    let subscription = states.subscribe { state in seen.withLock { $0.append(state.phase) } }
    center.post(name: Notification.Name("will show"), object: nil, userInfo: contents)
    center.post(name: Notification.Name("will show"), object: nil, userInfo: ["nothing": 1])
    center.post(name: Notification.Name("will hide"), object: nil, userInfo: contents)
    subscription.dispose()
    center.post(name: Notification.Name("will show"), object: nil, userInfo: contents)
    #expect(seen.withLock { $0 } == [.willShow, .willHide])
  }

  @Test func otherPhasesAreNotListenedFor() {
    let center = NotificationCenter()
    let seen = Mutex<[KeyboardState.Phase]>([])
    let states = Keyboard.states(names, of: [.willHide], in: center, #fileID, #line, #function)
    let subscription = states.subscribe { state in seen.withLock { $0.append(state.phase) } }
    center.post(name: Notification.Name("will show"), object: nil, userInfo: contents)
    center.post(name: Notification.Name("will hide"), object: nil, userInfo: contents)
    #expect(seen.withLock { $0 } == [.willHide])
    subscription.dispose()
  }
}
