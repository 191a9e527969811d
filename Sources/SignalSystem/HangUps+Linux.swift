#if os(Linux) || os(Android)
  import CEpoll

  #if canImport(Android)
    import Android
  #elseif canImport(Musl)
    import Musl
  #elseif canImport(Glibc)
    import Glibc
  #endif

  /// Hides hang-ups from libdispatch, which on Linux removes a source from its tables on two threads at once when the
  /// other end of a descriptor is closed, and then accesses freed memory (seen with Swift 6.3.1: `EPOLL_CTL_DEL` twice
  /// for one `EPOLLHUP`).
  ///
  /// A separate epoll instance watches the descriptor, and libdispatch watches that instance: it becomes readable for
  /// any event of the descriptor, including a hang-up, and never hangs up itself.
  struct HangUpShield: Sendable {
    /// The descriptor for libdispatch to watch for reading.
    let number: Int32

    /// Watches a descriptor.
    ///
    /// - Returns: Nil for descriptors that epoll does not watch, as they are always ready: files and directories.
    init?(_ descriptor: Int32, for direction: Descriptor.Direction) throws(SystemCallError) {
      number = epoll_create1(O_CLOEXEC)
      guard number >= 0 else { throw SystemCallError("epoll_create1") }
      // EPOLLIN and EPOLLOUT, which every C library imports as another type. Errors and hang-ups are always reported.
      var event = epoll_event()
      event.events = direction == .reading ? 0x001 : 0x004
      guard epoll_ctl(number, EPOLL_CTL_ADD, descriptor, &event) == 0 else {
        let error = SystemCallError("epoll_ctl")
        close()
        if error.code == EPERM { return nil }
        throw error
      }
    }

    /// Ends the watch. The descriptor itself stays open.
    func close() {
      #if canImport(Android)
        _ = Android.close(number)
      #elseif canImport(Musl)
        _ = Musl.close(number)
      #elseif canImport(Glibc)
        _ = Glibc.close(number)
      #endif
    }
  }
#endif
