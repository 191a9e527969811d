public import Signals

extension Signal where Value == ProcessSignal {
  /// Delivers the signals that the process gets, in the sense of Unix, in place of what they would do.
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
  /// While somebody is subscribed to a signal, the system does nothing else about it: control-C does not end the program. Any number of
  /// subscribers share it. When the last has left, what was set before is set again, unless somebody else has set something meanwhile.
  ///
  /// The system may join signals of one kind that come in quick succession.
  ///
  /// - **Errors:** a ``SystemCallError`` for what nobody can handle, such as SIGKILL, and for faults of the program, such as SIGSEGV.
  /// - **Ends:** never.
  /// - **Order and threads:** on one queue for all process signals; a slow handler holds up the others. A failure is delivered inside subscribe.
  /// - **Allocations:** two descriptors for the process, made by the first subscriber and kept.
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
