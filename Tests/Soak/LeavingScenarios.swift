import Dispatch
import SignalTesting
import Signals
import Synchronization

extension Scenario {
  /// What leaves virtual time: it fails, in the same line each time.
  static let leaving = [
    Scenario(name: "a continuation that a queue resumes") {
      lines {
        marbles { m in
          m.expect(Signal<Int>.never(), "-")
          m.task { await fromAQueue() }
        }
      }
    },
    Scenario(name: "a continuation that a queue resumes, in a task that nobody awaits") {
      lines {
        marbles { m in
          m.expect(Signal<Int>.never(), "-")
          m.task { Task { await fromAQueue() } }
        }
      }
    },
    Scenario(name: "a continuation that the test resumes from a queue") {
      lines {
        withVirtualTime { time in
          let waiting = Mutex<UnsafeContinuation<Void, Never>?>(nil)
          let isDone = DispatchSemaphore(value: 0)
          Task.detached {
            await withUnsafeContinuation { continuation in waiting.withLock { $0 = continuation } }
          }
          try? time.advance()
          DispatchQueue.global().async {
            waiting.withLock { $0 }?.resume()
            isDone.signal()
          }
          isDone.wait()
          try? time.advance()
        }
      }
    },
    Scenario(name: "a sleep in real time") {
      lines {
        marbles { m in
          m.expect(Signal<Int>.never(), "-")
          m.task { try await Task.sleep(for: .microseconds(1)) }
        }
      }
    },
    Scenario(name: "the main actor") {
      lines {
        marbles { m in
          m.expect(Signal<Int>.never(), "-")
          m.task { await MainActor.run {} }
        }
      }
    },
    Scenario(name: "a scheduler of the system") {
      lines {
        marbles { m in
          let source = m.hot("-a-")
          m.expect(source.signal.delay(for: .microseconds(1), on: .qos(.default)).filter { _ in false }, "---")
        }
      }
    },
  ]

  private static func fromAQueue() async {
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      DispatchQueue.global().async { continuation.resume() }
    }
  }
}
