/// Values by source location. There are as many as the program has locations.
///
/// Instead of `Dictionary`, whose hash takes a hundred instructions: the end of a subscription looks up its location,
/// under a lock.
struct SiteTable<Value> {
  /// In the order in which they were added.
  private(set) var entries: ContiguousArray<(site: Site, value: Value)> = []
  /// Positions of entries, at or after the hash of their site; -1 if free. More than half of them are free.
  private var slots: ContiguousArray<Int32> = []
  /// The position of the entry that was changed last. Often the next one to be changed is the same, or the one after
  /// it, as with the nodes of a chain.
  private var last = 0

  /// The value of a location, if there is one.
  subscript(site: Site) -> Value? { find(site).entry.map { entries[$0].value } }

  /// The value of a location, which is created if there is none.
  subscript(site: Site, default value: @autoclosure () -> Value) -> Value {
    get { self[site] ?? value() }
    _modify {
      last = likely(site) ?? find(site).entry ?? add(site, value())
      yield &entries[last].value
    }
  }

  /// The position of a location's entry, if it is near the one that was changed last.
  private func likely(_ site: Site) -> Int? {
    guard last < entries.count else { return nil }
    if entries[last].site == site { return last }
    let next = last + 1
    return next < entries.count && entries[next].site == site ? next : nil
  }

  private mutating func add(_ site: Site, _ value: Value) -> Int {
    if (entries.count + 1) * 2 >= slots.count { grow() }
    slots[find(site).slot] = Int32(truncatingIfNeeded: entries.count)
    entries.append((site, value))
    return entries.count - 1
  }

  /// The position of a location's entry, or its free slot.
  private func find(_ site: Site) -> (entry: Int?, slot: Int) {
    guard !slots.isEmpty else { return (nil, 0) }
    var slot = Int(truncatingIfNeeded: site.shortHash >> 32) & (slots.count - 1)
    while slots[slot] >= 0 {
      let entry = Int(slots[slot])
      if entries[entry].site == site { return (entry, slot) }
      slot = (slot + 1) & (slots.count - 1)
    }
    return (nil, slot)
  }

  private mutating func grow() {
    slots = ContiguousArray(repeating: -1, count: max(16, slots.count * 2))
    for (index, entry) in entries.enumerated() { slots[find(entry.site).slot] = Int32(truncatingIfNeeded: index) }
  }
}

extension Site {
  /// A hash that takes a few instructions; its upper half is the better one. Locations are not hostile input.
  var shortHash: UInt64 {
    // The addresses and lines of neighbours differ in few and low bits: these are multiplied into the upper ones.
    var hash = UInt64(UInt(bitPattern: kindText)) &* 0x9E37_79B9_7F4A_7C15
    hash = (hash ^ UInt64(UInt(bitPattern: fileText))) &* 0x9E37_79B9_7F4A_7C15
    return (hash ^ (UInt64(lineNumber) << 32) ^ UInt64(lineNumber)) &* 0x9E37_79B9_7F4A_7C15
  }
}
