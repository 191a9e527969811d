import Foundation
import Signals

/// Where a check is written.
struct CheckPlace: Sendable {
  let fileID: StaticString
  let filePath: StaticString
  let line: UInt
  let column: UInt

  /// The path of a file that is known by its `#fileID` alone: a neighbour of the check's file, or else the identifier itself.
  func path(of site: Site) -> String {
    if site.fileID == "\(fileID)" { return "\(filePath)" }
    let name = site.fileID.split(separator: "/").last.map(String.init) ?? site.fileID
    let neighbour = URL(fileURLWithPath: "\(filePath)").deletingLastPathComponent().appendingPathComponent(name).path
    return FileManager.default.fileExists(atPath: neighbour) ? neighbour : site.fileID
  }
}
