#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

extension SocketFile {
  /// The longest path that a Unix-domain socket address holds on this system, in bytes (107 on Linux, 103 on macOS).
  public static let pathLimit = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1

  /// Throws `AttachError.pathTooLong` when the path does not fit into a socket address.
  public func checkLength() throws(AttachError) {
    let length = path.utf8.count
    guard length <= Self.pathLimit else {
      throw .pathTooLong(path: path, length: length, limit: Self.pathLimit)
    }
  }

  /// Calls `body` with the socket address of `path`, which has to fit into it.
  static func withAddress<Result>(
    of path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) throws(AttachError) -> Result
  ) throws(AttachError) -> Result {
    guard path.utf8.count <= pathLimit else {
      throw .pathTooLong(path: path, length: path.utf8.count, limit: pathLimit)
    }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    #if canImport(Darwin)
      address.sun_len = UInt8(MemoryLayout<sockaddr_un>.size)
    #endif
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    return try withUnsafeBytes(of: &address) { (bytes) throws(AttachError) -> Result in
      guard let base = bytes.baseAddress else { throw .cannotExamine(path: path, reason: "empty socket address") }
      return try body(base.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count))
    }
  }
}
