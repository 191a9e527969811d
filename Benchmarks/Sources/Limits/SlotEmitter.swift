import Synchronization

/// A hand-written emitter that observers also leave, in constant time: slots behind a mutex, and a list of free ones.
public final class SlotEmitter: @unchecked Sendable {
  private struct State {
    var observers: ContiguousArray<((Int) -> Void)?> = []
    var free: ContiguousArray<Int> = []
  }

  // Safe: touched only under the mutex.
  private let mutex = Mutex(())
  @exclusivity(unchecked) private var state = State()

  /// Makes an emitter without observers.
  public init() {}

  /// Adds an observer.
  public func subscribe(_ observer: @escaping (Int) -> Void) -> SlotToken { SlotToken(self, add(observer)) }

  /// Calls all observers.
  public func send(_ value: Int) {
    mutex.withLock { _ in
      for observer in state.observers { observer?(value) }
    }
  }

  func add(_ observer: @escaping (Int) -> Void) -> Int {
    mutex.withLock { _ in
      if let slot = state.free.popLast() {
        state.observers[slot] = observer
        return slot
      }
      state.observers.append(observer)
      return state.observers.count - 1
    }
  }

  func remove(_ slot: Int) {
    mutex.withLock { _ in
      state.observers[slot] = nil
      state.free.append(slot)
    }
  }
}

/// Ends one subscription.
public final class SlotToken {
  private let emitter: SlotEmitter
  private let slot: Int

  init(_ emitter: SlotEmitter, _ slot: Int) {
    self.emitter = emitter
    self.slot = slot
  }

  /// Leaves the emitter.
  public func dispose() { emitter.remove(slot) }
}
