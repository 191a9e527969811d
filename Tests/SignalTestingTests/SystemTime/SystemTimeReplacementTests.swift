import Testing

@testable import SignalTesting

/// Whether the system's time can be virtual: on Linux without a sanitizer, whose functions come before those of the test
/// program.
let replacesSystemTime = VirtualSystem.isThere

@Test("where the system's time cannot be virtual, the test fails and says so", .disabled(if: replacesSystemTime))
func systemTimeIsReal() {
  withKnownIssue {
    withVirtualTime(systemTime: .virtual) { _ in }
  } matching: {
    $0.description.contains("The system's time cannot be virtual in this program")
  }
}
