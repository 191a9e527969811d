/// A section of a collection: items and associated data, such as a title.
///
/// ```swift
/// struct Shelf: CollectionSection, Equatable {
///   var title: String
///   var items: [String]
/// }
/// ```
///
/// See also ``ItemSection`` for sections of items only.
public protocol CollectionSection<Item>: Sendable {
  associatedtype Item: Sendable
  /// The items, in their order.
  var items: [Item] { get set }
}

/// A section of items only.
public struct ItemSection<Item: Sendable>: CollectionSection, ExpressibleByArrayLiteral {
  /// The items, in their order.
  public var items: [Item]

  /// Creates a section.
  public init(_ items: [Item]) {
    self.items = items
  }

  /// Creates a section from an array literal.
  public init(arrayLiteral items: Item...) {
    self.init(items)
  }
}

extension ItemSection: Equatable where Item: Equatable {}

/// The position of an item: the number of its section, and its number in the section, both from 0.
public struct CollectionPosition: Hashable, Comparable, Sendable {
  /// The number of the section.
  public var section: Int
  /// The number of the item in its section.
  public var item: Int

  /// Creates a position.
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
