/// Runs what a task or a service does. Whatever the graph shows of it belongs to an owner of this name: subscriptions, traced sequences, steps.
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
/// What is made in child tasks and in a `Task { }` of the closure belongs to it too; of owners inside each other the innermost counts, and a
/// subscription's own owner before it. When the closure returns, or throws, the owner is gone: what of it is still alive is told as leaked. For a stretch that
/// does not end with a closure, there is ``GraphScope``. It costs next to nothing while the graph is off.
///
/// - Parameters:
///   - name: What the owner is called in snapshots.
///   - isolation: Where the closure runs: by default where it is called.
///   - body: What the task does.
/// - Returns: What the closure returned.
/// - Throws: What the closure throws.
public func withGraphOwner<Result>(
  _ name: String, isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
) async rethrows -> Result {
  let scope = GraphScope(name)
  defer { scope.end() }
  return try await scope.run(isolation: isolation, body)
}
