/// Assigns colours to labels: equal labels have equal colours, and different labels different ones while there are
/// enough.
struct MarbleColours {
  /// The number of colours in the style sheet.
  static let count = 8

  private var numbers: [String: Int] = [:]
  private var isTaken = [Bool](repeating: false, count: count)

  /// Returns the colour of a label, the same in every drawing unless another label has it already.
  mutating func number(of label: String) -> Int {
    if let number = numbers[label] { return number }
    let wanted = Self.preferred(label)
    var number = wanted
    if numbers.count < Self.count {
      while isTaken[number] { number = (number + 1) % Self.count }
    }
    isTaken[number] = true
    numbers[label] = number
    return number
  }

  private static func preferred(_ label: String) -> Int {
    let scalars = label.unicodeScalars
    if scalars.count == 1, let value = scalars.first?.value {
      switch value {
      case 0x61...0x7A: return Int(value - 0x61) % count
      case 0x41...0x5A: return Int(value - 0x41) % count
      case 0x30...0x39: return Int(value - 0x30 + 1) % count
      default: break
      }
    }
    return Int(label.utf8.prefix(256).stableHash % UInt64(count))
  }
}
