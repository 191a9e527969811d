import ArgumentParser
import Foundation
import SignalPicture

/// The folder with a program's source code, in which the file of a `#fileID` is looked up.
///
/// A file is found when exactly one below the folder has its name and lies in a folder that has the module's name, such as
/// `Sources/Module/Views/File.swift` for `Module/File.swift`. If none lies so, the folder itself may have the module's name.
final class SourceFolder {
  /// At most so many files and folders are looked at.
  static let limit = 200_000

  /// The folder, as it was given.
  let root: String
  private var index: [String: [[String]]]?

  init(_ root: String) { self.root = root }

  /// Refuses what is no folder.
  static func check(_ root: String) throws {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: root, isDirectory: &isFolder), isFolder.boolValue else {
      throw ValidationError("The source root `\(root.displayable(limit: 500))` is not a folder.")
    }
  }

  /// The path of a file for somebody in the current folder; nil if it is not found.
  ///
  /// - Parameter fileID: Such as `Module/File.swift`.
  func path(of fileID: String) -> String? {
    guard let inside = pathInside(of: fileID) else { return nil }
    let folder = URL(fileURLWithPath: root).standardizedFileURL.path
    let current = URL(fileURLWithPath: FileManager.default.currentDirectoryPath).standardizedFileURL.path
    if folder == current { return inside }
    if folder.hasPrefix(current + "/") { return "\(folder.dropFirst(current.count + 1))/\(inside)" }
    return folder == "/" ? "/\(inside)" : "\(folder)/\(inside)"
  }

  /// The path of a file from this folder on; nil if it is not found.
  ///
  /// - Parameter fileID: Such as `Module/File.swift`.
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

  /// The name that a module of a folder's name has in Swift.
  private static func moduleName(_ folder: String) -> String {
    let name = String(folder.map { $0.isLetter || $0.isNumber || $0 == "_" ? $0 : "_" })
    return name.first?.isNumber == true ? "_" + name.dropFirst() : name
  }

  /// Whether what a path leads to, through links, is below the folder.
  private func isInside(_ parts: [String]) -> Bool {
    let path = ([root] + parts).joined(separator: "/")
    let (own, target) = (URL(fileURLWithPath: root), URL(fileURLWithPath: path))
    return target.resolvingSymlinksInPath().path.hasPrefix(own.resolvingSymlinksInPath().path + "/")
  }

  /// The Swift files below the folder by name, each as the parts of its path. Hidden folders, such as `.build`, and links to what is outside are left out.
  private func known() -> [String: [[String]]] {
    if let index { return index }
    var files: [String: [[String]]] = [:]
    var waiting: [[String]] = [[]]
    var count = 0
    while let folder = waiting.popLast() {
      for entry in FolderEntry.entries(of: ([root] + folder).joined(separator: "/")) where !entry.name.hasPrefix(".") {
        count += 1
        // Where not everything can be seen, nobody knows whether there is exactly one.
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
