import Dispatch
import Foundation
import Signals
import Synchronization
import Testing

@testable import SignalTesting

#if os(macOS) || os(Linux) || os(Windows)
  /// A virtual time whose thread does not come back.
  @Suite struct StandstillTests {
    @Test func semaphoreThatOnlyATaskOfTheTestSignals() async throws {
      let result = try await #require(processExitsWith: .success, observing: [\.standardErrorContent]) {
        StandstillWatch.patience.withLock { $0 = .milliseconds(50) }
        let print = StandstillWatch.output.withLock { $0 }
        let bell = DispatchSemaphore(value: 0)
        StandstillWatch.output.withLock {
          $0 = StandstillWatch.Output { text in
            print.print(text)
            bell.signal()
          }
        }
        withVirtualTime { time in
          Task { bell.signal() }
          // Only a hang reaches the limit.
          if bell.wait(timeout: .now() + 60) == .timedOut { exit(EXIT_FAILURE) }
          try? time.advance()
        }
        exit(EXIT_SUCCESS)
      }
      let text = String(decoding: result.standardErrorContent, as: UTF8.self)
      #expect(text.contains("StandstillTests.swift:"), "\(text)")
      #expect(text.contains("The virtual time of this test has stood still for 50 ms"), "\(text)")
    }
  }
#endif
