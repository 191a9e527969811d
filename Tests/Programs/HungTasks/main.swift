// A program all of whose tasks hang, and its main thread with them, while the inspector serves its graph.
//
// It says where it is served, then hangs. When its standard input ends it says whether a task has run that was asked for
// while the others hung, and ends.
import Dispatch
import Foundation
import SignalInspector
import Signals
import Synchronization

final class Hang: Sendable {
  private let never = DispatchSemaphore(value: 0)
  private let hasLaterTaskRun = Mutex(false)

  /// Takes every thread that tasks run on: a thread gets to what comes later only when it has done all of these.
  func begin() {
    for _ in 0..<1_000 { Task.detached { self.hang() } }
    Task.detached { self.hasLaterTaskRun.withLock { $0 = true } }
  }

  var report: String { hasLaterTaskRun.withLock { $0 } ? "a later task ran" : "no later task ran" }

  private func hang() { never.wait() }
}

func say(_ words: String) throws {
  try FileHandle.standardOutput.write(contentsOf: Data((words + "\n").utf8))
}

/// Blocks the main thread until standard input ends.
func waitForEndOfInput() { while readLine() != nil {} }

let inspector = try await SignalInspector.start()
let requests = Emitter<Int>()
let subscription = requests.signal.map { $0 + 1 }.named("answers nobody").subscribe { _ in }
let hang = Hang()
hang.begin()
try say(inspector.socketPath)
waitForEndOfInput()
try say(hang.report)
withExtendedLifetime(subscription) {}
exit(0)
