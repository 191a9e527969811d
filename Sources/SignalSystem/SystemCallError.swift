#if canImport(Darwin)
  import Darwin
#elseif canImport(Android)
  import Android
#elseif canImport(Musl)
  import Musl
#elseif canImport(Glibc)
  import Glibc
#endif

/// A failed system call.
public struct SystemCallError: Error, Hashable, CustomStringConvertible {
  /// The name of the call, such as `read`.
  public let call: String
  /// The error number, as in `errno`.
  public let code: Int32

  /// Creates an error from a number.
  ///
  /// - Parameters:
  ///   - call: The name of the call.
  ///   - code: The error number, as in `errno`.
  public init(_ call: String, code: Int32) {
    self.call = call
    self.code = code
  }

  /// The error of the call that has just failed on this thread.
  init(_ call: String) { self.init(call, code: errno) }

  /// The name of the call and the system's description of the error.
  public var description: String { "\(call): \(String(cString: strerror(code)))" }
}
