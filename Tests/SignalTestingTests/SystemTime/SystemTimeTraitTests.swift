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

  @Suite("System time: failures of a test with the trait", .enabled(if: replacesSystemTime))
  struct SystemTimeTraitFailureTests {
    @Test("a task that is asleep at the end fails the test, with a remedy for the trait") func asleep() async throws {
      let test = try #require(Test.current)
      let issues = Issues()
      try await withKnownIssue {
        try await VirtualTimeTrait.virtualTime.provideScope(for: test, testCase: nil) {
          Task { try await Task.sleep(for: .seconds(100)) }
          try await Task.sleep(for: .seconds(1))
        }
      } matching: { issue in
        issues.add(issue)
        return true
      }
      #expect(issues.all.count == 1)
      let message = issues.all.first?.comments.first?.rawValue ?? ""
      #expect(
        message.contains("with `try withVirtualTime(systemTime: .virtual) { time in … }` instead of the trait"),
        "\(message)")
    }
  }
#endif
