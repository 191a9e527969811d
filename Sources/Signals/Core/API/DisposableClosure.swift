/// A closure that can be given away and taken back: once it is disposed, calling it does nothing, and what it captured is freed.
///
/// ```swift
/// let bag = DisposeBag()
/// let greet = DisposableClosure { (name: String) in print("Hello, \(name)") }
/// greet.store(in: bag)
/// greet("Ada")
/// bag.disposeAll()
/// greet("Ada")  // Prints nothing.
/// ```
///
/// Holders of a disposed closure retain an empty object only. Use it for an API that is not a signal and retains its
/// closures for too long.
///
/// It may be called and disposed on any thread. After `dispose()` has returned, no call begins; one that is running on
/// another thread may still complete (law 7). The captures are released then, or when that call returns.
public final class DisposableClosure<Input, Output>: Disposable {
  private let closure: TakenOnce<@Sendable (Input) -> Output>

  /// Creates a closure that can be disposed.
  ///
  /// - Parameter closure: The closure to call until then. No lock is held while it runs.
  public init(_ closure: @escaping @Sendable (Input) -> Output) {
    self.closure = TakenOnce(closure)
  }

  /// Calls the closure.
  ///
  /// - Parameter input: The argument of the closure.
  /// - Returns: The result of the closure; nil if it was disposed.
  @discardableResult
  public func callAsFunction(_ input: Input) -> Output? {
    closure.current?(input)
  }

  /// Releases the closure. Calling it again does nothing.
  public func dispose() {
    // Released here, without the lock: that may run any code.
    withExtendedLifetime(closure.take()) {}
  }

  /// Whether it was disposed.
  public var isDisposed: Bool { closure.isTaken }
}

extension DisposableClosure where Input == Void {
  /// Calls the closure.
  ///
  /// - Returns: The result of the closure; nil if it was disposed.
  @discardableResult
  public func callAsFunction() -> Output? { callAsFunction(()) }
}
