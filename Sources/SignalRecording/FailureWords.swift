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

  init(_ failure: any Error, _ identity: Identity) {
    self.identity = identity
    text = Self.of(failure)
  }

  /// How many characters are kept.
  private static var limit: Int { 1_000 }

  /// The words of a failure, or their beginning.
  static func of(_ failure: any Error) -> String { String(describing: failure).shortened(to: limit) }
}
