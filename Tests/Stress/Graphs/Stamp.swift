import Synchronization

/// A value tells who sent it and as which of theirs; the lowest bits are room for what operators add.
enum Stamp {
  /// A value of no lane.
  static let unmarked = 1
  private static let room = 12
  private static let numberBits = 18

  static func value(lane: Int, number: Int) -> Int { ((lane << numberBits) | number) << room }

  /// Who sent it, or 0; and as which of theirs.
  @inline(__always)
  static func read(_ value: Int) -> (lane: Int, number: Int) {
    let stamp = value >> room
    return (stamp >> numberBits, stamp & ((1 << numberBits) - 1))
  }

  /// The value as it was sent.
  @inline(__always)
  static func original(_ value: Int) -> Int { (value >> room) << room }
}

/// Values that are sent one after the other: each `send` has returned before the next.
final class Lane: Sendable {
  let id: Int
  private let sentCount = Atomic<Int>(0)
  private let isUncertain = Atomic<Bool>(false)

  init(id: Int) { self.id = id }

  /// How many were sent, or are just being sent.
  var sent: Int { sentCount.load(ordering: .acquiring) }
  /// Whether some were sent when the source may have ended.
  var mayHaveBeenRefused: Bool { isUncertain.load(ordering: .acquiring) }

  /// The next value.
  func next() -> Int {
    Stamp.value(lane: id, number: sentCount.add(1, ordering: .acquiringAndReleasing).newValue)
  }

  func noteRefusal() { isUncertain.store(true, ordering: .releasing) }
}

/// Makes the lanes of one round.
final class Lanes: Sendable {
  private let count = Atomic<Int>(0)

  /// How many there are at most: sums of values have to fit.
  static let limit = 4_000

  func open() -> Lane { Lane(id: count.add(1, ordering: .relaxed).newValue) }

  var isFull: Bool { count.load(ordering: .relaxed) > Self.limit }
}
