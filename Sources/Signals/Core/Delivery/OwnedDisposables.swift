/// An object of an operator in which values wait for a scheduler, for a time or for a task.
protocol WaitingPlace {}

/// The disposables that an operator owns, its inputs and its scheduled work, in the order of adding.
///
/// Each has a key, which is not 0; later ones have greater keys, except for concurrent additions. Up to three items
/// need no memory.
struct OwnedDisposables {
  private struct Item {
    var key = 0
    var item: (any Disposable)?

    /// Removes the item.
    mutating func take() -> (any Disposable)? {
      key = 0
      return item.take()
    }
  }

  /// Filled in any order.
  private var first = Item()
  private var second = Item()
  private var third = Item()
  /// Sorted by key. A removed item leaves a gap, whose key stays. While this is not empty, no item is added to the
  /// three.
  private var others: ContiguousArray<Item> = []
  private var gapCount = 0

  /// Adds an item.
  ///
  /// - Complexity: O(1) amortised, where keys come in order.
  mutating func insert(_ item: any Disposable, for key: Int) {
    if others.isEmpty {
      if first.key == 0 { return first = Item(key: key, item: item) }
      if second.key == 0 { return second = Item(key: key, item: item) }
      if third.key == 0 { return third = Item(key: key, item: item) }
    }
    if let last = others.last, last.key > key {
      others.insert(Item(key: key, item: item), at: position(of: key))
    } else {
      others.append(Item(key: key, item: item))
    }
  }

  /// Whether there is an item with a key.
  ///
  /// - Complexity: O(log *n*).
  func contains(_ key: Int) -> Bool {
    if first.key == key || second.key == key || third.key == key { return true }
    let position = position(of: key)
    return position < others.count && others[position].key == key && others[position].item != nil
  }

  /// Removes an item.
  ///
  /// - Complexity: O(log *n*) amortised.
  mutating func remove(_ key: Int) -> (any Disposable)? {
    if first.key == key { return first.take() }
    if second.key == key { return second.take() }
    if third.key == key { return third.take() }
    let position = position(of: key)
    guard position < others.count, others[position].key == key, let item = others[position].item.take() else {
      return nil
    }
    gapCount += 1
    while let last = others.last, last.item == nil {
      others.removeLast()
      gapCount -= 1
    }
    if gapCount > 16, gapCount * 2 > others.count {
      others.removeAll { $0.item == nil }
      gapCount = 0
    }
    return item
  }

  /// Removes all items.
  mutating func takeAll() -> OwnedDisposables {
    defer { self = OwnedDisposables() }
    return self
  }

  /// Disposes all items, the newest first.
  func disposeAll() {
    for other in others.reversed() { other.item?.dispose() }
    var (newest, middle, oldest) = (first, second, third)
    if newest.key < middle.key { swap(&newest, &middle) }
    if middle.key < oldest.key { swap(&middle, &oldest) }
    if newest.key < middle.key { swap(&newest, &middle) }
    newest.item?.dispose()
    middle.item?.dispose()
    oldest.item?.dispose()
  }

  /// The subscriptions among the items.
  var inputs: [Subscription] { items.compactMap { $0 as? Subscription ?? ($0 as? BranchKeeper)?.upstream } }

  /// Whether values may wait in one of the items.
  var hasQueue: Bool { items.contains { $0 is any WaitingPlace } }

  private var items: [any Disposable] {
    [first.item, second.item, third.item].compactMap(\.self) + others.compactMap(\.item)
  }

  /// The position of the item with this key, or its insertion point: the keys before are smaller.
  private func position(of key: Int) -> Int {
    var (low, high) = (0, others.count)
    while low < high {
      let middle = (low + high) / 2
      if others[middle].key < key { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
