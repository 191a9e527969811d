#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#else
  #error("SignalAttach needs Unix-domain sockets: it knows Darwin, Glibc, Musl and Android.")
#endif

/// The result of `lstat` for a path; a symbolic link is reported as such, never followed.
struct FileStatus {
  enum Kind { case directory, symbolicLink, socket, other }

  var kind: Kind
  var owner: UInt32
  var permissions: UInt32

  /// The status of `path`, or `nil` if there is no file.
  static func read(_ path: String) throws(AttachError) -> FileStatus? {
    var status = stat()
    guard lstat(path, &status) == 0 else {
      let code = errno
      if code == ENOENT || code == ENOTDIR { return nil }
      throw .cannotExamine(path: path, reason: systemMessage(code))
    }
    let kind: Kind =
      switch status.st_mode & S_IFMT {
      case S_IFDIR: .directory
      case S_IFLNK: .symbolicLink
      case S_IFSOCK: .socket
      default: .other
      }
    return FileStatus(kind: kind, owner: status.st_uid, permissions: UInt32(status.st_mode) & 0o7777)
  }
}
