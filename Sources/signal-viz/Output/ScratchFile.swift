import Foundation

/// A file without a name, which is deleted when it is closed.
struct ScratchFile {
  let handle: FileHandle

  init(_ contents: Data = Data()) throws {
    // mkstemp replaces the six X, and creates the file for this user only.
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

/// The system's message for the last failed call.
enum SystemMessage {
  static var last: String { String(cString: strerror(errno)) }
}
