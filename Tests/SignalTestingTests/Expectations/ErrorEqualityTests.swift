import SignalTesting
import Signals
import Synchronization
import Testing

/// Errors that are not `Equatable`, in expectations.
@Suite struct ErrorEqualityTests {
  final class Ref: Error {
    private let content: Mutex<Int>
    init(_ number: Int) { content = Mutex(number) }
  }

  struct Wrapped: Error {
    var name: String
    var reference: Ref?
    var action: @Sendable () -> Void = {}
  }

  enum Failure: Error, CustomStringConvertible {
    case offline
    case busy
    case status(Int)

    var description: String { "failure" }
  }

  struct Plain: Error {
    var codes: [Int]
    var text: String?
  }

  private func isExpected(_ expected: any Error, _ actual: any Error) -> Bool {
    issuesOfAnyCount {
      marbles { m in
        let source = m.cold("-#", error: actual)
        m.expect(source.signal, "-#", error: expected)
      }
    }.isEmpty
  }

  private func issuesOfAnyCount(_ body: () -> Void) -> [Issue] {
    let issues = Issues()
    withKnownIssue(isIntermittent: true) {
      body()
    } matching: { issue in
      issues.add(issue)
      return true
    }
    return issues.all
  }

  @Test func objectsAreEqualWhereTheyAreTheSame() {
    let ref = Ref(1)
    #expect(isExpected(ref, ref))
    #expect(!isExpected(Ref(1), Ref(2)))
    #expect(!isExpected(Ref(1), Ref(1)))
  }

  @Test func partsThatCannotBeComparedDiffer() {
    #expect(!isExpected(Wrapped(name: "a"), Wrapped(name: "a")))
    #expect(!isExpected(Wrapped(name: "a", reference: Ref(1)), Wrapped(name: "a", reference: Ref(2))))
  }

  private enum NetworkError: Error { case offline }
  private enum StorageError: Error { case offline }
  private struct Nested: Error { var underlying: any Error }

  @Test func typesOfPartsAreNamedThatLookAlike() {
    let issues = issuesOfAnyCount {
      marbles { m in
        let source = m.cold("-#", error: Nested(underlying: StorageError.offline))
        m.expect(source.signal, "-#", error: Nested(underlying: NetworkError.offline))
      }
    }
    let message = issues.first?.comments.first?.rawValue ?? ""
    #expect(
      message.contains("A part of it is of another type: expected NetworkError, got StorageError."), "\(message)")
  }

  @Test func casesAreComparedByTheirNames() {
    #expect(isExpected(Failure.offline, Failure.offline))
    #expect(!isExpected(Failure.offline, Failure.busy))
    #expect(isExpected(Failure.status(1), Failure.status(1)))
    #expect(!isExpected(Failure.status(1), Failure.status(2)))
    #expect(!isExpected(Failure.status(1), Failure.offline))
  }

  @Test func structuresAreComparedByTheirParts() {
    #expect(isExpected(Plain(codes: [1, 2], text: "a"), Plain(codes: [1, 2], text: "a")))
    #expect(!isExpected(Plain(codes: [1, 2], text: "a"), Plain(codes: [1, 2], text: nil)))
    #expect(!isExpected(Plain(codes: [1, 2], text: "a"), Plain(codes: [1, 3], text: "a")))
    #expect(!isExpected(Plain(codes: [1, 2], text: "a"), Plain(codes: [1], text: "a")))
  }

  @Test func failureNamesTheWayOut() {
    let message = failure(offset: 3) {
      marbles { m in
        let source = m.cold("-#", error: Ref(1))
        m.expect(source.signal, "-#", error: Ref(1))
      }
    }
    #expect(message.contains("ErrorPattern"), "\(message)")
  }
}
