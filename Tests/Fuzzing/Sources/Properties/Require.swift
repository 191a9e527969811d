/// Ends the program, which libFuzzer takes for a finding, unless a property holds.
func require(_ holds: @autoclosure () throws -> Bool, _ message: @autoclosure () -> String) rethrows {
  if try !holds() { stop(message()) }
}

/// Ends the program.
func stop(_ message: String) -> Never { fatalError(message) }
