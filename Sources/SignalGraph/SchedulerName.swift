/// What a node works on, apart from the number that tells it from others of its name: "qos.utility #7" is the 7th `qos.utility`.
package struct SchedulerName {
  /// The name.
  package let name: String
  /// Such as ", the 7th of that name"; empty for the first.
  package let rest: String

  /// Takes what a node says apart.
  package init(_ text: String) {
    guard let mark = text.lastIndex(of: "#"), let number = Int(text[text.index(after: mark)...]), number > 1,
      text[..<mark].hasSuffix(" ")
    else {
      (name, rest) = (text, "")
      return
    }
    let ending =
      switch (number % 10, number % 100) {
      case (_, 11...13): "th"
      case (1, _): "st"
      case (2, _): "nd"
      case (3, _): "rd"
      default: "th"
      }
    (name, rest) = (String(text[..<mark].dropLast()), ", the \(number)\(ending) of that name")
  }
}
