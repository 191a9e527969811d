import Foundation
import Signals

extension MarbleSource {
  /// The location of a site. Only its `#fileID` is known: the file is searched for next to `neighbour`'s, and where the
  /// package manager runs tests.
  init(_ site: Site, near neighbour: MarbleSource) {
    self.init(fileID: site.fileID, line: site.line, near: neighbour)
  }

  /// The location of a line of a file. If the file is not found, its path is its `#fileID`.
  init(fileID: String, line: Int, near neighbour: MarbleSource) {
    let parts = fileID.split(separator: "/").map(String.init)
    let module = parts.first ?? ""
    let beside = URL(fileURLWithPath: neighbour.filePath).deletingLastPathComponent()
    let package = URL(fileURLWithPath: FileManager.default.currentDirectoryPath)
    let folders = [
      beside, package.appendingPathComponent("Tests/\(module)"), package.appendingPathComponent("Sources/\(module)"),
    ]
    let path = folders.lazy.map { $0.appendingPathComponent(parts.last ?? "").path }
      .first { FileManager.default.fileExists(atPath: $0) }
    self.init(fileID: fileID, filePath: path ?? Self.path(of: fileID) ?? fileID, line: line, column: 1)
  }

  /// A file in a directory of its module, in the package manager's layout; nil if there are two of that name.
  private static func path(of fileID: String) -> String? {
    let parts = fileID.split(separator: "/").map(String.init)
    guard parts.count == 2 else { return nil }
    let package = URL(fileURLWithPath: FileManager.default.currentDirectoryPath)
    let paths = ["Sources", "Tests"].flatMap { folder -> [String] in
      let module = package.appendingPathComponent(folder).appendingPathComponent(parts[0])
      let files = FileManager.default.enumerator(at: module, includingPropertiesForKeys: nil)
      return (files?.compactMap { $0 as? URL } ?? []).filter { $0.lastPathComponent == parts[1] }.map(\.path)
    }
    return paths.count == 1 ? paths[0] : nil
  }
}
