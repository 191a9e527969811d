import SignalSystem
public import Signals
import Subprocess

/// The lines that a shell command writes.
public func shell(_ command: String) -> Signals.Signal<String> {
  Configuration(executable: .name("sh"), arguments: ["-c", command]).events.output().lines()
}
