import Foundation
import SignalGraph
import SignalPicture

/// Snapshots in files.
enum SnapshotFile {
  /// Reads a snapshot, or the part of it that is wanted.
  static func read(_ path: String, focus: GraphFocus) throws -> GraphSnapshot {
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
      return try GraphSnapshot(json: data).focused(on: focus)
    } catch {
      throw Failure("\(path): \("\(error)".displayable(limit: 1_000))")
    }
  }
}
