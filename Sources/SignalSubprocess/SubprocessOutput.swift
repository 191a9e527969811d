#if Subprocess && (os(macOS) || os(Linux))
  public import Signals
  public import Subprocess

  extension Configuration: EventSource {}

  extension Events where Base == Configuration {
    /// Runs a child process for each subscription, and delivers what it writes to its standard output.
    ///
    /// ```swift
    /// import SignalSubprocess
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
    /// When the subscriber leaves before the end, the process is ended: with the steps of the configuration's `platformOptions.teardownSequence` first, and
    /// then killed. Nothing is read before the handlers have returned, so a child that writes faster than that waits.
    ///
    /// - **Errors:** a ``ChildProcessError`` when the process ends with another code than 0 or by a signal, after all that it has written; an error of
    ///   `Subprocess` when it cannot be started.
    /// - **Ends:** when the process has ended with code 0.
    /// - **Order and threads:** in a task, never inside subscribe.
    /// - **Allocations:** an array for each value; a task and a process for each subscription.
    /// - Parameter errorOutput: Where its standard error goes: `.discarded`, `.currentStandardError`, or `.combinedWithOutput` to have it delivered too.
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

  /// A child process ended with another code than 0, or by a signal.
  public struct ChildProcessError: Error, Hashable, CustomStringConvertible {
    /// How it ended.
    public let status: TerminationStatus

    /// Makes the error of a process that ended so.
    ///
    /// - Parameter status: How it ended.
    public init(status: TerminationStatus) { self.status = status }

    /// How it ended, in words.
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
