/// Delivers whether the latest value of at least one signal is `true`, once each has delivered one, and again with each
/// further value.
///
/// ![anySatisfy, as a marble diagram](anySatisfy)
///
/// ```text
/// source   -f---t------|
/// other    ---f----f---|
///          anySatisfy([source, other])
/// result   ---f-t--t---|
///
/// t = true, f = false
/// ```
///
/// ```swift
/// let bag = DisposeBag()
/// let (isLoading, isSaving) = (Property(false), Property(false))
/// anySatisfy([isLoading.signal, isSaving.signal])
///   .removeDuplicates()
///   .subscribe { isBusy in print(isBusy ? "please wait" : "ready") }
///   .store(in: bag)
/// ```
///
/// - **Errors:** fails with the first failure of any signal, and unsubscribes from the others.
/// - **Ends:** when all have finished, or when one finishes without a value (law 16). Without signals, delivers `false`
///   and finishes, both at once.
/// - **Order and threads:** the inputs are subscribed to in their order. A result is delivered where the value that
///   causes it is, one at a time.
/// - **Endless inputs:** one that delivers inside subscribe blocks later inputs: subscribing does not return.
/// - **Allocations:** none for a result.
/// - Parameter inputs: The signals.
/// - Complexity: O(1) for a result.
///
/// See also ``allSatisfy(_:fileID:line:function:)``, ``combineLatest(_:fileID:line:function:)`` for other values, and
/// ``Signal/anySatisfy(fileID:line:function:_:)`` for all values of one signal.
@inlinable
public func anySatisfy(
  _ inputs: [Signal<Bool>],
  fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
) -> Signal<Bool> {
  latestAnswers(
    Site(
      "anySatisfy", behavior: [.passesOn, .runsNoClosure, .combinesLatest, .needsEachInput], fileID: fileID, line: line,
      function: function), inputs
  ) { $0 > 0 }
}
