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

/// A failed system call.
package struct SystemCallError: Error, Hashable, CustomStringConvertible {
  /// The name of the call.
  package var call: String
  /// The error number.
  package var code: Int32

  /// Creates an error from its parts.
  package init(call: String, code: Int32) {
    self.call = call
    self.code = code
  }

  /// The call and the system's message.
  package var description: String { "\(call): \(systemMessage(code))" }

  /// Throws the system's error if the result of a call is negative.
  @discardableResult
  package static func check(_ call: String, _ result: Int32) throws(SystemCallError) -> Int32 {
    guard result >= 0 else { throw SystemCallError(call: call, code: errno) }
    return result
  }

  /// Whether the call would have blocked.
  var isBlocked: Bool { code == EAGAIN || code == EWOULDBLOCK || code == EINTR }
}

/// The system's message for an error number.
func systemMessage(_ code: Int32) -> String {
  var buffer = [CChar](repeating: 0, count: 256)
  guard strerror_r(code, &buffer, buffer.count) == 0 else { return "error \(code)" }
  return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
}
