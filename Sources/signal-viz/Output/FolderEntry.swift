import Foundation

/// What lies in a folder. The system tells names and kinds at once: Foundation asks it for each entry again, and takes half a second for 15,000.
struct FolderEntry {
  /// The name, without the path.
  var name: String
  /// Whether it is a folder itself; a link to one is none.
  var isFolder: Bool
  /// Whether it is a link, or may be one.
  var isLink: Bool

  /// The entries of a folder in any order; none where it cannot be read.
  static func entries(of path: String) -> [FolderEntry] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var entries: [FolderEntry] = []
    while let entry = readdir(folder) {
      // Safe: the name ends with a zero within the entry, which is valid until the next call.
      let name = withUnsafePointer(to: &entry.pointee.d_name) { field in
        field.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: field.pointee)) {
          String(cString: $0)
        }
      }
      guard name != ".", name != ".." else { continue }
      let kind = Int(entry.pointee.d_type)
      // Some file systems do not tell the kind.
      let isFolder = kind == Int(DT_UNKNOWN) ? isFolder("\(path)/\(name)") : kind == Int(DT_DIR)
      let isLink = !isFolder && kind != Int(DT_REG)
      entries.append(FolderEntry(name: name, isFolder: isFolder, isLink: isLink))
    }
    return entries
  }

  private static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }
}
