/// Identifies the argument of a call that is a diagram.
package enum DiagramArgument: Hashable, Sendable {
  /// The unlabelled argument with this index, counted from 0.
  case unlabelled(Int)
  /// The argument with this label.
  case labelled(String)
  /// The value of a key in the dictionary with this label.
  case value(key: String, label: String)
}

extension [SwiftCallReader.Argument] {
  /// Returns the literal of a diagram: the given argument, or if that is another literal, the only argument with the
  /// diagram's text.
  package func literal(of text: String, _ argument: DiagramArgument?) -> SwiftLiteral? {
    if case .value(let key, let label) = argument {
      return filter { $0.label == label }.flatMap(\.elements).first { $0.key == key && $0.literal.value == text }?
        .literal
    }
    if let meant = meant(argument)?.literal, meant.value == text { return meant }
    let fitting = compactMap(\.literal).filter { $0.value == text }
    return fitting.count == 1 ? fitting[0] : nil
  }

  private func meant(_ argument: DiagramArgument?) -> Element? {
    switch argument {
    case .unlabelled(let number): filter { $0.label == nil }.dropFirst(number).first
    case .labelled(let label): first { $0.label == label }
    case .value, nil: nil
    }
  }
}

extension [UInt8] {
  /// The position at which a line of this text begins; nil if it has fewer lines.
  package func offset(ofLine line: Int) -> Int? {
    guard line > 1 else { return 0 }
    var number = 1
    for (index, byte) in enumerated() where byte == UInt8(ascii: "\n") {
      number += 1
      if number == line { return index + 1 }
    }
    return nil
  }
}
