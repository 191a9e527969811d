import Foundation
import SignalGraph
import SignalPicture

/// The addresses that open source locations in an editor.
// Safe: the directory's index is accessed under the lock only.
final class EditorLinks: @unchecked Sendable {
  private let lock = NSLock()
  private let folder: SourceFolder
  private let link: SourceLink?

  init(_ choice: LinkChoice) throws {
    folder = choice.folder
    link = try choice.editorLink
  }

  /// The address of a location; nil where its file is not found below the source root.
  func address(of definition: Definition) -> String? {
    guard var link else { return nil }
    if link.needsPaths {
      guard let path = lock.withLock({ folder.pathInside(of: definition.fileID) }) else { return nil }
      link.paths[definition.fileID] = path
    }
    return link.url(for: definition)
  }
}
