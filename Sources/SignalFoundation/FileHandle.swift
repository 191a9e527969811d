public import Foundation
import SignalSystem
public import Signals

extension FileHandle: EventSource {}

extension Events where Base: FileHandle {
  /// Delivers the bytes read from the handle as they arrive.
  ///
  /// ```swift
  /// import Foundation
  /// import SignalFoundation
  /// import Signals
  ///
  /// let bag = DisposeBag()
  /// let pipe = Pipe()
  /// pipe.fileHandleForReading.events.bytes()
  ///   .subscribe(onValue: { print("\($0.count) bytes") }, onFailure: { print($0) }, onFinish: { print("closed") })
  ///   .store(in: bag)
  /// ```
  ///
  /// Same as `Signal.bytes(from:)` of `SignalSystem` with the descriptor of the handle, which documents ends, failures,
  /// threads and back-pressure. The signal retains the handle, and each subscription reads a duplicate of its
  /// descriptor. Do not read from the handle in the meantime.
  ///
  /// - Parameter limit: The maximum length of a value; less than one counts as one.
  public func bytes(
    atMost limit: Int = 65_536,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<[UInt8]> {
    let handle: FileHandle = base
    return .deferred(fileID: fileID, line: line, function: function) {
      .bytes(from: handle.fileDescriptor, atMost: limit, fileID: fileID, line: line, function: function)
    }
  }

  /// Delivers the lines read from the handle as they arrive.
  ///
  /// ```swift
  /// import Foundation
  /// import SignalFoundation
  /// import Signals
  ///
  /// let bag = DisposeBag()
  /// FileHandle.standardInput.events.lines()
  ///   .subscribe(onValue: { print("you wrote \($0)") }, onFailure: { print($0) }, onFinish: { print("bye") })
  ///   .store(in: bag)
  /// ```
  ///
  /// Same as ``bytes(atMost:fileID:line:function:)`` with `lines()` of `SignalSystem`.
  public func lines(
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<String> {
    bytes(fileID: fileID, line: line, function: function).lines(fileID: fileID, line: line, function: function)
  }
}
