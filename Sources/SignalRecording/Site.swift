public import SignalGraph

// Safe: the pointers lead to string literals, which are constant and live as long as the program.
/// A source location of an element of the graph, with its kind.
///
/// It costs a few constants: no stack is captured, no string is created.
public struct Site: Hashable, @unchecked Sendable {
  @usableFromInline let kindText: UnsafePointer<UInt8>?
  @usableFromInline let fileText: UnsafePointer<UInt8>
  /// In the upper 32 bits the offset of the function's name from `fileText`: the compiler puts both into the same
  /// image; 0 if it is too far away. Below these the line, and the flags of a subscription. One field, as signals are
  /// returned in registers only with a limited number of them.
  @usableFromInline let placement: UInt64
  /// The behaviour of the element.
  public let behavior: OperatorBehavior

  @inlinable
  static func placement(_ functionOffset: Int32, _ lineNumber: UInt32) -> UInt64 {
    UInt64(UInt32(bitPattern: functionOffset)) << 32 | UInt64(lineNumber)
  }

  @inlinable var functionOffset: Int32 { Int32(bitPattern: UInt32(truncatingIfNeeded: placement >> 32)) }
  @inlinable var lineNumber: UInt32 { UInt32(truncatingIfNeeded: placement) }

  /// Flags the line of a subscription without any closure.
  @inlinable
  package static var bareMark: UInt32 { 1 << 31 }

  /// Flags the line of a subscription with a closure for the end.
  @inlinable
  package static var endMark: UInt32 { 1 << 30 }

  /// Flags the line of a subscription whose values a loop takes.
  @inlinable
  package static var loopMark: UInt32 { 1 << 29 }

  /// Flags the line of a step of another pipeline; see ``GraphReporter``.
  @inlinable
  package static var reportMark: UInt32 { 1 << 28 }

  @inlinable
  package static var allMarks: UInt32 { bareMark | endMark | loopMark | reportMark }

  /// Creates a site from a kind and a location.
  ///
  /// ```swift
  /// func here(fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function) -> Site {
  ///   Site("doubled", fileID: fileID, line: line, function: function)
  /// }
  /// print(here())  // Where the call is written.
  /// ```
  ///
  /// - Parameters:
  ///   - kind: The kind of the element, such as the name of an operator.
  ///   - behavior: The behaviour of the operator, for findings and explanations.
  ///   - fileID: The `#fileID` of the location.
  ///   - line: The `#line` of the location.
  ///   - function: The `#function` of the location.
  @inlinable
  public init(
    _ kind: StaticString, behavior: OperatorBehavior = [], fileID: StaticString, line: UInt, function: StaticString
  ) {
    self.init(
      kind, behavior, fileID.utf8Start, function.utf8Start, UInt32(truncatingIfNeeded: line) & ~Self.allMarks)
  }

  @inlinable
  package init(
    _ kind: StaticString, _ behavior: OperatorBehavior, _ fileText: UnsafePointer<UInt8>,
    _ functionText: UnsafePointer<UInt8>, _ lineNumber: UInt32
  ) {
    kindText = kind.utf8Start
    self.fileText = fileText
    placement = Self.placement(Int32(exactly: functionText - fileText) ?? 0, lineNumber)
    self.behavior = behavior
  }

  /// The same location, with another kind, which stays for as long as the program runs.
  package init(_ other: Site, kindText: UnsafePointer<UInt8>) {
    self.kindText = kindText
    fileText = other.fileText
    placement = other.placement
    behavior = other.behavior
  }

  /// The same location and kind, with flags.
  package init(_ other: Site, marks: UInt32) {
    kindText = other.kindText
    fileText = other.fileText
    placement = other.placement | UInt64(marks)
    behavior = other.behavior
  }

  /// The site of a signal without a node, because its source has one for all subscribers.
  @inlinable
  package static var hidden: Site { Site() }

  /// Whether it is that of a signal without a node.
  @inlinable
  package var isHidden: Bool { kindText == nil }

  @inlinable
  init() {
    let empty: StaticString = ""
    kindText = nil
    fileText = empty.utf8Start
    placement = 0
    behavior = []
  }

  /// The kind of the element: `map`, `emitter`, `subscribe` ...
  public var kind: String { kindText.map { String(cString: $0) } ?? "" }
  /// The `#fileID`, such as `App/Feed.swift`.
  public var fileID: String { String(cString: fileText) }
  /// The constants of ``fileID`` and ``function``.
  package var texts: (file: UnsafePointer<UInt8>, function: UnsafePointer<UInt8>) {
    let empty: StaticString = ""
    return (fileText, functionOffset == 0 ? empty.utf8Start : fileText + Int(functionOffset))
  }
  /// The line.
  public var line: Int { Int(lineNumber & ~Self.allMarks) }
  /// Whether it is that of a subscription without any closure.
  package var isBare: Bool { lineNumber & Self.bareMark != 0 }
  /// Whether it is that of a subscription whose values a loop takes.
  package var isLoop: Bool { lineNumber & Self.loopMark != 0 }
  /// Whether it is that of a step of another pipeline.
  package var isReported: Bool { lineNumber & Self.reportMark != 0 }
  /// Whether it is that of a subscription with a closure for the end.
  package var hearsEnd: Bool { lineNumber & Self.endMark != 0 }
  /// The `#function`; empty if it does not belong to the same place as the file.
  public var function: String { functionOffset == 0 ? "" : String(cString: fileText + Int(functionOffset)) }
}

extension Site: CustomStringConvertible {
  /// The kind and the location: `map App/Feed.swift:37`.
  public var description: String { "\(kind) \(fileID):\(line)" }
}
