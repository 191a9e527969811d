import Foundation

/// A file that appears whole or not at all: it is written beside its place under another name, then renamed. What is no file, such as a
/// terminal or a pipe, is written to as it is, and a link leads to what is written.
struct OutputFile {
  /// The name that the user gave.
  let name: String
  private let path: String
  private let folder: String

  /// Whether something else than a file is there.
  private let isDevice: Bool

  /// Checks that there is a folder to write to and no folder in the way.
  init(path given: String) throws {
    guard !given.isEmpty else { throw Failure("The output file has no name; give one.") }
    name = given
    let path = Self.destination(of: given)
    self.path = path
    var target = stat()
    isDevice = stat(path, &target) == 0 && target.st_mode & S_IFMT != S_IFREG
    folder = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder), isFolder.boolValue else {
      throw Failure("The folder `\(folder)` of the output file `\(path)` does not exist; make it first.")
    }
    if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue {
      throw Failure("The output file `\(path)` is a folder; give the name of a file.")
    }
  }

  /// Where a link leads to; anything else itself.
  private static func destination(of path: String) -> String {
    var target = stat()
    guard lstat(path, &target) == 0, target.st_mode & S_IFMT == S_IFLNK, let whole = realpath(path, nil) else {
      return path
    }
    defer { free(whole) }
    return String(cString: whole)
  }

  func write(_ data: Data) throws {
    try write { try data.write(to: $0.fileDescriptor) }
  }

  /// Calls `fill` with the new file; if it throws, what was at the path stays as it was.
  func write(_ fill: (FileHandle) throws -> Void) throws {
    if isDevice { return try writeToDevice(fill) }
    let name = path.split(separator: "/").last.map(String.init) ?? path
    let temporary = "\(folder)/.\(name.prefix(100)).\(getpid()).tmp"
    let descriptor = Unfinished.shared.make(file: temporary) {
      open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    }
    guard descriptor >= 0 else {
      throw Failure("Cannot write to the folder `\(folder)`: \(WriteError(number: errno)).")
    }
    do {
      try writeAndClose(descriptor, synchronising: true, fill)
      guard rename(temporary, path) == 0 else {
        throw Failure("Cannot move the finished file to `\(path)`: \(SystemMessage.last).")
      }
      Unfinished.shared.keep(file: temporary)
    } catch {
      unlink(temporary)
      Unfinished.shared.keep(file: temporary)
      throw error
    }
  }

  private func writeToDevice(_ fill: (FileHandle) throws -> Void) throws {
    let descriptor = open(path, O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw Failure("Cannot write to `\(path)`: \(WriteError(number: errno)).")
    }
    try writeAndClose(descriptor, synchronising: false, fill)
  }

  /// Calls `fill` with an open file, and closes it. What the system says of a full disk is told in plain words.
  private func writeAndClose(_ descriptor: Int32, synchronising: Bool, _ fill: (FileHandle) throws -> Void) throws {
    // It is closed here, so that what is wrong then is heard of.
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: false)
    do {
      do {
        try fill(handle)
        if synchronising, fsync(descriptor) != 0 { throw WriteError(number: errno) }
      } catch {
        close(descriptor)
        throw error
      }
      guard close(descriptor) == 0 else { throw WriteError(number: errno) }
    } catch let error as WriteError {
      throw Failure("The output file `\(path)` cannot be written: \(error).")
    }
  }
}
