#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#else
  #error("SignalAttach needs Unix-domain sockets: it knows Darwin, Glibc, Musl and Android.")
#endif

/// A stream socket of the Unix domain, or of the loopback interface. Only `wait(for:until:interruptedBy:)` waits. Its
/// creator closes it.
///
/// Child processes do not inherit it, else it would appear to be served after this process has exited. Writing to a
/// disconnected peer is an error, never a signal.
package struct LocalSocket: Hashable, Sendable {
  private let descriptor: Int32

  /// A socket that clients can connect to under the file's name, as soon as that name exists.
  ///
  /// It is bound under a temporary name, made private, set to listen, and only then renamed: a client never sees a
  /// socket that is open to other users or not served yet.
  package static func serving(_ file: SocketFile) throws(SystemCallError) -> LocalSocket {
    let server = try LocalSocket()
    do throws(SystemCallError) {
      unlink(file.temporaryPath)
      try SystemCallError.check(
        "bind", SocketFile.withAddress(of: file.temporaryPath) { bind(server.descriptor, $0, $1) })
      try SystemCallError.check("chmod", chmod(file.temporaryPath, 0o600))
      try SystemCallError.check("listen", listen(server.descriptor, 128))
      try SystemCallError.check("rename", rename(file.temporaryPath, file.path))
      return server
    } catch {
      unlink(file.temporaryPath)
      server.close()
      throw error
    }
  }

  /// A socket that is connected to the one at a path.
  package static func connected(to path: String) throws(SystemCallError) -> LocalSocket {
    let client = try LocalSocket()
    do throws(SystemCallError) {
      try SystemCallError.check("connect", SocketFile.withAddress(of: path) { connect(client.descriptor, $0, $1) })
      return client
    } catch {
      client.close()
      throw error
    }
  }

  /// A socket that only clients on this machine can connect to, at a port of 127.0.0.1.
  ///
  /// - Parameter port: The port; 0 for a free one.
  /// - Returns: The socket, and its port.
  package static func servingLoopback(port: UInt16) throws(SystemCallError) -> (socket: LocalSocket, port: UInt16) {
    let server = try LocalSocket(family: AF_INET)
    do throws(SystemCallError) {
      // Connections of an earlier server in TIME_WAIT do not block the port.
      var yes: Int32 = 1
      let size = socklen_t(MemoryLayout<Int32>.size)
      try SystemCallError.check("setsockopt", setsockopt(server.descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, size))
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = port.bigEndian
      address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      var length = socklen_t(MemoryLayout<sockaddr_in>.size)
      try SystemCallError.check(
        "bind",
        withUnsafePointer(to: &address) {
          $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(server.descriptor, $0, length) }
        })
      try SystemCallError.check("listen", listen(server.descriptor, 128))
      try SystemCallError.check(
        "getsockname",
        withUnsafeMutablePointer(to: &address) {
          $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(server.descriptor, $0, &length) }
        })
      return (server, UInt16(bigEndian: address.sin_port))
    } catch {
      server.close()
      throw error
    }
  }

  /// The connection of the next client; `nil` if none is waiting.
  package func nextClient() throws(SystemCallError) -> LocalSocket? {
    do throws(SystemCallError) {
      return try LocalSocket(owning: try SystemCallError.check("accept", accept(descriptor, nil, nil)))
    } catch  where error.isBlocked {
      return nil
    }
  }

  /// The available bytes, up to a limit; none if the peer has ended, `nil` if none have arrived yet.
  package func read(atMost count: Int) throws(SystemCallError) -> [UInt8]? {
    var received = 0
    var code: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      received = recv(descriptor, buffer.baseAddress, buffer.count, 0)
      code = errno
      filled = max(0, received)
    }
    guard received < 0 else { return bytes }
    let error = SystemCallError(call: "recv", code: code)
    if error.isBlocked { return nil }
    throw error
  }

  /// Sends as many of the bytes as possible without waiting, and returns their number.
  package func write(_ bytes: UnsafeRawBufferPointer) throws(SystemCallError) -> Int {
    #if canImport(Darwin)
      let flags: Int32 = 0
    #else
      let flags = Int32(truncatingIfNeeded: MSG_NOSIGNAL)
    #endif
    let sent = send(descriptor, bytes.baseAddress, bytes.count, flags)
    guard sent < 0 else { return sent }
    let error = SystemCallError(call: "send", code: errno)
    if error.isBlocked { return 0 }
    throw error
  }

  /// Shuts down the sending side.
  package func endWriting() throws(SystemCallError) {
    try SystemCallError.check("shutdown", shutdown(descriptor, Int32(SHUT_WR)))
  }

  /// Ends the connection for both sides, even while another thread waits for it.
  package func cut() { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }

  /// Frees the descriptor. No other thread may use the socket any more.
  package func close() { closeDescriptor(descriptor) }

  private init(family: Int32 = AF_UNIX) throws(SystemCallError) {
    #if canImport(Glibc)
      let kind = Int32(SOCK_STREAM.rawValue)
    #else
      let kind = SOCK_STREAM
    #endif
    try self.init(owning: try SystemCallError.check("socket", socket(family, kind, 0)))
  }

  private init(owning descriptor: Int32) throws(SystemCallError) {
    self.descriptor = descriptor
    do throws(SystemCallError) {
      try SystemCallError.check("fcntl", fcntl(descriptor, F_SETFD, FD_CLOEXEC))
      try SystemCallError.check("fcntl", fcntl(descriptor, F_SETFL, O_NONBLOCK))
      #if canImport(Darwin)
        var yes: Int32 = 1
        let size = socklen_t(MemoryLayout<Int32>.size)
        try SystemCallError.check("setsockopt", setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &yes, size))
      #endif
    } catch {
      closeDescriptor(descriptor)
      throw error
    }
  }
}

