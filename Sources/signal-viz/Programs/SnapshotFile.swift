import Foundation
import SignalGraph

/// Snapshots in files.
enum SnapshotFile {
  static func read(_ path: String) throws -> GraphSnapshot {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw Failure("There is no file `\(path)`; give the path of a snapshot, or --pid or --name of a program.")
    }
    guard !isFolder.boolValue else { throw Failure("`\(path)` is a folder; give the path of a snapshot file.") }
    let data: Data
    do {
      data = try Data(contentsOf: URL(fileURLWithPath: path))
    } catch {
      throw Failure("The file `\(path)` cannot be read: \(error.localizedDescription). Check its permissions.")
    }
    do {
      return try GraphSnapshot(json: data)
    } catch {
      throw Failure("\(path): \(error)")
    }
  }
}
