import Foundation

/// A file that appears whole or not at all: it is written beside its place under another name, then renamed.
struct OutputFile {
  private let path: String
  private let folder: String

  /// Checks that there is a folder to write to and no folder in the way.
  init(path: String) throws {
    self.path = path
    folder = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder), isFolder.boolValue else {
      throw Failure("The folder `\(folder)` of the output file `\(path)` does not exist; make it first.")
    }
    if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue {
      throw Failure("The output file `\(path)` is a folder; give the name of a file.")
    }
  }

  func write(_ data: Data) throws {
    try write { try $0.write(contentsOf: data) }
  }

  /// Calls `fill` with the new file; if it throws, what was at the path stays as it was.
  func write(_ fill: (FileHandle) throws -> Void) throws {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    let temporary = "\(folder)/.\(name.prefix(100)).\(getpid()).tmp"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else {
      throw Failure("Cannot write to the folder `\(folder)`: \(SystemMessage.last). Choose another output file.")
    }
    do {
      let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
      try fill(handle)
      try handle.synchronize()
      try handle.close()
      guard rename(temporary, path) == 0 else {
        throw Failure("Cannot move the finished file to `\(path)`: \(SystemMessage.last).")
      }
    } catch {
      unlink(temporary)
      throw error
    }
  }
}
