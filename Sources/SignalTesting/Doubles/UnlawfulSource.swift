public import Signals
import Synchronization

/// A source that breaks the contract of signals on purpose: it sends after the end, after disposal, or in the middle of a value.
///
/// No source of the library can do that. Use it for custom operators and bridges that take events from elsewhere, and
/// have to cope.
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
/// Operators of the library rely on the contract. Between such a source and one of them nothing is guaranteed, and two
/// threads that send at once can corrupt memory. So send on one thread, and put the code under test directly below.
public final class UnlawfulSource<Value: Sendable>: Sendable {
  private struct Target: Sendable {
    let receive: @Sendable (Value) throws -> Void
    let end: @Sendable (Completion) -> Void
  }

  private final class Targets: Sendable {
    let list = Mutex<[Target]>([])
  }

  private let targets: Targets
  /// The source. Subscribers stay, even when they have left or the source has ended.
  public let signal: Signal<Value>

  /// Creates a source.
  public init(fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function) {
    let targets = Targets()
    self.targets = targets
    let site = Site("unlawful", fileID: fileID, line: line, function: function)
    // The observer below is retained and called in any state: that is the purpose.
    signal = Signal<Value>.never().unsafeLift(site) { downstream in
      let target = Target(receive: downstream.receive, end: downstream.end)
      targets.list.withLock { $0.append(target) }
      return Observer(for: downstream, receive: target.receive)
    }
  }

  /// The number of subscriptions to the source.
  public var subscriptionCount: Int { targets.list.withLock { $0.count } }

  /// Sends a value to all past and present subscribers, whatever their state. An error that they throw is dropped.
  ///
  /// - Parameter value: The value.
  public func send(_ value: Value) {
    for target in targets.list.withLock({ $0 }) { try? target.receive(value) }
  }

  /// Sends the regular end to all past and present subscribers, even repeatedly.
  public func finish() {
    for target in targets.list.withLock({ $0 }) { target.end(.finished) }
  }

  /// Sends a failure to all past and present subscribers, even repeatedly.
  ///
  /// - Parameter error: The error.
  public func fail(_ error: any Error) {
    for target in targets.list.withLock({ $0 }) { target.end(.failed(error)) }
  }
}
