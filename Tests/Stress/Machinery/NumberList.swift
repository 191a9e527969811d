import ArgumentParser

/// Numbers as text: "1-4,9".
struct NumberList: CustomStringConvertible {
  let numbers: Set<Int>

  init(_ numbers: Set<Int>) { self.numbers = numbers }

  init(_ text: String) throws {
    var numbers: Set<Int> = []
    for part in text.split(separator: ",") {
      let ends = part.split(separator: "-").compactMap { Int($0) }
      guard let first = ends.first, let last = ends.last, first <= last, ends.count <= 2 else {
        throw ValidationError("\"\(part)\" is neither a number nor two numbers with - between them")
      }
      numbers.formUnion(first...last)
    }
    self.numbers = numbers
  }

  var description: String {
    var ranges: [ClosedRange<Int>] = []
    for number in numbers.sorted() {
      if let last = ranges.last, last.upperBound == number - 1 {
        ranges[ranges.count - 1] = last.lowerBound...number
      } else {
        ranges.append(number...number)
      }
    }
    return ranges.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }.joined(
      separator: ",")
  }
}
