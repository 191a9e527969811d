/// What an operator owns, its inputs and its scheduled work, in the order in which they came.
///
/// Each has a key; later ones have greater keys, apart from what two threads add at the same time. A single item needs no memory.
struct OwnedDisposables {
  /// The only item. While there is one, `entries` is empty.
  private var single: (key: Int, item: any Disposable)?
  /// Sorted by key. An item that was taken out leaves a gap.
  private var entries: ContiguousArray<(key: Int, item: (any Disposable)?)> = []
  private var gapCount = 0

  /// Adds an item.
  ///
  /// - Complexity: O(1) amortised, where keys come in order.
  mutating func insert(_ item: any Disposable, for key: Int) {
    if let single {
      self.single = nil
      entries.reserveCapacity(2)
      entries.append((single.key, single.item))
    } else if entries.isEmpty {
      single = (key, item)
      return
    }
    if let last = entries.last, last.key > key {
      entries.insert((key, item), at: position(of: key))
    } else {
      entries.append((key, item))
    }
  }

  /// Whether an item is there.
  ///
  /// - Complexity: O(log *n*).
  func contains(_ key: Int) -> Bool {
    if let single { return single.key == key }
    let position = position(of: key)
    return position < entries.count && entries[position].key == key && entries[position].item != nil
  }

  /// Takes an item out.
  ///
  /// - Complexity: O(log *n*) amortised.
  mutating func remove(_ key: Int) -> (any Disposable)? {
    if let single {
      guard single.key == key else { return nil }
      self.single = nil
      return single.item
    }
    let position = position(of: key)
    guard position < entries.count, entries[position].key == key, let item = entries[position].item else { return nil }
    entries[position].item = nil
    gapCount += 1
    while let last = entries.last, last.item == nil {
      entries.removeLast()
      gapCount -= 1
    }
    if gapCount > 16, gapCount * 2 > entries.count {
      entries.removeAll { $0.item == nil }
      gapCount = 0
    }
    return item
  }

  /// Takes all items out.
  mutating func takeAll() -> OwnedDisposables {
    defer { self = OwnedDisposables() }
    return self
  }

  /// Disposes all items, the newest first.
  func disposeAll() {
    single?.item.dispose()
    for entry in entries.reversed() { entry.item?.dispose() }
  }

  /// The subscriptions among the items.
  var inputs: [Subscription] {
    let items = [single?.item].compactMap(\.self) + entries.compactMap(\.item)
    return items.compactMap { $0 as? Subscription ?? ($0 as? BranchKeeper)?.upstream }
  }

  /// Where an entry with this key is or would be: the keys before are smaller.
  private func position(of key: Int) -> Int {
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].key < key { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
