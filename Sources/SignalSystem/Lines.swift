public import Signals

extension Signal where Value == [UInt8] {
  /// Splits text that arrives in pieces into lines.
  ///
  /// ```swift
  /// import SignalSystem
  /// import Signals
  ///
  /// let bag = DisposeBag()
  /// let pieces = Emitter<[UInt8]>()
  /// pieces.signal.lines().subscribe { print($0) }.store(in: bag)
  /// pieces.send(Array("first\nsec".utf8))  // first
  /// pieces.send(Array("ond\r\n".utf8))  // second
  /// ```
  ///
  /// A line ends with a line feed; a carriage return before it belongs to the end too. Neither is delivered. The text
  /// is UTF-8; invalid bytes become U+FFFD. A character may be split between two pieces.
  ///
  /// - **Errors:** none of its own. An incomplete line is dropped when this signal fails.
  /// - **Ends:** with this signal; an incomplete last line is delivered before.
  /// - **Order and threads:** inside the delivery of the piece that ends the line.
  /// - **Allocations:** a string for each line, and a buffer as long as the longest line: limit it upstream if a sender
  ///   may be malicious.
  ///
  /// See also ``bytes(from:atMost:fileID:line:function:)``.
  public func lines(
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<String> {
    lift(
      Site("lines", fileID: fileID, line: line, function: function), state: [UInt8]()
    ) { rest, piece, downstream in
      var start = piece.startIndex
      while let end = piece[start...].firstIndex(of: UInt8(ascii: "\n")) {
        rest += piece[start..<end]
        start = end + 1
        let text = text(of: rest)
        rest.removeAll(keepingCapacity: true)
        try downstream.send(text)
      }
      rest += piece[start...]
    } end: { rest, completion, downstream in
      guard case .finished = completion, !rest.isEmpty else { return }
      let last = String(decoding: rest, as: UTF8.self)
      rest = []
      try downstream.send(last)
    }
  }
}

/// A line without the carriage return at its end.
private func text(of line: [UInt8]) -> String {
  line.last == UInt8(ascii: "\r")
    ? String(decoding: line.dropLast(), as: UTF8.self) : String(decoding: line, as: UTF8.self)
}
