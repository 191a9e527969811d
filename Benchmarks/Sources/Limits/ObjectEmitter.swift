import Synchronization

/// A hand-written emitter for ``OneObjectChain``: references in slots behind a mutex.
public final class ObjectEmitter: @unchecked Sendable {
  // Safe: touched only under the mutex.
  private let mutex = Mutex(())
  @exclusivity(unchecked) private var chains: ContiguousArray<OneObjectChain?> = []
  @exclusivity(unchecked) private var free: ContiguousArray<Int> = []

  /// Makes an emitter without observers.
  public init() {}

  /// Adds a chain.
  public func subscribe(_ onValue: @escaping (Int) -> Void) -> OneObjectChain {
    let chain = OneObjectChain(self, onValue)
    mutex.withLock { _ in
      if let slot = free.popLast() {
        chains[slot] = chain
        chain.slot = slot
      } else {
        chain.slot = chains.count
        chains.append(chain)
      }
    }
    return chain
  }

  /// Calls all observers.
  public func send(_ value: Int) {
    mutex.withLock { _ in
      for chain in chains { chain?.receive(value) }
    }
  }

  func remove(_ slot: Int) {
    mutex.withLock { _ in
      chains[slot] = nil
      free.append(slot)
    }
  }
}

/// A whole chain (one more, unless it is seven, times three) as one object, which is also its subscription.
public final class OneObjectChain {
  private let onValue: (Int) -> Void
  private unowned let emitter: ObjectEmitter
  fileprivate var slot = 0

  fileprivate init(_ emitter: ObjectEmitter, _ onValue: @escaping (Int) -> Void) {
    self.emitter = emitter
    self.onValue = onValue
  }

  /// Takes a value.
  fileprivate func receive(_ value: Int) {
    let raised = value &+ 1
    if raised != 7 { onValue(raised &* 3) }
  }

  /// Leaves the emitter.
  public func dispose() { emitter.remove(slot) }
}
