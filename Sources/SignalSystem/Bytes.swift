public import Signals

extension Signal where Value == [UInt8] {
  /// Delivers the bytes read from a file descriptor as they arrive: from a pipe, a socket, a terminal or a file.
  ///
  /// ```swift
  /// import SignalSystem
  /// import Signals
  ///
  /// let bag = DisposeBag()
  /// let standardInput: Int32 = 0
  /// Signal.bytes(from: standardInput)
  ///   .lines()
  ///   .subscribe(onValue: { print("you wrote \($0)") }, onFailure: { print($0) }, onFinish: { print("bye") })
  ///   .store(in: bag)
  /// ```
  ///
  /// The caller owns the descriptor. Each subscription duplicates it, and closes the duplicate when it ends; so you may
  /// close yours at any time after subscribing. Duplicates share the position: of several subscribers each gets a part of
  /// the bytes, also of a file. Add `share()` below.
  ///
  /// Sockets and, where Linux can read them without waiting (`RWF_NOWAIT`), pipes may have other readers too: a read
  /// never waits for bytes that another reader has taken. A terminal, and elsewhere a pipe, may have none: there such a
  /// read waits, even after disposal, and takes the next byte.
  ///
  /// Nothing is read before the handlers have returned, so slow handlers make the writer at the other end wait. Below a
  /// hop values are queued there instead: its `OverflowPolicy` bounds their number.
  ///
  /// - **Errors:** a ``SystemCallError`` if the descriptor cannot be read, such as the write end of a pipe, and
  ///   on Linux a socket that accepts connections.
  /// - **Ends:** at the end of the file, or when the other side has closed the pipe or the socket and everything has been
  ///   read. A datagram socket ends when it is shut down; an empty message is an empty value.
  /// - **Order and threads:** everything is delivered on a queue of the subscription, never inside subscribe, except
  ///   the failure of a descriptor that is not open or can never be read.
  /// - **Allocations:** an array for each value; a queue and a descriptor for each subscription, and on Linux another
  ///   descriptor for all but files.
  /// - Parameters:
  ///   - descriptor: The descriptor to read. It has to be open at subscription.
  ///   - limit: The maximum length of a value; less than one counts as one. The rest of a longer message of a socket is
  ///     lost.
  ///
  /// See also `lines()` and ``readable(_:fileID:line:function:)``.
  public static func bytes(
    from descriptor: Int32, atMost limit: Int = 65_536,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<[UInt8]> {
    Signal(named: "bytes", fileID: fileID, line: line, function: function) { producer in
      do throws(SystemCallError) {
        let copy = try Descriptor(readableCopyOf: descriptor)
        let end = ReadingEnd()
        producer.onDisposal { end.note() }
        copy.whenReady(for: .reading, producer) {
          switch copy.read(atMost: limit, unless: end) {
          case .bytes(let bytes): producer.send(bytes)
          case .nothing: break
          case .end: producer.finish()
          case .failure(let error): producer.fail(error)
          }
        }
      } catch {
        producer.fail(error)
      }
    }
  }
}
