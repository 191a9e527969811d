import ArgumentParser
import Foundation
import SignalPicture

/// The directory of a program's source code, in which the file of a `#fileID` is looked up.
///
/// A file is found if exactly one below the directory has its name and is in a directory with the module's name, such
/// as `Sources/Module/Views/File.swift` for `Module/File.swift`. If there is none, the directory itself may have the
/// module's name.
final class SourceFolder {
  /// The maximum number of files and directories visited.
  static let limit = 200_000

  /// The directory, as given.
  let root: String
  private var index: [String: [[String]]]?

  init(_ root: String) { self.root = root }

  /// Rejects a path that is not a directory.
  static func check(_ root: String) throws {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: root, isDirectory: &isFolder), isFolder.boolValue else {
      throw ValidationError("The source root `\(root.displayable(limit: 500))` is not a folder.")
    }
  }

  /// The path of a file relative to the current directory; nil if it is not found.
  ///
  /// - Parameter fileID: The file, such as `Module/File.swift`.
  func path(of fileID: String) -> String? {
    guard let inside = pathInside(of: fileID) else { return nil }
    let folder = URL(fileURLWithPath: root).standardizedFileURL.path
    let current = URL(fileURLWithPath: FileManager.default.currentDirectoryPath).standardizedFileURL.path
    if folder == current { return inside }
    if folder.hasPrefix(current + "/") { return "\(folder.dropFirst(current.count + 1))/\(inside)" }
    return folder == "/" ? "/\(inside)" : "\(folder)/\(inside)"
  }

  /// The path of a file relative to this directory; nil if it is not found.
  ///
  /// - Parameter fileID: The file, such as `Module/File.swift`.
  func pathInside(of fileID: String) -> String? {
    let parts = fileID.split(separator: "/").map(String.init)
    guard parts.count >= 2, let module = parts.first, let name = parts.last else { return nil }
    let files = known()[name] ?? []
    let fitting = files.filter { $0.dropLast().contains { Self.moduleName($0) == module } }
    if fitting.count == 1 { return fitting[0].joined(separator: "/") }
    let own = Self.moduleName(URL(fileURLWithPath: root).standardizedFileURL.lastPathComponent)
    guard fitting.isEmpty, files.count == 1, own == module else { return nil }
    return files[0].joined(separator: "/")
  }

  /// The Swift name of a module with a directory's name.
  private static func moduleName(_ folder: String) -> String {
    let name = String(folder.map { $0.isLetter || $0.isNumber || $0 == "_" ? $0 : "_" })
    return name.first?.isNumber == true ? "_" + name.dropFirst() : name
  }

  /// Whether a path, with links resolved, is below the directory.
  private func isInside(_ parts: [String]) -> Bool {
    let path = ([root] + parts).joined(separator: "/")
    let (own, target) = (URL(fileURLWithPath: root), URL(fileURLWithPath: path))
    return target.resolvingSymlinksInPath().path.hasPrefix(own.resolvingSymlinksInPath().path + "/")
  }

  /// The Swift files below the directory by name, each as the components of its path. Hidden directories, such as
  /// `.build`, and links that lead outside are skipped.
  private func known() -> [String: [[String]]] {
    if let index { return index }
    var files: [String: [[String]]] = [:]
    var waiting: [[String]] = [[]]
    var count = 0
    while let folder = waiting.popLast() {
      for entry in FolderEntry.entries(of: ([root] + folder).joined(separator: "/")) where !entry.name.hasPrefix(".") {
        count += 1
        // If not everything was visited, a match may not be the only one.
        guard count <= Self.limit else {
          index = [:]
          return [:]
        }
        if entry.isFolder {
          waiting.append(folder + [entry.name])
        } else if entry.name.hasSuffix(".swift"), !entry.isLink || isInside(folder + [entry.name]) {
          files[entry.name, default: []].append(folder + [entry.name])
        }
      }
    }
    index = files
    return files
  }
}
