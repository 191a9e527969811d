import Signals
import Testing

/// The checks of traits that surround a test in virtual time, whatever the order of its traits: the end of virtual time cancels what
/// lives on, so they have to look before it.
enum ScopesInVirtualTime {
  /// A check around a test.
  typealias Scope = @Sendable (_ body: @Sendable () async throws -> Void) async throws -> Void

  /// The checks that wait for virtual time to begin, the outermost first.
  @TaskLocal private static var waiting: [Scope] = []

  /// Runs a test in a check, which is put inside virtual time if that is still to begin.
  static func run(
    _ test: Test, in scope: @escaping Scope, performing function: @Sendable () async throws -> Void
  ) async throws {
    if VirtualWorld.current != nil { return try await scope { try await settling(function) } }
    guard test.traits.contains(where: { $0 is VirtualTimeTrait }) else { return try await scope(function) }
    try await $waiting.withValue(waiting + [scope]) { try await function() }
  }

  /// Runs a test, in virtual time, in the checks that waited for it.
  static func runInWaiting(_ body: @escaping @Sendable () async throws -> Void) async throws {
    let scopes = waiting
    try await $waiting.withValue([]) { try await run(scopes[...]) { try await settling(body) } }
  }

  private static func run(
    _ scopes: ArraySlice<Scope>, _ body: @escaping @Sendable () async throws -> Void
  ) async throws {
    guard let first = scopes.first else { return try await body() }
    try await first { try await run(scopes.dropFirst(), body) }
  }

  /// Runs a test, and then the work that is due, such as that of tasks which the test has just cancelled.
  private static func settling(_ body: @Sendable () async throws -> Void) async throws {
    let outcome: Result<Void, any Error>
    do { outcome = .success(try await body()) } catch { outcome = .failure(error) }
    if let scheduler = VirtualWorld.ofCurrentTask?.scheduler {
      // Work that reschedules itself at once never settles. A yield takes two work items.
      for _ in 0..<1_000 {
        let count = scheduler.ranCount
        await scheduler.yield()
        if scheduler.ranCount <= count + 2 { break }
      }
    }
    try outcome.get()
  }
}
