// A program with planted faults, to be looked at.
//
// It says where its graph is served, or nothing if the machine was too busy for a fault that depends on time. From the first line of its standard
// input on, subscriptions grow, and where another one is `trap` it traps. When the input ends it says that it ends by itself.
import Dispatch
import Foundation
import SignalInspector
import Signals

func say(_ words: String) throws {
  try FileHandle.standardOutput.write(contentsOf: Data((words + "\n").utf8))
}

let inspector = try await SignalInspector.start()
let faults = Faults()
guard faults.wasPrompt else {
  await inspector.stop()
  exit(1)
}
try say(inspector.socketPath)

/// Grows by a half each second, until the input ends.
func growUntilEndOfInput() {
  guard readLine() != nil else { return }
  let clock = DispatchSource.makeTimerSource()
  clock.setEventHandler { faults.grow() }
  clock.schedule(deadline: .now(), repeating: .milliseconds(50))
  clock.resume()
  while let line = readLine() { if line == "trap" { fatalError("as it was asked to") } }
  clock.cancel()
}

growUntilEndOfInput()
try say("ended by itself")
exit(0)
