import Foundation
import Signals

extension MarbleSource {
  /// The place of a site. Of a site only the `#fileID` is known: its file is looked for beside `neighbour`'s, and where the package manager
  /// runs tests.
  init(_ site: Site, near neighbour: MarbleSource) {
    let parts = site.fileID.split(separator: "/").map(String.init)
    let module = parts.first ?? ""
    let beside = URL(fileURLWithPath: neighbour.filePath).deletingLastPathComponent()
    let package = URL(fileURLWithPath: FileManager.default.currentDirectoryPath)
    let folders = [
      beside, package.appendingPathComponent("Tests/\(module)"), package.appendingPathComponent("Sources/\(module)"),
    ]
    let path = folders.lazy.map { $0.appendingPathComponent(parts.last ?? "").path }
      .first { FileManager.default.fileExists(atPath: $0) }
    self.init(fileID: site.fileID, filePath: path ?? site.fileID, line: site.line, column: 1)
  }
}
