import SignalPicture

/// A string that represents one order of work: `cart-3.2-5.1-6`; of a simulation, with its seed: `cart-s42-3.2-5.1-6`.
///
/// It begins with a hash of the location, followed by the seed, the work items that are not the first of the ready ones
/// (number, index), and the total number of work items.
struct ReplayToken: CustomStringConvertible, Equatable {
  /// No scenario runs more work items than that: a string with a larger number is invalid.
  private static let longestOrder = 10_000_000

  /// The exploration it belongs to: an environment variable applies to that one only.
  var place: String
  /// The seed of a simulation.
  var seed: UInt64?
  /// Whether it has only a seed, which decides the order as well.
  var isOfSeedAlone = false
  var choices: [Int]
  var count: Int

  init(_ record: OrderRecord, at place: String) {
    self.place = place
    choices = Array(record.choices[..<((record.choices.lastIndex { $0 > 0 }).map { $0 + 1 } ?? 0)])
    count = record.choices.count
  }

  /// The whole order that a seed picks: `cart-s42`.
  init(ofSeed seed: UInt64, at place: String) {
    self.place = place
    self.seed = seed
    isOfSeedAlone = true
    choices = []
    count = 0
  }

  init?(_ text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    if parts.count == 2, !parts[0].isEmpty, parts[1].hasPrefix("s"), let seed = UInt64(parts[1].dropFirst()) {
      self = ReplayToken(ofSeed: seed, at: String(parts[0]))
      return
    }
    guard parts.count >= 2, !parts[0].isEmpty, let count = Int(parts[parts.count - 1]),
      (0...Self.longestOrder).contains(count)
    else { return nil }
    var choices: [Int] = []
    var middle = parts[1..<(parts.count - 1)]
    if let first = middle.first, first.hasPrefix("s") {
      guard let seed = UInt64(first.dropFirst()) else { return nil }
      self.seed = seed
      middle = middle.dropFirst()
    }
    for part in middle {
      let numbers = part.split(separator: ".", omittingEmptySubsequences: false)
      guard numbers.count == 2, let step = Int(numbers[0]), let choice = Int(numbers[1]), choice > 0,
        step >= choices.count, step < count
      else { return nil }
      choices += Array(repeating: 0, count: step - choices.count) + [choice]
    }
    place = String(parts[0])
    self.choices = choices
    self.count = count
  }

  var description: String {
    if isOfSeedAlone { return "\(place)-s\(seed ?? 0)" }
    let steps = choices.indices.filter { choices[$0] > 0 }.map { "\($0).\(choices[$0])" }
    return ([place] + (seed.map { ["s\($0)"] } ?? []) + steps + ["\(count)"]).joined(separator: "-")
  }

  /// The hash of a function in a file.
  static func place(fileID: StaticString, function: StaticString) -> String {
    String("\(fileID) \(function)".utf8.stableHash & 0xFFFF_FFFF, radix: 36)
  }
}
