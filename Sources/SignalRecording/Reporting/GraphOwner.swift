/// Runs the work of a task or a service. Everything that the graph shows of it belongs to an owner of this name:
/// subscriptions, traced sequences, steps.
///
/// ```swift
/// import SignalRecording
///
/// func show(_ prices: AsyncStream<Double>) async {
///   await withGraphOwner("PriceService") {
///     // Loops, subscriptions and child tasks.
///     for await price in prices { print(price) }
///   }
/// }
/// ```
///
/// Objects created in child tasks and in a `Task { }` of the closure belong to it too; of nested owners the innermost
/// counts, and a subscription's own owner takes precedence. When the closure returns or throws, the owner is gone: its
/// objects that are still alive are reported as leaked. For a period that does not end with a closure, use
/// ``GraphScope``. It costs next to nothing while the graph is off.
///
/// - Parameters:
///   - name: The owner's name in snapshots.
///   - isolation: The isolation of the closure: by default the caller's.
///   - body: The work.
/// - Returns: The result of the closure.
/// - Throws: Rethrows the errors of the closure.
public func withGraphOwner<Result>(
  _ name: String, isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
) async rethrows -> Result {
  let scope = GraphScope(name)
  defer { scope.end() }
  return try await scope.run(isolation: isolation, body)
}
