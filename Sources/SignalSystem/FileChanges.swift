public import Signals

/// The changes of a file or a directory.
public struct FileChanges: OptionSet, Hashable, Sendable {
  /// The bits.
  public let rawValue: UInt8

  /// Creates changes from bits.
  ///
  /// - Parameter rawValue: The bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The contents of the file have changed; in a directory: an entry was created, removed or renamed.
  public static let contents = FileChanges(rawValue: 1)
  /// The permissions, the times, the owner or the link count have changed.
  public static let attributes = FileChanges(rawValue: 2)
  /// It was renamed or moved. Watching continues there.
  public static let renamed = FileChanges(rawValue: 4)
  /// It was deleted, or replaced by another file; also if other names (hard links) remain.
  public static let deleted = FileChanges(rawValue: 8)
}

extension Signal where Value == FileChanges {
  /// Delivers the changes of a file or a directory.
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
  /// The file is watched, not its name. Many editors write a new file and replace the old one: then the old file is
  /// deleted. To follow a name, watch the directory, or subscribe again at the end:
  ///
  /// ```swift
  /// import SignalSystem
  /// import Signals
  ///
  /// let everyFile = Signal.fileChanges(at: "/etc/hosts").repeat(after: .milliseconds(50), on: .main)
  /// ```
  ///
  /// For a directory, only the fact that an entry was created or removed is reported, not which one, and no changes
  /// inside its files or subdirectories.
  /// On Linux, a file whose directory was renamed counts as deleted when its attributes change, as its path does not
  /// exist; a file that was itself renamed does not, unless there were more changes at once than the system stores.
  /// Changes in quick succession may be delivered as one value. A change after subscribe has returned is not missed.
  ///
  /// It uses inotify on Linux, and a file system object source on Apple platforms.
  ///
  /// - **Errors:** a ``SystemCallError`` if there is no such file, or it may not be opened.
  /// - **Ends:** after a value that has `deleted`.
  /// - **Order and threads:** on a queue of the subscription. A failure is delivered inside subscribe.
  /// - **Allocations:** a descriptor and a queue for each subscription. On Linux there are two descriptors, of which one
  ///   is an inotify instance; a user has 128 of these by default: add `share()` below for many subscribers to one file.
  /// - Parameter path: The path of the file or the directory; a symbolic link is followed.
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
