import Dispatch
import Foundation
import Synchronization

/// What must not stay when this process is asked to end in the middle: files that are half written, and child processes.
///
/// In the process of the command, Ctrl-C, SIGTERM and SIGHUP clear them away before it ends, from the first of them on, and it ends by that signal, as who
/// asked expects. In other processes, such as those of tests, signals are not its business.
/// A command that ends by itself when it is asked to, see ``Interruption``, clears away at its end.
final class Unfinished: Sendable {
  static let shared = Unfinished()

  private struct State {
    var files: Set<String> = []
    var children: Set<pid_t> = []
    var sources: [Source] = []
    /// Whether this waits for the signals, and nobody else.
    var takesSignals = false
    var isEnding = false
  }

  // Safe: Dispatch's sources may be used from any thread, and this one is only kept, and cancelled.
  private struct Source: @unchecked Sendable {
    let source: any DispatchSourceSignal
  }

  private let state = Mutex(State())

  /// The signals that ask a process to end.
  static let signals = [SIGINT, SIGTERM, SIGHUP]

  /// Makes a file that has to go, unless ``keep(file:)`` follows. Nothing comes between it and its being noted.
  func make(file path: String, _ make: () -> Int32) -> Int32 {
    noting { state in
      state.files.insert(path)
      let descriptor = make()
      let code = errno
      if descriptor < 0 { state.files.remove(path) }
      errno = code
      return descriptor
    }
  }

  /// The file has another name now, or is gone.
  func keep(file path: String) { noting { $0.files.remove(path) } }

  /// Starts a process that has to end.
  func start(_ child: Process) throws {
    try noting { state in
      try child.run()
      state.children.insert(child.processIdentifier)
    }
  }

  /// A process has ended.
  func forget(_ child: Process) { noting { $0.children.remove(child.processIdentifier) } }

  /// This is the process of the command: from now on signals end it as is said above.
  func takeSignals() { state.withLock { $0.takesSignals = true } }

  /// From now on somebody waits for the signals who ends this process.
  func leaveSignals() {
    state.withLock { state in
      state.takesSignals = false
      for source in state.sources { source.source.cancel() }
      state.sources = []
    }
  }

  /// Clears everything away; who has begun something waits for the end of this process from now on.
  func clear() {
    state.withLock { state in
      state.isEnding = true
      for child in state.children { kill(child, SIGKILL) }
      for file in state.files { unlink(file) }
      state.children = []
      state.files = []
    }
  }

  @discardableResult
  private func noting<Result>(_ change: (inout State) throws -> Result) rethrows -> Result {
    let result: Result? = try state.withLock { state in
      guard !state.isEnding else { return nil }
      if state.sources.isEmpty, state.takesSignals {
        state.sources = Self.signals.compactMap { number in
          Self.source(of: number) { @Sendable in
            Unfinished.shared.clear()
            Self.letThrough([number])
            kill(getpid(), number)
            _exit(128 + number)
          }.map(Source.init)
        }
      }
      return try change(&state)
    }
    if let result { return result }
    // What is wrong now is so because this process ends: nobody is to hear of it.
    while true { pause() }
  }

  /// From now on signals do what they do to any process, also where this one was started with signals that are kept back.
  static func letThrough(_ numbers: [Int32]) {
    var set = sigset_t()
    sigemptyset(&set)
    for number in numbers {
      signal(number, SIG_DFL)
      sigaddset(&set, number)
    }
    pthread_sigmask(SIG_UNBLOCK, &set, nil)
  }

  /// What calls a handler for a signal; nil if it is SIGHUP, and this process was started so that it does not concern it, as `nohup` does.
  static func source(of number: Int32, _ handle: @escaping @Sendable () -> Void) -> (any DispatchSourceSignal)? {
    let before = signal(number, SIG_IGN)
    if number == SIGHUP, isIgnoring(before) { return nil }
    let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
    source.setEventHandler(handler: handle)
    source.resume()
    return source
  }

  private typealias Handler = @convention(c) (Int32) -> Void

  /// Whether a handler is the one that ignores.
  private static func isIgnoring(_ handler: Handler?) -> Bool {
    // Safe: both are addresses of C functions, or small numbers in their place, and are compared as numbers.
    unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN as Handler?, to: Int.self)
  }

  private static let queue = DispatchQueue(label: "signal-viz.signals")
}
