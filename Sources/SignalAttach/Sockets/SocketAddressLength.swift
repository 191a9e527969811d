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

extension SocketFile {
  /// The longest path that a Unix-domain socket address holds on this system, in bytes (107 on Linux, 103 on macOS).
  package static let pathLimit = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1

  /// Throws `AttachError.pathTooLong` if the path does not fit into a socket address.
  package func checkLength() throws(AttachError) {
    let length = path.utf8.count
    guard length <= Self.pathLimit else {
      throw .pathTooLong(path: path, length: length, limit: Self.pathLimit)
    }
  }

  /// Calls `body` with the socket address of `path`. If the path does not fit, the result is -1 and `errno` is set,
  /// like for system calls that take an address.
  static func withAddress(of path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
    guard path.utf8.count <= pathLimit else {
      errno = ENAMETOOLONG
      return -1
    }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    #if canImport(Darwin)
      address.sun_len = UInt8(MemoryLayout<sockaddr_un>.size)
    #endif
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }
}
