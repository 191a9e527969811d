import Foundation

/// A file without a name, which is gone when it is closed.
struct ScratchFile {
  let handle: FileHandle

  init(_ contents: Data = Data()) throws {
    // mkstemp puts letters of its own in the place of the six X, and makes the file for this user only.
    var template = Array("\(NSTemporaryDirectory())/signal-viz.XXXXXX".utf8CString)
    let descriptor = mkstemp(&template)
    guard descriptor >= 0 else {
      throw Failure("Cannot make a temporary file in `\(NSTemporaryDirectory())`: \(SystemMessage.last).")
    }
    unlink(template)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    do {
      try contents.write(to: descriptor)
    } catch let error as WriteError {
      throw Failure("A temporary file in `\(NSTemporaryDirectory())` cannot be written: \(error).")
    }
    try handle.seek(toOffset: 0)
  }

  func contents() throws -> Data {
    try handle.seek(toOffset: 0)
    return try handle.readToEnd() ?? Data()
  }
}

/// What the system says about the last call that failed.
enum SystemMessage {
  static var last: String { String(cString: strerror(errno)) }
}
