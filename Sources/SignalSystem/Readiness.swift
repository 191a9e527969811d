public import Signals

extension Signal where Value == Void {
  /// Delivers a value whenever a file descriptor can be read without waiting, or its end has been reached.
  ///
  /// ```swift
  /// import SignalSystem
  /// import Signals
  ///
  /// let bag = DisposeBag()
  /// func receive(from socket: Int32) {}
  ///
  /// let socket: Int32 = 0
  /// Signal.readable(socket)
  ///   .subscribe(onValue: { receive(from: socket) }, onFailure: { print($0) })
  ///   .store(in: bag)
  /// ```
  ///
  /// Read in the handler: as long as data remains, the next value comes at once. For code that reads by itself, for
  /// example with `recvmsg`; otherwise use ``bytes(from:atMost:fileID:line:function:)``.
  ///
  /// The caller owns the descriptor. Each subscription duplicates it, and closes the duplicate when it ends.
  ///
  /// - **Errors:** a ``SystemCallError`` if the descriptor is not open.
  /// - **Ends:** never: dispose the subscription when you have read the end.
  /// - **Order and threads:** on a queue of the subscription, one value at a time; the next one is created when the
  ///   handlers have returned.
  /// - Parameter descriptor: The descriptor to watch. It has to be open at subscription.
  public static func readable(
    _ descriptor: Int32, fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Void> {
    ready("readable", descriptor, .reading, fileID, line, function)
  }

  /// Delivers a value whenever a file descriptor can be written without waiting.
  ///
  /// ```swift
  /// import SignalSystem
  /// import Signals
  ///
  /// let bag = DisposeBag()
  /// func writeNextPiece(to socket: Int32) -> Bool { false }
  ///
  /// let socket: Int32 = 1
  /// Signal.writable(socket)
  ///   .prefix(while: { writeNextPiece(to: socket) })
  ///   .subscribe(onValue: {}, onFailure: { print($0) }, onFinish: { print("all is written") })
  ///   .store(in: bag)
  /// ```
  ///
  /// As long as there is space, the next value comes at once. So write in the handler, and unsubscribe when there is
  /// nothing left to write: `prefix(1)` waits for space once. A pipe has space until it is full; a descriptor whose
  /// other end is closed counts as writable, and the write then returns the error.
  ///
  /// The caller owns the descriptor. Each subscription duplicates it, and closes the duplicate when it ends.
  ///
  /// - **Errors:** a ``SystemCallError`` if the descriptor is not open.
  /// - **Ends:** never.
  /// - **Order and threads:** on a queue of the subscription, one value at a time; the next one is created when the
  ///   handlers have returned.
  /// - Parameter descriptor: The descriptor to watch. It has to be open at subscription.
  public static func writable(
    _ descriptor: Int32, fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Void> {
    ready("writable", descriptor, .writing, fileID, line, function)
  }

  private static func ready(
    _ kind: StaticString, _ descriptor: Int32, _ direction: Descriptor.Direction,
    _ fileID: StaticString, _ line: UInt, _ function: StaticString
  ) -> Signal<Void> {
    Signal(named: kind, fileID: fileID, line: line, function: function) { producer in
      do throws(SystemCallError) {
        try Descriptor(copyOf: descriptor).whenReady(for: direction, producer) { producer.send() }
      } catch {
        producer.fail(error)
      }
    }
  }
}
