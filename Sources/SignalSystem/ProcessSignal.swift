#if canImport(Darwin)
  import Darwin
#elseif canImport(Android)
  import Android
#elseif canImport(Musl)
  import Musl
#elseif canImport(Glibc)
  import Glibc
#endif

/// A signal in the sense of Unix: a short message from the system, a terminal or another process to this one.
///
/// See `Signal.processSignals`.
public struct ProcessSignal: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
  /// The number that the system knows it by.
  public let rawValue: Int32

  /// A signal by its number.
  ///
  /// - Parameter rawValue: The number that the system knows it by.
  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// SIGINT: somebody pressed control-C.
  public static let interrupt = ProcessSignal(rawValue: SIGINT)
  /// SIGTERM: the process is asked to end.
  public static let terminate = ProcessSignal(rawValue: SIGTERM)
  /// SIGHUP: the terminal has gone, or a service is asked to read its configuration again.
  public static let hangUp = ProcessSignal(rawValue: SIGHUP)
  /// SIGQUIT: somebody pressed control-\.
  public static let quit = ProcessSignal(rawValue: SIGQUIT)
  /// SIGUSR1: whatever the program means by it.
  public static let user1 = ProcessSignal(rawValue: SIGUSR1)
  /// SIGUSR2: whatever the program means by it.
  public static let user2 = ProcessSignal(rawValue: SIGUSR2)
  /// SIGWINCH: the size of the terminal has changed.
  public static let windowChange = ProcessSignal(rawValue: SIGWINCH)
  /// SIGCONT: the process goes on after it was stopped.
  public static let resume = ProcessSignal(rawValue: SIGCONT)

  /// The usual name, such as `SIGINT`; the number where there is no name here.
  public var description: String {
    switch self {
    case .interrupt: "SIGINT"
    case .terminate: "SIGTERM"
    case .hangUp: "SIGHUP"
    case .quit: "SIGQUIT"
    case .user1: "SIGUSR1"
    case .user2: "SIGUSR2"
    case .windowChange: "SIGWINCH"
    case .resume: "SIGCONT"
    default: "signal \(rawValue)"
    }
  }

  /// Whether it says that an instruction went wrong. Whoever handles such a one and returns runs the same instruction again, for ever.
  var isFault: Bool { [SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP].contains(rawValue) }
}
