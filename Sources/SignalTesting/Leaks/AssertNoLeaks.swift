import Signals

// The synchronous overload is disfavoured, so that an asynchronous test uses the asynchronous one, which never blocks a
// thread.

/// Runs a closure and fails if an object created in it is still alive afterwards.
///
/// It checks subscriptions that are created while the closure runs, whatever they subscribe to, scheduled work, and
/// tasks. There are five kinds of leaks: a subscription that was never disposed, one that has ended but whose closures
/// are still retained, one that has ended but whose upstream is still connected, scheduled work that is still pending,
/// and a task that has not finished. Each is reported with its chain up to the source, at the line that created the
/// subscription.
///
/// ```swift
/// final class SearchModel {
///   let bag = DisposeBag()
///
///   init(_ keystrokes: Signal<String>) {
///     keystrokes.subscribe { text in print(text) }.store(in: bag)
///   }
/// }
///
/// @Test func searching() {
///   let keystrokes = Emitter<String>()
///   assertNoLeaks {
///     let model = SearchModel(keystrokes.signal)
///     keystrokes.send("swift")
///     withExtendedLifetime(model) {}
///   }
/// }
/// ```
///
/// - The scope: everything created in the closure's task and its child tasks; in other threads and detached tasks,
///   everything built on sources and schedulers that were created in the scope. Concurrent tests do not interfere. Of
///   nested scopes, the inner one checks the objects that are created in it.
/// - Time: under a `VirtualTimeScheduler` the result is exact and immediate. The check waits, at most 10 s, for work
///   that is in a real queue without a delay, such as a value that passes `receive(on:)`; work that waits for its
///   deadline is a leak. The main queue runs while the main thread waits, but not inside an actor-isolated task: use
///   the `async` overload there.
/// - If it fails, it disposes the leaked subscriptions, to find out whether a closure of a chain captures the owner of
///   the chain: that is a retain cycle.
/// - Tasks: those of the scope's virtual-time schedulers and of operators, and loops over `values()`; under virtual time also a `Task { }`.
/// - With the environment variable `SIGNALS_TRACE_CREATION=1` it prints the backtrace of a leak's creation.
/// - If the closure throws, nothing is checked.
///
/// Works under Swift Testing and XCTest.
///
/// - Parameters:
///   - names: Names given with `named(_:)`: chains that contain one of them may stay alive.
///   - allowed: The same, for known leaks: the check fails as soon as a name is no longer needed.
///   - body: Creates the subscriptions, and releases them.
/// - Returns: The result of the closure. A returned subscription is still alive, so it is a leak.
/// - Throws: Rethrows the errors of the closure.
@discardableResult
@_disfavoredOverload
public func assertNoLeaks<Result>(
  ignoring names: Set<String> = [], allowing allowed: Set<String> = [],
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
  _ body: () throws -> Result
) rethrows -> Result {
  let check = LeakCheck(ignoring: names, allowing: allowed, failures: nil)
  let result = try check.record(body)
  let place = MarbleSource(fileID: fileID, filePath: filePath, line: line, column: column)
  check.finish(check.leaks(), at: place, holding: result)
  return result
}

/// Runs an asynchronous closure and fails if an object created in it is still alive afterwards; see the synchronous
/// overload.
///
/// Tasks that the closure starts and does not await may still be running at the check, and then are leaks: await them.
///
/// - Parameters:
///   - names: Names given with `named(_:)`: chains that contain one of them may stay alive.
///   - allowed: The same, for known leaks: the check fails as soon as a name is no longer needed.
///   - isolation: The isolation of the closure: by default the caller's.
///   - body: Creates the subscriptions, and releases them.
/// - Returns: The result of the closure. A returned subscription is still alive, so it is a leak.
/// - Throws: Rethrows the errors of the closure.
@discardableResult
public func assertNoLeaks<Result>(
  ignoring names: Set<String> = [], allowing allowed: Set<String> = [],
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
  isolation: isolated (any Actor)? = #isolation,
  _ body: () async throws -> Result
) async rethrows -> Result {
  let check = LeakCheck(ignoring: names, allowing: allowed, failures: nil)
  let result = try await check.record(body)
  let leaks = await check.leaks()
  let place = MarbleSource(fileID: fileID, filePath: filePath, line: line, column: column)
  check.reportUnusedAllowances(at: place)
  // Safe: only looked at, while this waits.
  nonisolated(unsafe) let holders = [PropertyPath.Holder(name: "the result of the closure", value: result)]
  await LeakCheck.onMainActor(if: !leaks.isEmpty && isolation == nil) {
    check.conclude(leaks, at: place, holders: holders)
  }?.record()
  return result
}

extension LeakCheck {
  /// Reports the leaks, and superfluous allowances.
  fileprivate func finish<Result>(_ leaks: [Leak], at place: MarbleSource, holding result: Result) {
    reportUnusedAllowances(at: place)
    conclude(leaks, at: place, holders: [PropertyPath.Holder(name: "the result of the closure", value: result)])?
      .record()
  }

  fileprivate func reportUnusedAllowances(at place: MarbleSource) {
    for name in unusedAllowances() {
      report(Allowances.message(name, in: "the scope at \(place.fileName):\(place.line)"), at: place)
    }
  }
}
