#if Logging
  public import Logging
  public import Signals

  extension Signal {
    /// Logs all events, and passes everything on unchanged.
    ///
    /// ```swift
    /// import Logging
    /// import SignalObservability
    /// import Signals
    ///
    /// let bag = DisposeBag()
    /// let logger = Logger(label: "downloads")
    /// let progress = Emitter<Int>()
    /// progress.signal
    ///   .log("picture", to: logger, level: .info)
    ///   .subscribe(onValue: { print("\($0) %") }, onFailure: { _ in })
    ///   .store(in: bag)
    /// progress.send(50)
    /// ```
    ///
    /// The messages are `picture: subscribed`, `picture: value 50`, `picture: finished`, `picture: failed` with the
    /// error, and `picture: disposed` if the signal is unsubscribed before its end. Their file, line and function are
    /// those of the call of `log`. A value is converted to a string only if the logger accepts its level.
    ///
    /// - **Errors:** none of its own.
    /// - **Ends:** with this signal.
    /// - **Order and threads:** messages are logged on the thread of the event, before it is passed on.
    /// - **Allocations:** none for a value whose level the logger does not accept; otherwise those of the message.
    /// - Parameters:
    ///   - prefix: The text before each message, followed by a colon; nothing if it is empty.
    ///   - logger: The logger. It is copied: later changes have no effect.
    ///   - level: The level of all messages except that of a failure.
    ///   - failureLevel: The level of the message of a failure.
    ///
    /// See also `print(_:to:)` and `handle` of `Signals`.
    public func log(
      _ prefix: String = "", to logger: Logger, level: Logger.Level = .debug, failureLevel: Logger.Level = .error,
      fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
    ) -> Signal<Value> {
      let start = prefix.isEmpty ? "" : prefix + ": "
      let (file, functionName) = ("\(fileID)", "\(function)")
      let module = String(file.prefix { $0 != "/" })
      let log: @Sendable (Logger.Level, @autoclosure () -> String) -> Void = { level, text in
        logger.log(
          level: level, "\(start)\(text())", source: module, file: file, function: functionName, line: line)
      }
      return handled(
        Site("log", behavior: [.passesOn, .atMostOne], fileID: fileID, line: line, function: function),
        onSubscribe: { log(level, "subscribed") },
        onValue: { log(level, "value \($0)") },
        onFailure: { log(failureLevel, "failed \($0)") },
        onFinish: { log(level, "finished") },
        onDispose: { log(level, "disposed") })
    }
  }
#else
  public import Signals

  extension Signal {
    /// Needs the trait `Logging` of the package.
    @available(*, unavailable, message: "name the trait where you depend on swift-signals: traits: [\"Logging\"]")
    public func log<Logger>(_ prefix: String = "", to logger: Logger) -> Signal<Value> { self }
  }
#endif
