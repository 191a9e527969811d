public import Signals
import Synchronization

/// Keeps what leaks, beyond the end of a test.
public final class Keeper: Sendable {
  /// The one that all tests share.
  public static let shared = Keeper()

  private let kept = Mutex<[any Sendable]>([])
  // Safe: only ever appended to, under the lock, and never read.
  private nonisolated(unsafe) var others: [AnyObject] = []

  /// Keeps something for as long as the process lives.
  public func keep(_ object: any Sendable) { kept.withLock { $0.append(object) } }

  /// Never returns, whether its task is cancelled or not.
  public func waitForEver() async { await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in } }

  /// Keeps an object that only the test uses.
  public func keepAnything(_ object: AnyObject) { kept.withLock { _ in others.append(object) } }
}

extension Signal {
  /// A faulty operator: somebody else keeps its observer.
  public func observerKept(
    in keeper: Keeper,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> {
    unsafeLift(Site("observerKept", fileID: fileID, line: line, function: function)) { downstream in
      let receive = downstream.receive
      keeper.keep(receive)
      return Observer(for: downstream) { value in try receive(value) }
    }
  }

  /// A faulty operator: it ends what is below it, and lets what is above it go on.
  public func firstWithoutStopping(
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> {
    unsafeLift(Site("firstWithoutStopping", fileID: fileID, line: line, function: function)) { downstream in
      let receive = downstream.receive
      let end = downstream.end
      let isOver = Atomic(false)
      return Observer(for: downstream) { value in
        if isOver.exchange(true, ordering: .relaxed) { return }
        try receive(value)
        end(.finished)
      } end: { _ in
      }
    }
  }
}
