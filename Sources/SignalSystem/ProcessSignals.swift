public import Signals

extension Signal where Value == ProcessSignal {
  /// Delivers the Unix signals that the process gets, instead of their default actions.
  ///
  /// ```swift
  /// import SignalSystem
  /// import Signals
  ///
  /// let bag = DisposeBag()
  /// Signal.processSignals(.interrupt, .terminate)
  ///   .subscribe(onValue: { print("\($0): cleaning up") }, onFailure: { print($0) })
  ///   .store(in: bag)
  /// Signal.processSignals(.hangUp)
  ///   .subscribe(onValue: { _ in print("reading the configuration again") }, onFailure: { print($0) })
  ///   .store(in: bag)
  /// ```
  ///
  /// While a signal has a subscriber, the system takes no other action: control-C does not terminate the program. Any
  /// number of subscribers share it. When the last has left, the previous action is restored, unless other code has set
  /// one in the meantime.
  ///
  /// The system may merge signals of one kind that come in quick succession.
  ///
  /// - **Errors:** a ``SystemCallError`` for signals that cannot be handled, such as SIGKILL, and for faults of the
  ///   program, such as SIGSEGV.
  /// - **Ends:** never.
  /// - **Order and threads:** on one queue for all process signals; a slow handler delays the others. A failure is
  ///   delivered inside subscribe.
  /// - **Allocations:** two descriptors for the process, created by the first subscriber and retained.
  /// - Parameters:
  ///   - first: A signal to wait for.
  ///   - others: Further ones.
  public static func processSignals(
    _ first: ProcessSignal, _ others: ProcessSignal...,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<ProcessSignal> {
    let all = Set([first] + others)
    return Signal(named: "processSignals", fileID: fileID, line: line, function: function) { producer in
      for signal in all {
        do throws(SystemCallError) {
          producer.own(try ProcessSignalCenter.shared().watch(signal) { producer.send(signal) })
        } catch {
          return producer.fail(error)
        }
      }
    }
  }
}
