#if canImport(Darwin)
  import Darwin
#elseif canImport(Android)
  import Android
#elseif canImport(Musl)
  import Musl
#elseif canImport(Glibc)
  import Glibc
#endif

/// A call of the operating system that failed.
public struct SystemCallError: Error, Hashable, CustomStringConvertible {
  /// The name of the call, such as `read`.
  public let call: String
  /// The number of the error, as in `errno`.
  public let code: Int32

  /// Makes an error of a number that is known.
  ///
  /// - Parameters:
  ///   - call: The name of the call.
  ///   - code: The number of the error, as in `errno`.
  public init(_ call: String, code: Int32) {
    self.call = call
    self.code = code
  }

  /// The error of the call that has just failed on this thread.
  init(_ call: String) { self.init(call, code: errno) }

  /// The name of the call and what the system says of the error.
  public var description: String { "\(call): \(String(cString: strerror(code)))" }
}
