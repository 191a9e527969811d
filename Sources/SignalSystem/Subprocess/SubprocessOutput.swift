#if Subprocess && (os(macOS) || os(Linux))
  public import Signals
  public import Subprocess

  extension Configuration: EventSource {}

  extension Events where Base == Configuration {
    /// Runs a child process for each subscription, and delivers its standard output.
    ///
    /// ```swift
    /// import SignalSystem
    /// import Signals
    /// import Subprocess
    ///
    /// let bag = DisposeBag()
    /// let command = Configuration(executable: .name("ls"), arguments: ["-l"])
    /// command.events.output()
    ///   .lines()
    ///   .subscribe(onValue: { print($0) }, onFailure: { print($0) }, onFinish: { print("done") })
    ///   .store(in: bag)
    /// ```
    ///
    /// If the subscriber leaves before the end, the process is terminated: with the steps of the configuration's
    /// `platformOptions.teardownSequence` first, and then killed. Nothing is read before the handlers have returned, so
    /// a child that writes faster has to wait.
    ///
    /// - **Errors:** a ``ChildProcessError`` if the process exits with a non-zero code or by a signal, after all its
    ///   output; an error of `Subprocess` if it cannot be started.
    /// - **Ends:** when the process has exited with code 0.
    /// - **Order and threads:** in a task, never inside subscribe.
    /// - **Allocations:** an array for each value; a task and a process for each subscription.
    /// - Parameter errorOutput: The destination of its standard error: `.discarded`, `.currentStandardError`, or
    ///   `.combinedWithOutput` to deliver it too.
    public func output(
      errorOutput: some ErrorOutputProtocol = .discarded,
      fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
    ) -> Signals.Signal<[UInt8]> {
      let configuration = base
      return Signals.Signal(named: "output", fileID: fileID, line: line, function: function) { producer in
        producer.runTask(on: nil) {
          let result = try await run(configuration, input: .none, output: .sequence, error: errorOutput) { child in
            for try await piece in child.standardOutput {
              guard producer.send(piece.withUnsafeBytes { Array($0) }) else { return }
            }
          }
          if !result.terminationStatus.isSuccess { throw ChildProcessError(status: result.terminationStatus) }
        }
      }
    }
  }

  /// A child process exited with a non-zero code, or by a signal.
  public struct ChildProcessError: Error, Hashable, CustomStringConvertible {
    /// The termination status.
    public let status: TerminationStatus

    /// Creates the error from a termination status.
    ///
    /// - Parameter status: The termination status.
    public init(status: TerminationStatus) { self.status = status }

    /// A description of the termination status.
    public var description: String { "the child process ended with \(status)" }
  }
#else
  public import Signals

  extension Events {
    /// Needs the trait `Subprocess` of the package, and macOS or Linux.
    @available(*, unavailable, message: "name the trait where you depend on swift-signals: traits: [\"Subprocess\"]")
    public func output() -> Signal<[UInt8]> { .empty() }
  }
#endif
