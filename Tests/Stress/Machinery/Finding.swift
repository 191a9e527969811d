import Synchronization

/// A promise that was seen broken.
struct Finding: Sendable {
  /// Which promise, in one or two words, and the law.
  let check: String
  let expected: String
  let seen: String
}

/// Takes what the checks of one round find, on any thread; keeps the first of each kind.
final class Judge: Sendable {
  private let list = Guarded<[Finding]>([])
  private let count = Atomic<Int>(0)

  var findings: [Finding] { count.load(ordering: .acquiring) == 0 ? [] : list.value }

  func fail(_ check: String, expected: String, seen: String) {
    list.withLock { list in
      if !list.contains(where: { $0.check == check }) {
        list.append(Finding(check: check, expected: expected, seen: seen))
      }
    }
    count.add(1, ordering: .releasing)
  }

  /// Notes a finding unless something holds.
  @inline(__always)
  func check(
    _ holds: Bool, _ check: String, expected: @autoclosure () -> String, seen: @autoclosure () -> String
  ) {
    if !holds { fail(check, expected: expected(), seen: seen()) }
  }
}
