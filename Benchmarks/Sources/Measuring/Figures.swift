import Foundation

/// How numbers are written.
package enum Figures {
  /// Two decimals below ten, none above, groups of three digits; a dash for nothing.
  package static func short(_ value: Double?) -> String {
    guard let value else { return "-" }
    if value < 10 { return String(format: "%.2f", value) }
    return grouped(Int(value.rounded()))
  }

  /// A whole number, in groups of three digits.
  package static func grouped(_ value: Int) -> String {
    let digits = String(value.magnitude)
    var groups: [Substring] = []
    var rest = digits[...]
    while !rest.isEmpty {
      groups.insert(rest.suffix(3), at: 0)
      rest = rest.dropLast(3)
    }
    return (value < 0 ? "-" : "") + groups.joined(separator: ",")
  }
}