extension LocalSocket {
  /// An event that a thread may wait for.
  package enum Event: Sendable {
    /// There are bytes to read, or a client to accept, or the peer has ended.
    case readable
    /// Bytes can be written.
    case writable
    /// The peer has disconnected.
    case hangUp
  }

  /// The result of a wait.
  package enum Outcome: Sendable { case ready, hungUp, timedOut, interrupted }

  /// Waits for an event, until `deadline` (`nil`: none), or until `interruption`, another descriptor, is readable.
  package func wait(
    for event: Event, until deadline: ContinuousClock.Instant?, interruptedBy interruption: Int32? = nil
  ) -> Outcome {
    let wanted: Int32 =
      switch event {
      case .readable: Int32(POLLIN)
      case .writable: Int32(POLLOUT)
      case .hangUp: 0
      }
    while true {
      var descriptors = [
        pollfd(fd: descriptor, events: Int16(wanted), revents: 0),
        // A negative descriptor is ignored.
        pollfd(fd: interruption ?? -1, events: Int16(POLLIN), revents: 0),
      ]
      let count = poll(&descriptors, nfds_t(descriptors.count), Self.milliseconds(until: deadline))
      if count < 0 {
        if errno == EINTR { continue }
        return .hungUp
      }
      if descriptors[1].revents != 0 { return .interrupted }
      let happened = Int32(descriptors[0].revents)
      if happened & wanted != 0 { return .ready }
      if happened != 0 { return event == .hangUp ? .ready : .hungUp }
      if let deadline, deadline <= .now { return .timedOut }
    }
  }

  /// The time until `deadline` for `poll`: rounded up, so that the wait does not end early and spin.
  private static func milliseconds(until deadline: ContinuousClock.Instant?) -> Int32 {
    guard let deadline else { return -1 }
    let left = max(.zero, deadline - .now)
    return Int32(min(3_600_000, (left / .milliseconds(1)).rounded(.up)))
  }
}

private func closeDescriptor(_ descriptor: Int32) { close(descriptor) }
