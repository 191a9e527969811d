import CTaskHooks
import Signals
import Synchronization
public import Testing

/// Runs an asynchronous test in virtual time, with the clocks of the system.
///
/// ```swift
/// import Foundation
///
/// @Test(.virtualTime) func isOldAfterADay() async throws {
///   let start = Date()
///   try await Task.sleep(for: .seconds(86_400))
///   #expect(Date().timeIntervalSince(start) == 86_400)
/// }
/// ```
///
/// On a suite it applies to every test in it. Such tests run on the main thread, one after the other, so that the main
/// actor is in virtual time too. The limits are a year of virtual time, and ten million work items in one stretch. A
/// test fails for the same reasons as one in
/// ``withVirtualTime(systemTime:timeLimit:workLimit:chooser:isolation:fileID:filePath:line:column:_:)``.
public struct VirtualTimeTrait: TestTrait, SuiteTrait, TestScoping {
  let systemTime: SystemTime

  /// A trait on a suite applies to the tests in it.
  public var isRecursive: Bool { true }

  /// Provides a scope around each case of a test. Swift Testing calls this.
  ///
  /// - Parameters:
  ///   - test: The test, or a suite.
  ///   - testCase: The test case; `nil` for all cases of a test, and for a suite.
  public func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? { testCase == nil ? nil : self }

  /// Runs a test case. Swift Testing calls this.
  ///
  /// - Parameters:
  ///   - test: The test.
  ///   - testCase: The test case.
  ///   - function: Runs the test case.
  /// - Throws: Rethrows the errors of the test case.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let source = MarbleSource(test.sourceLocation)
    try await withoutActuallyEscaping(function) { function in
      let body = TestBody(function)
      defer { body.conclude() }
      try await MainActor.run {
        try runInVirtualTime(
          VirtualTimeLimits(
            systemTime: systemTime, timeLimit: .seconds(366 * 86_400), workLimit: 10_000_000, form: .trait),
          at: source, Site("virtualTime", fileID: "", line: 0, function: "")
        ) { _ in try await ScopesInVirtualTime.runInWaiting { try await body.run() } }
      }
    }
  }
}

/// The body of a test, which may never return: then its task keeps the closure, although it must not escape.
// Safe: the closure is stored once and called once; `isRunning` is atomic.
private final class TestBody: @unchecked Sendable {
  typealias Function = @Sendable () async throws -> Void

  /// A closure as the test framework has it, which a generic type would wrap in another one.
  private struct Closure { let call: Function }

  private let function: UnsafeMutablePointer<Closure>
  private let isRunning = Atomic(false)

  init(_ function: @escaping Function) {
    self.function = .allocate(capacity: 1)
    self.function.initialize(to: Closure(call: function))
  }

  func run() async throws {
    isRunning.store(true, ordering: .relaxed)
    defer { isRunning.store(false, ordering: .releasing) }
    try await function.pointee.call()
  }

  /// Releases the closure, or leaves it to a task that never ends.
  func conclude() {
    guard isRunning.load(ordering: .acquiring) else {
      function.deinitialize(count: 1)
      function.deallocate()
      return
    }
    // Safe: a closure is the addresses of a function and of its context. The test has failed, and nothing resumes its task any
    // more, or else it would use what the test framework has released, with or without this.
    let (_, context) = unsafeBitCast(function.pointee, to: (UnsafeRawPointer, UnsafeMutableRawPointer?).self)
    task_hooks_abandon_closure(context)
  }
}

extension Trait where Self == VirtualTimeTrait {
  /// Runs an asynchronous test in virtual time, in which `Task.sleep`, `Date()` and dispatch queues are too.
  public static var virtualTime: VirtualTimeTrait { virtualTime(.virtual) }

  /// Runs an asynchronous test in virtual time.
  ///
  /// - Parameter systemTime: What the system's clocks show, and where sleeps on them and work for dispatch queues go.
  /// - Returns: The trait.
  public static func virtualTime(_ systemTime: SystemTime) -> VirtualTimeTrait {
    VirtualTimeTrait(systemTime: systemTime)
  }
}
