import Synchronization

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
/// Whoever has it keeps only the empty shell afterwards. Use it where something that is not a signal wants a closure and keeps it for longer than it
/// should.
///
/// It may be called and disposed on any thread. After `dispose()` has returned, no call begins; one that is running on another thread may still
/// complete (law 7). What the closure captured is freed then, or when that call returns.
public final class DisposableClosure<Input, Output>: Disposable {
  private let closure: Mutex<(@Sendable (Input) -> Output)?>

  /// Makes a closure that can be disposed.
  ///
  /// - Parameter closure: What is called until then. No lock is held while it runs.
  public init(_ closure: @escaping @Sendable (Input) -> Output) {
    self.closure = Mutex(closure)
  }

  /// Calls the closure.
  ///
  /// - Parameter input: What the closure gets.
  /// - Returns: What it returned; nil if it was disposed.
  @discardableResult
  public func callAsFunction(_ input: Input) -> Output? {
    closure.withLock { $0 }?(input)
  }

  /// Lets go of the closure. Calling it again does nothing.
  public func dispose() {
    let content = closure.withLock { stored in
      defer { stored = nil }
      return stored
    }
    // Released here, without the lock: that may run any code.
    withExtendedLifetime(content) {}
  }

  /// Whether it was disposed.
  public var isDisposed: Bool { closure.withLock { $0 == nil } }
}

extension DisposableClosure where Input == Void {
  /// Calls the closure.
  ///
  /// - Returns: What it returned; nil if it was disposed.
  @discardableResult
  public func callAsFunction() -> Output? { callAsFunction(()) }
}
