import Synchronization

/// A part of the program's run, such as a screen or a request, that its subscriptions should not outlive.
///
/// Subscriptions that are created inside ``run(_:)`` belong to the scope. Those that are still alive after ``end()``
/// are leaks: a snapshot flags them, and `signal-viz` draws them in a separate colour. It costs nothing while the graph
/// is off.
///
/// ```swift
/// let query = Property("marble")
/// let bag = DisposeBag()
/// let screen = GraphScope("search screen")
/// screen.run {
///   query.signal.subscribe { text in print(text) }.store(in: bag)
/// }
/// // When the screen goes away:
/// bag.disposeAll()
/// screen.end()
/// ```
public final class GraphScope: Sendable {
  /// The name of the scope in snapshots.
  public let name: String
  private let ended = Atomic<Bool>(false)

  @TaskLocal private static var current: GraphScope?
  /// Whether any scope was ever run: before that, the lookup is skipped.
  private static let isUsed = Atomic<Bool>(false)

  /// The scope of the innermost enclosing ``run(_:)``.
  static var innermost: GraphScope? { isUsed.load(ordering: .relaxed) ? current : nil }

  /// Creates a scope.
  ///
  /// - Parameter name: The name of the scope in snapshots.
  public init(_ name: String) {
    self.name = name
  }

  /// Runs a closure whose subscriptions belong to the scope.
  ///
  /// Subscriptions created in child tasks and in a `Task { }` of the closure are included; those created on other
  /// threads are not. Of nested scopes, the innermost counts.
  ///
  /// - Parameter body: Creates subscriptions.
  /// - Returns: The result of the closure.
  /// - Throws: Rethrows the errors of the closure.
  @discardableResult
  public func run<Result>(_ body: () throws -> Result) rethrows -> Result {
    Self.isUsed.store(true, ordering: .relaxed)
    return try Self.$current.withValue(self, operation: body)
  }

  /// Runs an asynchronous closure whose subscriptions belong to the scope; see the synchronous overload.
  ///
  /// - Parameters:
  ///   - isolation: The isolation of the closure: by default the caller's.
  ///   - body: Creates subscriptions.
  /// - Returns: The result of the closure.
  /// - Throws: Rethrows the errors of the closure.
  @discardableResult
  public func run<Result>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
  ) async rethrows -> Result {
    Self.isUsed.store(true, ordering: .relaxed)
    return try await Self.$current.withValue(self, operation: body)
  }

  /// Notes that the scope is over: none of its subscriptions should be alive.
  public func end() {
    ended.store(true, ordering: .releasing)
  }

  /// Whether the scope is over.
  public var isEnded: Bool { ended.load(ordering: .acquiring) }
}

/// The owner of a subscription.
package enum NodeOwner: Sendable {
  case scope(GraphScope)
  /// A subscription of an object ends with it, see ``OwnerBond``.
  case object(OwnerIdentity)

  /// An object, which the caller retains.
  package init(_ object: AnyObject) {
    self = .object(.of(object))
  }

  var name: String {
    switch self {
    case .scope(let scope): scope.name
    case .object(let owner): owner.typeName
    }
  }

  /// The number that distinguishes it from other objects; nil for a scope.
  var number: UInt64? {
    switch self {
    case .scope: nil
    case .object(let owner): owner.number
    }
  }

  /// Whether its subscriptions should be over, but may be alive.
  var isOver: Bool {
    switch self {
    case .scope(let scope): scope.isEnded
    case .object: false
    }
  }
}
