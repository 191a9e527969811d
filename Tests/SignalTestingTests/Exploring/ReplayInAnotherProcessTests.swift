#if os(Linux)
  import Foundation
  import Signals
  import Testing

  @testable import SignalTesting

  /// A token that one process prints runs the same order in another one.
  @Suite struct ReplayInAnotherProcessTests {
    private static let trialMark = "SIGNALS_REPLAY_TRIAL"

    /// Twelve work items, of which one has to come before another.
    @discardableResult
    private static func explore(orders: Int = 2_000, seed: UInt64 = 0) -> Interleavings {
      exploreInterleavings(orders: orders, seed: seed) { scheduler in
        let order = Property<[Int]>([])
        for number in 0..<12 { scheduler.schedule { order.update { $0.append(number) } } }
        try scheduler.run()
        if let late = order.value.firstIndex(of: 10), let early = order.value.firstIndex(of: 1), late < early {
          throw OrderError(order: order.value)
        }
      }
    }

    private struct OrderError: Error { let order: [Int] }

    /// Runs only in the child process, and fails there.
    @Test(.enabled(if: ProcessInfo.processInfo.environment[trialMark] != nil)) func trial() {
      // Two runs only: without the token nothing would be found.
      Self.explore(orders: 2, seed: 2)
    }

    @Test(.enabled(if: ProcessInfo.processInfo.environment[trialMark] == nil)) func theTokenWorksThere() throws {
      var result: Interleavings?
      let failures = heldFailures { result = Self.explore() }
      let message = try #require(failures.first?.message)
      #expect(result?.swapCount == 9)
      let token = try #require(result?.failingOrder)
      #expect(try run(nil).isEmpty)
      let output = try run(token)
      // The same order fails there, at once.
      let order = try #require(message.split(separator: "\n").first { $0.contains("OrderError") })
      #expect(output.contains(order.trimmingCharacters(in: .whitespaces)))
      #expect(output.contains("This order of work fails."))
    }

    /// What the child process says that is wrong.
    private func run(_ token: String?) throws -> String {
      let process = Process()
      let path = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
      process.executableURL = URL(fileURLWithPath: path)
      process.arguments = ["--testing-library", "swift-testing", "--filter", "ReplayInAnotherProcessTests"]
      process.environment = ProcessInfo.processInfo.environment.merging(
        [Self.trialMark: "1"].merging(token.map { ["SIGNALS_REPLAY": $0] } ?? [:]) { $1 }
      ) { $1 }
      let output = Pipe()
      process.standardOutput = output
      process.standardError = output
      try process.run()
      let data = output.fileHandleForReading.readDataToEndOfFile()
      process.waitUntilExit()
      let text = String(decoding: data, as: UTF8.self)
      #expect(text.contains("ReplayInAnotherProcessTests"))
      return process.terminationStatus == 0 ? "" : text
    }
  }
#endif
