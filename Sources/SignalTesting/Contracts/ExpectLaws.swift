public import Signals

/// Checks an operator against the laws, and fails the test if it breaks one.
///
/// ```swift
/// extension Signal {
///   func everyOther(
///     fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
///   ) -> Signal<Value> {
///     lift(Site("everyOther", fileID: fileID, line: line, function: function), state: false) { isNext, value, downstream in
///       if isNext { try downstream.send(value) }
///       isNext.toggle()
///     }
///   }
/// }
///
/// @Test func everyOtherKeepsTheLaws() {
///   expectLaws(of: "everyOther") { $0.everyOther() }
/// }
/// ```
///
/// See ``expectLaws(of:patience:fileID:filePath:line:column:)`` for what is checked, and for operators that take a scheduler, a closure or another
/// signal.
///
/// - Parameters:
///   - name: What the message calls the operator.
///   - delivers: What becomes of the upstream's values; nil if that is not to be checked.
///   - build: Applies the operator. It is called for each check anew.
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
/// The operator is built again and again on sources that never send, send nothing, one value, many values, fail, do not end, and deliver inside
/// `subscribe`; with subscribers that leave early, send, end, subscribe and dispose while they are called; with closures that throw; with several threads. All
/// cases are in ``OperatorCheck``. Much is found by comparing two runs that have to come out the same, so an operator need not be described; what is
/// described in the ``OperatorContract`` is checked too.
///
/// ```swift
/// extension Signal {
///   func later(by interval: Duration, on scheduler: any Scheduler) -> Signal<Value> {
///     delay(for: interval, on: scheduler).named("later")
///   }
/// }
///
/// @Test func laterKeepsTheLaws() {
///   expectLaws(
///     of: OperatorContract("later", delivery: .scheduled, delivers: { $0 }) { upstream, inputs in
///       upstream.later(by: inputs.rest, on: inputs.scheduler)
///     })
/// }
/// ```
///
/// The first law that is broken is reported, with the case, and what was expected and what came as marble diagrams:
///
/// ```text
/// "every" breaks law 9, upstream release: an end that is the operator's own
///
///   expected  -----1----(2|)
///   actual    -----1----(2|)
///
///   The operator has ended, but 1 subscription to its upstream is left.
///   To do: when the operator ends by itself, end the upstream too: …
/// ```
///
/// What follows is then not checked: mend the operator and run the test again. An operator that never comes back from a call is given up after a minute; its thread
/// stays where it is.
///
/// Everything runs under virtual time, on threads that belong to the check, and takes well under a second. Works under Swift Testing and XCTest.
///
/// - Parameters:
///   - contract: The operator, and what it promises.
///   - patience: How long to wait for something that a working operator does at once, before its absence is reported.
public func expectLaws<Output: Sendable & Equatable>(
  of contract: OperatorContract<Output>, patience: Duration = .seconds(10),
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) {
  let place = MarbleSource(fileID: fileID, filePath: filePath, line: line, column: column)
  if let message = ContractChecks(contract, patience: patience).firstProblem() { report(message, at: place) }
}
