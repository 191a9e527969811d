/// One operator of a hand-written chain in which each hop is an object that holds the next one.
public class Hop {
  init() {}

  func receive(_ value: Int) {}
}

/// Transforms values.
public final class MapHop: Hop {
  private let next: Hop
  private let transform: (Int) -> Int

  /// Makes the hop before `next`.
  public init(_ next: Hop, _ transform: @escaping (Int) -> Int) {
    self.next = next
    self.transform = transform
  }

  override func receive(_ value: Int) { next.receive(transform(value)) }
}

/// Lets some values pass.
public final class FilterHop: Hop {
  private let next: Hop
  private let isIncluded: (Int) -> Bool

  /// Makes the hop before `next`.
  public init(_ next: Hop, _ isIncluded: @escaping (Int) -> Bool) {
    self.next = next
    self.isIncluded = isIncluded
  }

  override func receive(_ value: Int) { if isIncluded(value) { next.receive(value) } }
}

/// The end of a chain.
public final class SinkHop: Hop {
  private let onValue: (Int) -> Void

  /// Makes the end.
  public init(_ onValue: @escaping (Int) -> Void) { self.onValue = onValue }

  override func receive(_ value: Int) { onValue(value) }
}

/// A chain of three operators as closures that call each other: what a library's `map` and `filter` return.
public enum ClosureHops {
  /// Transforms values.
  @inline(never)
  public static func map(
    _ next: @escaping (Int) -> Void, _ transform: @escaping (Int) -> Int
  ) -> (Int) -> Void {
    { next(transform($0)) }
  }

  /// Lets some values pass.
  @inline(never)
  public static func filter(
    _ next: @escaping (Int) -> Void, _ isIncluded: @escaping (Int) -> Bool
  ) -> (Int) -> Void {
    { if isIncluded($0) { next($0) } }
  }
}

extension SlotEmitter {
  /// Adds a chain of hops.
  public func subscribe(hops first: Hop) -> SlotToken { subscribe { first.receive($0) } }
}

extension ClosureEmitter where Value == Int {
  /// Adds a chain of hops.
  public func add(hops first: Hop) { add { first.receive($0) } }
}
