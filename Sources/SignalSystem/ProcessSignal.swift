#if canImport(Darwin)
  import Darwin
#elseif canImport(Android)
  import Android
#elseif canImport(Musl)
  import Musl
#elseif canImport(Glibc)
  import Glibc
#endif

/// A Unix signal: a short message from the system, a terminal or another process to this one.
///
/// See `Signal.processSignals`.
public struct ProcessSignal: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
  /// The signal number.
  public let rawValue: Int32

  /// Creates a signal from its number.
  ///
  /// - Parameter rawValue: The signal number.
  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// SIGINT: control-C was pressed.
  public static let interrupt = ProcessSignal(rawValue: SIGINT)
  /// SIGTERM: a request to terminate.
  public static let terminate = ProcessSignal(rawValue: SIGTERM)
  /// SIGHUP: the terminal was closed, or a request to a service to reload its configuration.
  public static let hangUp = ProcessSignal(rawValue: SIGHUP)
  /// SIGQUIT: control-\ was pressed.
  public static let quit = ProcessSignal(rawValue: SIGQUIT)
  /// SIGUSR1: defined by the program.
  public static let user1 = ProcessSignal(rawValue: SIGUSR1)
  /// SIGUSR2: defined by the program.
  public static let user2 = ProcessSignal(rawValue: SIGUSR2)
  /// SIGWINCH: the size of the terminal has changed.
  public static let windowChange = ProcessSignal(rawValue: SIGWINCH)
  /// SIGCONT: the process continues after it was stopped.
  public static let resume = ProcessSignal(rawValue: SIGCONT)

  /// The usual name, such as `SIGINT`; the number if there is no name here.
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

  /// Whether it reports a faulting instruction. A handler that returns repeats the same instruction, for ever.
  var isFault: Bool { [SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP].contains(rawValue) }
}
