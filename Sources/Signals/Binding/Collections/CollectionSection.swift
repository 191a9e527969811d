/// A section of a collection: items, and whatever else belongs to them, such as a title.
///
/// ```swift
/// struct Shelf: CollectionSection, Equatable {
///   var title: String
///   var items: [String]
/// }
/// ```
///
/// See also ``ItemSection`` for sections of items and nothing else.
public protocol CollectionSection<Item>: Sendable {
  associatedtype Item: Sendable
  /// The items, in their order.
  var items: [Item] { get set }
}

/// A section that is items and nothing else.
public struct ItemSection<Item: Sendable>: CollectionSection, ExpressibleByArrayLiteral {
  /// The items, in their order.
  public var items: [Item]

  /// Makes a section.
  public init(_ items: [Item]) {
    self.items = items
  }

  /// Makes a section of what is written between brackets.
  public init(arrayLiteral items: Item...) {
    self.init(items)
  }
}

extension ItemSection: Equatable where Item: Equatable {}

/// Where an item is: the number of its section, and its own number in there, both from 0.
public struct CollectionPosition: Hashable, Comparable, Sendable {
  /// The number of the section.
  public var section: Int
  /// The number of the item in its section.
  public var item: Int

  /// Makes a position.
  public init(section: Int, item: Int) {
    self.section = section
    self.item = item
  }

  /// Whether the first is in an earlier section, or earlier in the same one.
  public static func < (first: Self, second: Self) -> Bool {
    (first.section, first.item) < (second.section, second.item)
  }
}

extension CollectionPosition: CustomStringConvertible {
  /// The two numbers: `[0, 2]`.
  public var description: String { "[\(section), \(item)]" }
}
