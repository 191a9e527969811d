public import Signals

/// Checks an operator against the laws, and fails the test if it breaks one.
///
/// One line suffices for an operator whose only input is its upstream:
///
/// ```swift
/// extension Signal {
///   func every(
///     _ count: Int, fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
///   ) -> Signal<Value> {
///     lift(Site("every", fileID: fileID, line: line, function: function), state: 0) { seen, value, downstream in
///       seen += 1
///       if seen.isMultiple(of: count) { try downstream.send(value) }
///     }
///   }
/// }
///
/// @Test func everyKeepsTheLaws() {
///   expectLaws(of: "every") { $0.every(2) }
/// }
/// ```
///
/// See ``expectLaws(of:patience:fileID:filePath:line:column:)`` for the checks, and for operators that take a
/// scheduler, a closure or another signal.
///
/// - Parameters:
///   - name: The operator's name in messages.
///   - delivers: The output for values of the upstream with time between them; nil to skip this check.
///   - build: Applies the operator. It is called for each run, on threads of the check.
public func expectLaws<Output: Sendable & Equatable>(
  of name: String, delivers: (@Sendable ([Int]) -> [Output])? = nil,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
  _ build: @escaping @Sendable (_ upstream: Signal<Int>) -> Signal<Output>
) {
  expectLaws(
    of: OperatorContract(name, delivers: delivers) { upstream, _ in build(upstream) }, fileID: fileID,
    filePath: filePath, line: line, column: column)
}

/// Checks an operator against the laws, and fails the test if it breaks one.
///
/// The operator is built repeatedly: on sources that never send, send nothing, one value, up to 300 values from -2 to
/// 24, fail, do not end, and deliver inside `subscribe`; with subscribers that stop early, send, end, subscribe and
/// dispose while they are called; with closures that throw; with several threads. ``OperatorCheck`` lists all cases.
/// Most compare two runs that must have the same result, so an operator need not be described; the declarations of its
/// ``OperatorContract`` are checked too.
///
/// A time-based operator takes its scheduler and its time from the inputs, and declares where its events arrive. One that
/// schedules each event by itself breaks law 14, because a scheduler may run work of the same instant on several threads:
///
/// ```swift
/// extension Signal {
///   func late(by interval: Duration, on scheduler: any Scheduler) -> Signal<Value> {
///     delay(for: interval, on: scheduler)
///   }
/// }
///
/// @Test func lateKeepsTheLaws() {
///   expectLaws(
///     of: OperatorContract("late", delivery: .scheduled, delivers: { $0 }) { upstream, inputs in
///       upstream.late(by: inputs.rest, on: inputs.scheduler)
///     })
/// }
/// ```
///
/// The first violated law is reported, with the case. Diagrams show the expected and the actual events, one `-` for a
/// ``OperatorContract/frame``; the source sends its values five frames apart:
///
/// ```text
/// "mapWherePossible" breaks law 11, thrown errors: a closure of the operator that throws
///
///   expected  -----1----2----#
///   actual    -----1----2-----
///                            ^
///
///   frame 15: missing # (the error of the closure)
///
///   The closure throws when it is called with 3.
///   To do: let an error that a closure throws propagate out of the operator, or pass it on as the failure of the signal.
///   If this is intended, pass exemptions: [.throwingClosure: "why"].
/// ```
///
/// Later checks are skipped then: fix the operator, and run the test again.
///
/// Everything runs under virtual time and takes well under a second. The checks run on separate threads, while the
/// caller's waits. If a call into the operator hangs, the check stops after a minute, and its thread stays blocked.
/// Works under Swift Testing and XCTest.
///
/// - Parameters:
///   - contract: The operator and its promises.
///   - patience: The timeout, in real time, for events that a working operator delivers at once.
public func expectLaws<Output: Sendable & Equatable>(
  of contract: OperatorContract<Output>, patience: Duration = .seconds(10),
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) {
  let place = MarbleSource(fileID: fileID, filePath: filePath, line: line, column: column)
  if let problem = ContractChecks(contract, patience: patience).firstProblem() { report(problem, at: place) }
}
