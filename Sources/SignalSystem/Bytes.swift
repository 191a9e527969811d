public import Signals

extension Signal where Value == [UInt8] {
  /// Delivers what can be read from a file descriptor, as it comes: from a pipe, a socket, a terminal or a file.
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
  /// The descriptor stays yours. Each subscription duplicates it, and closes the duplicate when it ends; so you may close yours at any time after you have
  /// subscribed. Where bytes can be read once only, several subscribers get some each: put `share()` below.
  ///
  /// Sockets and, where Linux can read them without waiting (`RWF_NOWAIT`), pipes may have other readers too: a read never waits for bytes that another reader
  /// has taken. A terminal, and elsewhere a pipe, may have none: there such a read waits, also after disposal, and takes the next byte.
  ///
  /// Nothing is read before the handlers have returned, so whoever writes to the other end waits when these are slow. Below a hop values wait there instead: its
  /// `OverflowPolicy` bounds how many.
  ///
  /// - **Errors:** a ``SystemCallError`` when the descriptor cannot be read.
  /// - **Ends:** at the end of the file, or when the other side has closed the pipe or the socket and everything has been read.
  /// - **Order and threads:** everything is delivered on a queue of the subscription, never inside subscribe, but for the failure of a descriptor
  ///   that is not open.
  /// - **Allocations:** an array for each value; a queue and a descriptor for each subscription.
  /// - Parameters:
  ///   - descriptor: What is read. It has to be open when somebody subscribes.
  ///   - limit: How long a value may be; less than one counts as one.
  ///
  /// See also `lines()` and ``readable(_:fileID:line:function:)``.
  public static func bytes(
    from descriptor: Int32, atMost limit: Int = 65_536,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<[UInt8]> {
    Signal(named: "bytes", fileID: fileID, line: line, function: function) { producer in
      do throws(SystemCallError) {
        let copy = try Descriptor(copyOf: descriptor)
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
