/// What is kept of a failure: its words, not the error, which is freed when it would be without this.
struct FailureWords: Sendable {
  /// What tells a failure from others while a chain passes it on: all that time it is in memory.
  struct Identity: Equatable {
    private let address: UInt
    private let type: ObjectIdentifier

    init(_ failure: any Error) {
      let isPointer = MemoryLayout<any Error>.size == MemoryLayout<UInt>.size
      // Safe: an error is a pointer to its box, which is only compared. What is in the box is not to be opened here.
      address = isPointer ? unsafeBitCast(failure as any Error, to: UInt.self) : 0
      type = ObjectIdentifier(Swift.type(of: failure))
    }

    static func == (one: Identity, other: Identity) -> Bool {
      one.address == other.address && one.address != 0 && one.type == other.type
    }
  }

  let identity: Identity
  let text: String

  /// How many characters are kept.
  private static var limit: Int { 1_000 }

  /// The words of a failure, or their beginning.
  ///
  /// - Parameter describe: Decides what is shown. Where it returns nil, only the type is, and of an enumeration the case.
  static func text(of failure: any Error, by describe: GraphRecorder.ValueDescription) -> String {
    (describe(failure) ?? kind(of: failure)).shortened(to: limit)
  }

  /// The type of a failure, and the case of an enumeration, without what the case carries.
  private static func kind(of failure: any Error) -> String {
    let type = String(describing: Swift.type(of: failure))
    let mirror = Mirror(reflecting: failure)
    // A mirror of the program's own may leave out what a case carries.
    guard mirror.displayStyle == .enum, !(failure is any CustomReflectable) else { return type }
    if let payload = mirror.children.first { return payload.label.map { "\(type).\($0)" } ?? type }
    // A case that carries nothing: its words, the program's too, say which it is.
    let words = String(describing: failure)
    return words.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" } ? "\(type).\(words)" : "\(type): \(words)"
  }
}
