extension Signal {
  /// Prints a line for each event, and passes everything on unchanged.
  ///
  /// ![print, as a marble diagram](print-to)
  ///
  /// ```text
  /// source   -a-b-|
  ///          source.print("letters", to: console)
  /// result   -a-b-|
  /// ```
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// let numbers = Signal.sequence([1, 2, 3])
  /// numbers
  ///   .print("numbers")
  ///   .prefix(2)
  ///   .subscribe()
  ///   .store(in: bag)
  /// ```
  ///
  /// It prints:
  ///
  /// ```console
  /// numbers: subscribed
  /// numbers: value 1
  /// numbers: value 2
  /// numbers: disposed
  /// ```
  ///
  /// The other lines are `numbers: finished` and, with the error, `numbers: failed NoConnection()`. Each line,
  /// including its terminator, is written with one call of `write`.
  ///
  /// - **Errors:** none of its own.
  /// - **Ends:** with this signal.
  /// - **Order and threads:** lines are written on the thread of the event, before it is passed on. Those of one
  ///   subscription do not overlap, except `disposed`, which another thread may write at any time; those of several
  ///   may. So the stream is `Sendable`.
  /// - **Allocations:** those of the text.
  /// - Parameters:
  ///   - prefix: The text before each line, followed by a colon; nothing if it is empty.
  ///   - stream: The output stream; standard output if `nil`. It is copied for each line: use a class, or a structure
  ///     that references one.
  ///
  /// See also ``handle(fileID:line:function:onSubscribe:onValue:onFailure:onFinish:onDispose:)``.
  @inlinable
  public func print(
    _ prefix: String = "", to stream: (any TextOutputStream & Sendable)? = nil,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> {
    let lines = PrintedLines(prefix, stream)
    return handled(
      Site("print", behavior: [.passesOn, .atMostOne], fileID: fileID, line: line, function: function),
      onSubscribe: { lines.write("subscribed") },
      onValue: { lines.write("value \($0)") },
      onFailure: { lines.write("failed \($0)") },
      onFinish: { lines.write("finished") },
      onDispose: { lines.write("disposed") })
  }
}

/// The output of ``Signal/print(_:to:fileID:line:function:)``.
@usableFromInline
struct PrintedLines: Sendable {
  private let start: String
  private let stream: (any TextOutputStream & Sendable)?

  @usableFromInline
  init(_ prefix: String, _ stream: (any TextOutputStream & Sendable)?) {
    start = prefix.isEmpty ? "" : prefix + ": "
    self.stream = stream
  }

  @usableFromInline
  func write(_ text: String) {
    guard var stream else { return Swift.print(start + text) }
    stream.write(start + text + "\n")
  }
}
