import Dispatch
import Foundation
import Signals
import Synchronization
import Testing

@testable import SignalTesting

/// What a test that hangs waits for.
@Suite struct HangReportTests {
  private final class Texts: Sendable {
    private let state = Mutex<[String]>([])
    private let change = DispatchSemaphore(value: 0)

    var all: [String] { state.withLock { $0 } }

    func add(_ text: String) {
      state.withLock { $0.append(text) }
      change.signal()
    }

    func wait() { _ = change.wait(timeout: .now() + 300) }
  }

  private static let place = MarbleSource(fileID: "Tests/Chat.swift", filePath: "Chat.swift", line: 7, column: 1)

  @Test func subscriptionsWorkAndReadersAreListed() async throws {
    let texts = Texts()
    let watch = HangWatch.$output.withValue({ texts.add($0) }) {
      HangWatch(of: "connects", at: Self.place, .milliseconds(1))
    }
    let replies = Emitter<Int>()
    watch.recorder.record {
      let subscription = replies.signal.map { $0 + 1 }.debounce(for: .seconds(3_600), on: .qos(.utility)).subscribe {
        _ in
      }
      replies.send(1)
      HangWatch.$output.withValue({ texts.add($0) }) { watch.start() }
      texts.wait()
      subscription.dispose()
    }
    watch.stop()
    let text = texts.all.first ?? ""
    #expect(text.contains("Chat.swift:7: \"connects\" has not ended after 1 ms."), "\(text)")
    #expect(text.contains("Live subscriptions:\n  subscribe HangReportTests.swift:"), "\(text)")
    #expect(text.contains("debounce HangReportTests.swift:"), "\(text)")
    #expect(text.contains("flowchart") || text.contains("graph"), "\(text)")
  }

  @Test func aTestThatEndsInTimeReportsNothing() {
    let texts = Texts()
    HangWatch.$output.withValue({ texts.add($0) }) {
      let watch = HangWatch(of: "ends", at: Self.place, .seconds(3_600))
      watch.start()
      watch.stop()
    }
    #expect(texts.all.isEmpty)
  }

  @Test(.hangReport()) func theTraitRunsTheTest() async {
    await Task.yield()
    #expect(GraphRecorder.ofTask != nil)
  }
}
