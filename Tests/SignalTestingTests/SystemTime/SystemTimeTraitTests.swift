#if os(Linux)
  import Foundation
  import SignalTesting
  import Testing

  @Suite("System time: a trait, and islands of real time", .enabled(if: replacesSystemTime), .virtualTime)
  struct SystemTimeTraitTests {
    @Test("a test in a suite with the trait is in virtual time") func isVirtual() async throws {
      #expect(Date().timeIntervalSince1970 == 946_684_800)
      try await Task.sleep(for: .seconds(86_400))
      #expect(Date().timeIntervalSince1970 == 946_684_800 + 86_400)
    }

    @Test("so is one on the main actor") @MainActor func isVirtualOnMainActor() async throws {
      try await Task.sleep(for: .seconds(86_400))
      await Task.detached { await MainActor.run { MainActor.assertIsolated() } }.value
      #expect(Date().timeIntervalSince1970 == 946_684_800 + 86_400)
    }

    @Test("and each case of its own", arguments: 1...3) func isVirtual(days: Int) async throws {
      try await Task.sleep(for: .seconds(86_400 * days))
      #expect(Date().timeIntervalSince1970 == 946_684_800 + 86_400 * Double(days))
    }

    @Test("withRealTime shows real time, and virtual time stands still") func realTime() async throws {
      try await Task.sleep(for: .seconds(10))
      let date = withRealTime { Date() }
      #expect(date.timeIntervalSince1970 > 1_700_000_000)
      let later = try withRealTime {
        await Task.detached {}.value
        return Date()
      }
      #expect(later > date)
      #expect(Date().timeIntervalSince1970 == 946_684_810)
    }
  }
#endif
