public import Signals
import Synchronization

/// A source that breaks the contract of signals on purpose: it sends after the end, after disposal, or in the middle of a value.
///
/// No source of the library can do that. It is for operators and bridges of your own that take events from elsewhere, and have to cope.
///
/// ```swift
/// @Test func theFirstEndCounts() {
///   let source = UnlawfulSource<Int>()
///   let recorder = Signal<Int> { producer in
///     producer.own(source.signal.subscribeToEvents { producer.send(event: $0) })
///   }.record()
///   source.send(1)
///   source.finish()
///   source.send(2)
///   source.finish()
///   #expect(recorder.values == [1])
///   #expect(recorder.events.count == 2)
/// }
/// ```
///
/// Operators of the library rely on the contract. Between such a source and one of them nothing is promised, and two threads that send at once can
/// corrupt memory. So send on one thread, and put what is under test directly below.
public final class UnlawfulSource<Value: Sendable>: Sendable {
  private struct Target: Sendable {
    let receive: @Sendable (Value) throws -> Void
    let end: @Sendable (Completion) -> Void
  }

  private final class Targets: Sendable {
    let list = Mutex<[Target]>([])
  }

  private let targets: Targets
  /// The source, to build on. Subscribers stay, also when they have left or the source has ended.
  public let signal: Signal<Value>

  /// Makes a source.
  public init(fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function) {
    let targets = Targets()
    self.targets = targets
    let site = Site("unlawful", fileID: fileID, line: line, function: function)
    // What is below is kept, and called whatever happens: that is the purpose.
    signal = Signal<Value>.never().unsafeLift(site) { downstream in
      let target = Target(receive: downstream.receive, end: downstream.end)
      targets.list.withLock { $0.append(target) }
      return Observer(for: downstream, receive: target.receive)
    }
  }

  /// How often the source was subscribed to.
  public var subscriptionCount: Int { targets.list.withLock { $0.count } }

  /// Sends a value to everybody who ever subscribed, whatever has become of them. An error that they throw is dropped.
  ///
  /// - Parameter value: The value.
  public func send(_ value: Value) {
    for target in targets.list.withLock({ $0 }) { try? target.receive(value) }
  }

  /// Sends the regular end to everybody who ever subscribed, perhaps not for the first time.
  public func finish() {
    for target in targets.list.withLock({ $0 }) { target.end(.finished) }
  }

  /// Sends a failure to everybody who ever subscribed, perhaps not for the first time.
  ///
  /// - Parameter error: The error.
  public func fail(_ error: any Error) {
    for target in targets.list.withLock({ $0 }) { target.end(.failed(error)) }
  }
}
