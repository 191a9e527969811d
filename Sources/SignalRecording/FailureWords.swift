/// The stored description of a failure: not the error itself, whose lifetime must not change.
struct FailureWords: Sendable {
  /// The identity of a failure while a chain passes it on: all that time it is in memory.
  struct Identity: Equatable {
    private let address: UInt
    private let type: ObjectIdentifier

    init(_ failure: any Error) {
      let isPointer = MemoryLayout<any Error>.size == MemoryLayout<UInt>.size
      // Safe: an error is a pointer to its box, which is only compared. The box is not opened here.
      address = isPointer ? unsafeBitCast(failure as any Error, to: UInt.self) : 0
      type = ObjectIdentifier(Swift.type(of: failure))
    }

    static func == (one: Identity, other: Identity) -> Bool {
      one.address == other.address && one.address != 0 && one.type == other.type
    }
  }

  let identity: Identity
  let text: String

  /// The maximum number of stored characters.
  private static var limit: Int { 1_000 }

  /// The description of a failure, or its beginning.
  ///
  /// - Parameter describe: Decides what is shown. If it returns nil, only the type is, and of an enumeration the case.
  static func text(of failure: any Error, by describe: GraphRecorder.ValueDescription) -> String {
    (describe(failure) ?? kind(of: failure)).shortened(to: limit)
  }

  /// The type of a failure, and the case of an enumeration, without associated values.
  private static func kind(of failure: any Error) -> String {
    let type = String(describing: Swift.type(of: failure))
    let mirror = Mirror(reflecting: failure)
    // A custom mirror may omit a case's associated values.
    guard mirror.displayStyle == .enum, !(failure is any CustomReflectable) else { return type }
    if let payload = mirror.children.first { return payload.label.map { "\(type).\($0)" } ?? type }
    // A case without associated values: its description, even a custom one, identifies it.
    let words = String(describing: failure)
    return words.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" } ? "\(type).\(words)" : "\(type): \(words)"
  }
}
