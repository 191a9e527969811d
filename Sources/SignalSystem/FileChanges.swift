public import Signals

/// What has happened to a file or a folder.
public struct FileChanges: OptionSet, Hashable, Sendable {
  /// The bits.
  public let rawValue: UInt8

  /// Changes as bits.
  ///
  /// - Parameter rawValue: The bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// What the file contains has changed; in a folder: something came, went or has another name.
  public static let contents = FileChanges(rawValue: 1)
  /// The rights, the times or the owner have changed, or the number of its names.
  public static let attributes = FileChanges(rawValue: 2)
  /// It has another name, or is in another place. It is watched there.
  public static let renamed = FileChanges(rawValue: 4)
  /// It was deleted, or another file was put in its place.
  public static let deleted = FileChanges(rawValue: 8)
}

extension Signal where Value == FileChanges {
  /// Says when a file or a folder changes.
  ///
  /// ```swift
  /// import SignalSystem
  /// import Signals
  ///
  /// let bag = DisposeBag()
  /// Signal.fileChanges(at: "/etc/hosts")
  ///   .filter { $0.contains(.contents) }
  ///   .debounce(for: .milliseconds(100), on: .main)
  ///   .subscribe(onValue: { _ in print("the hosts have changed") }, onFailure: { print($0) })
  ///   .store(in: bag)
  /// ```
  ///
  /// What is watched is the file, not its name. Many editors write a new file and put it in the place of the old one: then the old file is deleted. To follow a
  /// name, watch the folder, or subscribe again at the end:
  ///
  /// ```swift
  /// import SignalSystem
  /// import Signals
  ///
  /// let everyFile = Signal.fileChanges(at: "/etc/hosts").repeat(after: .milliseconds(50), on: .main)
  /// ```
  ///
  /// Of a folder one learns that something in it came or went, not what, and nothing of what is in the files or in folders below.
  /// On Linux, a file whose folder has another name counts as deleted when its attributes change, as its path leads nowhere; a file that itself has another name
  /// does not.
  /// Changes in quick succession may come as one value. A change that happens after subscribe has returned is not missed.
  ///
  /// It uses inotify on Linux, and a file system object source on Apple's systems.
  ///
  /// - **Errors:** a ``SystemCallError`` when there is no such file, or it may not be opened.
  /// - **Ends:** after a value that has `deleted`.
  /// - **Order and threads:** on a queue of the subscription. A failure is delivered inside subscribe.
  /// - **Allocations:** a descriptor and a queue for each subscription. On Linux the descriptor is an inotify instance, of which a user has 128 unless
  ///   the system is set up otherwise: put `share()` below where many listen to one file.
  /// - Parameter path: The path of the file or the folder; a symbolic link is followed.
  public static func fileChanges(
    at path: String, fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<FileChanges> {
    Signal(named: "fileChanges", fileID: fileID, line: line, function: function) { producer in
      do throws(SystemCallError) {
        try FileWatch(path).run(producer)
      } catch {
        producer.fail(error)
      }
    }
  }
}
