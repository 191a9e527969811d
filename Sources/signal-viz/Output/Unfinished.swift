import Dispatch
import Foundation
import Synchronization

/// The half-written files and child processes to clear away if this process is asked to end prematurely.
///
/// In the process of the command, Ctrl-C, SIGTERM and SIGHUP clear them away from the first of them on; the process
/// then ends by that signal, as its sender expects. In other processes, such as those of tests, signals are not
/// handled. A command that ends by itself on request, see ``Interruption``, clears away at its end.
final class Unfinished: Sendable {
  static let shared = Unfinished()

  private struct State {
    var files: Set<String> = []
    var children: Set<pid_t> = []
    var sources: [Source] = []
    /// Whether this, and nothing else, handles the signals.
    var takesSignals = false
    var isEnding = false
  }

  // Safe: Dispatch sources may be used from any thread, and this one is only stored and cancelled.
  private struct Source: @unchecked Sendable {
    let source: any DispatchSourceSignal
  }

  private let state = Mutex(State())

  /// The signals that ask a process to end.
  static let signals = [SIGINT, SIGTERM, SIGHUP]

  /// Creates a file that is to be removed, unless ``keep(file:)`` follows. A signal cannot arrive between its creation
  /// and registration.
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

  /// Call when the file has been renamed or removed.
  func keep(file path: String) { noting { $0.files.remove(path) } }

  /// Starts a process that has to be ended.
  func start(_ child: Process) throws {
    try noting { state in
      try child.run()
      state.children.insert(child.processIdentifier)
    }
  }

  /// Call when a process has ended.
  func forget(_ child: Process) { noting { $0.children.remove(child.processIdentifier) } }

  /// Declares this the process of the command: from now on signals end it as described above.
  func takeSignals() { state.withLock { $0.takesSignals = true } }

  /// Leaves the signals to another handler, which ends this process.
  func leaveSignals() {
    state.withLock { state in
      state.takesSignals = false
      for source in state.sources { source.source.cancel() }
      state.sources = []
    }
  }

  /// Clears everything away. Later registrations block until this process ends.
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
    // The change fails because this process is ending, which is not to be reported.
    while true { pause() }
  }

  /// Restores the default action of signals, and unblocks them in case this process was started with them blocked.
  static func letThrough(_ numbers: [Int32]) {
    var set = sigset_t()
    sigemptyset(&set)
    for number in numbers {
      signal(number, SIG_DFL)
      sigaddset(&set, number)
    }
    pthread_sigmask(SIG_UNBLOCK, &set, nil)
  }

  /// Creates a source that calls a handler for a signal; nil for SIGHUP if this process was started with it ignored, as
  /// by `nohup`.
  static func source(of number: Int32, _ handle: @escaping @Sendable () -> Void) -> (any DispatchSourceSignal)? {
    // Once: a second call would ignore the signal for a moment, and find that this process ignores it.
    let wasIgnored = wereIgnored.withLock { known in
      if let wasIgnored = known[number] { return wasIgnored }
      let wasIgnored = isIgnoring(signal(number, SIG_IGN))
      known[number] = wasIgnored
      return wasIgnored
    }
    if number == SIGHUP, wasIgnored { return nil }
    let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
    source.setEventHandler(handler: handle)
    // Until Dispatch has set its handler, which it does on another thread, the signal is ignored.
    let isSet = DispatchSemaphore(value: 0)
    source.setRegistrationHandler { isSet.signal() }
    source.resume()
    _ = isSet.wait(timeout: .now() + 1)
    return source
  }

  /// Whether each signal that has a source was ignored before.
  private static let wereIgnored = Mutex<[Int32: Bool]>([:])

  private typealias Handler = @convention(c) (Int32) -> Void

  /// Whether a handler is the ignoring one.
  private static func isIgnoring(_ handler: Handler?) -> Bool {
    // Safe: both are addresses of C functions, or small numbers in place of one, and are compared as numbers.
    unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN as Handler?, to: Int.self)
  }

  /// Concurrent: a source is created under the lock that the handler of another one may wait for.
  private static let queue = DispatchQueue(label: "signal-viz.signals", attributes: .concurrent)
}
