import Synchronization

/// A stretch of the program, such as a screen or a request, that its subscriptions should not outlive.
///
/// Subscriptions that are made inside ``run(_:)`` belong to the scope. Those that are still alive after ``end()`` are leaks: a snapshot marks
/// them, and `signal-viz` draws them in a colour of their own. It costs nothing while the graph is off.
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
  /// What the scope is called in snapshots.
  public let name: String
  private let ended = Atomic<Bool>(false)

  @TaskLocal private static var current: GraphScope?
  /// Whether any scope was ever run: before that, nobody need look for one.
  private static let isUsed = Atomic<Bool>(false)

  /// The scope of the innermost ``run(_:)`` around this.
  static var innermost: GraphScope? { isUsed.load(ordering: .relaxed) ? current : nil }

  /// Makes a scope.
  ///
  /// - Parameter name: What the scope is called in snapshots.
  public init(_ name: String) {
    self.name = name
  }

  /// Runs a closure whose subscriptions belong to the scope.
  ///
  /// Subscriptions that are made in child tasks and in a `Task { }` of the closure are included; those made on other threads are not. Of scopes
  /// inside each other, the innermost counts.
  ///
  /// - Parameter body: Makes subscriptions.
  /// - Returns: What the closure returned.
  /// - Throws: What the closure throws.
  @discardableResult
  public func run<Result>(_ body: () throws -> Result) rethrows -> Result {
    Self.isUsed.store(true, ordering: .relaxed)
    return try Self.$current.withValue(self, operation: body)
  }

  /// Runs an asynchronous closure whose subscriptions belong to the scope; see the synchronous form.
  ///
  /// - Parameters:
  ///   - isolation: Where the closure runs: by default where it is called.
  ///   - body: Makes subscriptions.
  /// - Returns: What the closure returned.
  /// - Throws: What the closure throws.
  @discardableResult
  public func run<Result>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
  ) async rethrows -> Result {
    Self.isUsed.store(true, ordering: .relaxed)
    return try await Self.$current.withValue(self, operation: body)
  }

  /// Notes that the scope is over: nothing of it should be alive.
  public func end() {
    ended.store(true, ordering: .releasing)
  }

  /// Whether the scope is over.
  public var isEnded: Bool { ended.load(ordering: .acquiring) }
}

/// Who a subscription belongs to.
package enum NodeOwner: Sendable {
  case scope(GraphScope)
  /// What belongs to an object ends with it, see ``OwnerBond``.
  case object(OwnerIdentity)

  /// An object, which the caller keeps.
  package init(_ object: AnyObject) {
    self = .object(.of(object))
  }

  var name: String {
    switch self {
    case .scope(let scope): scope.name
    case .object(let owner): owner.typeName
    }
  }

  /// What tells it from other objects; nil for a scope.
  var number: UInt64? {
    switch self {
    case .scope: nil
    case .object(let owner): owner.number
    }
  }

  /// Whether what belongs to it should be gone, but may be alive.
  var isOver: Bool {
    switch self {
    case .scope(let scope): scope.isEnded
    case .object: false
    }
  }
}
