import Foundation

/// A file that is written atomically: under another name in the same directory, then renamed. Anything else than a
/// file, such as a terminal or a pipe, is written to directly, and links are followed.
struct OutputFile {
  /// The name as given by the user.
  let name: String
  private let path: String
  private let folder: String

  /// Whether the path is something other than a regular file.
  private let isDevice: Bool

  /// Checks that the directory exists and can be written to, and that the path is not a directory itself.
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
    if isDevice {
      guard access(path, W_OK) == 0 else { throw Failure("Cannot write to `\(path)`: \(WriteError(number: errno)).") }
    } else {
      // The system may refuse it for reasons that no status shows.
      let (temporary, descriptor) = try makeTemporaryFile()
      close(descriptor)
      unlink(temporary)
      Unfinished.shared.keep(file: temporary)
    }
  }

  /// The target of a link; any other path unchanged.
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

  /// Calls `fill` with the new file; if it throws, an existing file remains unchanged.
  func write(_ fill: (FileHandle) throws -> Void) throws {
    if isDevice { return try writeToDevice(fill) }
    let (temporary, descriptor) = try makeTemporaryFile()
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

  /// Creates a file with an unused name in the same directory.
  private func makeTemporaryFile() throws -> (path: String, descriptor: Int32) {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    let beginning = "\(folder)/.\(name.prefix(100)).\(getpid())"
    // A process with the same number in another container, or one that was killed, may have used some.
    for number in 0..<1_000 {
      let temporary = number == 0 ? "\(beginning).tmp" : "\(beginning).\(number).tmp"
      let descriptor = Unfinished.shared.make(file: temporary) {
        open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
      }
      let error = WriteError(number: errno)
      if descriptor >= 0 { return (temporary, descriptor) }
      guard error.number == EEXIST else { throw Failure("Cannot write to the folder `\(folder)`: \(error).") }
    }
    throw Failure("The folder `\(folder)` is full of temporary files `\(beginning).*.tmp`; remove them.")
  }

  private func writeToDevice(_ fill: (FileHandle) throws -> Void) throws {
    let descriptor = open(path, O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw Failure("Cannot write to `\(path)`: \(WriteError(number: errno)).")
    }
    try writeAndClose(descriptor, synchronising: false, fill)
  }

  /// Calls `fill` with an open file, and closes it. System errors such as a full disk are reported in plain words.
  private func writeAndClose(_ descriptor: Int32, synchronising: Bool, _ fill: (FileHandle) throws -> Void) throws {
    // Closed here, so that errors on closing are reported.
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
