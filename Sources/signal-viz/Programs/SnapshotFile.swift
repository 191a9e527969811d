import Foundation
import SignalGraph
import SignalPicture

/// Reads snapshots from files.
enum SnapshotFile {
  /// The maximum size; no graph is larger.
  static let largestSize = 1 << 30

  /// Reads a snapshot, or the requested part of it, with names for its sources. Of a recording it is the last one, with
  /// rates.
  static func read(_ path: String, focus: GraphFocus) throws -> GraphSnapshot {
    let data = try data(of: path)
    do {
      if RecordingFile.isTrace(data) {
        let graphs = try RecordingFile.graphs(data, path)
        return try named(graphs[graphs.count - 1].addingActivity(since: graphs[0])).focused(on: focus)
      }
      return try named(GraphSnapshot(json: data)).focused(on: focus)
    } catch let failure as Failure {
      throw failure
    } catch {
      throw Failure("\(path): \("\(error)".displayable(limit: 1_000))")
    }
  }

  private static func named(_ graph: GraphSnapshot) -> GraphSnapshot {
    SourceNames.current?.naming(graph) ?? graph
  }

  /// The contents of a file.
  ///
  /// - Parameter advice: The advice in the error if there is no file.
  static func data(
    of path: String, advice: String = "give the path of a snapshot, or --pid or --name of a program"
  ) throws -> Data {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw Failure("There is no file `\(path)`; \(advice).")
    }
    guard !isFolder.boolValue else { throw Failure("`\(path)` is a folder; give the path of a snapshot file.") }
    let data: Data
    do {
      // Read in parts, as a device may have no end.
      let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
      data = try file.read(upToCount: largestSize + 1) ?? Data()
    } catch {
      throw Failure("The file `\(path)` cannot be read: \(error.localizedDescription). Check its permissions.")
    }
    guard data.count <= largestSize else {
      throw Failure("`\(path)` has more than 1 GB, which is no snapshot. Give the path of a snapshot file.")
    }
    return data
  }
}
