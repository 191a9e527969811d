import Foundation
import SignalGraph

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

/// The private directory for the sockets of one user's inspected processes.
///
/// Its safety rests on the directory: it belongs to the user and no other user may enter it, so no other user can
/// connect to a socket in it or create one there.
public struct SocketDirectory: Hashable, Sendable {
  /// The environment variable that names another directory, for both sides.
  public static let environmentKey = "SIGNAL_VIZ_DIRECTORY"

  /// The absolute path, without a slash at its end.
  public let path: String

  /// Creates the description of a directory; nothing is created on disk, and only the absoluteness of `path` is
  /// checked.
  ///
  /// - Parameter path: An absolute path; trailing slashes are dropped.
  /// - Throws: `AttachError` if the path is not absolute.
  public init(path: String) throws(AttachError) {
    guard path.hasPrefix("/") else { throw .pathNotAbsolute(path: path) }
    var trimmed = path
    while trimmed.count > 1, trimmed.hasSuffix("/") { trimmed.removeLast() }
    self.path = trimmed
  }

  /// The directories that a client searches, best first; a process creates its socket in the first one.
  ///
  /// `SIGNAL_VIZ_DIRECTORY` alone if it is set. Else `$XDG_RUNTIME_DIR/signal-viz` if that variable names an existing
  /// directory whose path is short enough for a socket address, and `/tmp/signal-viz-$UID` (macOS: `signal-viz` in the
  /// user's own temporary directory). A client searches both, because a service is often started without the variables
  /// of a login.
  ///
  /// - Parameter environment: The environment; this process's own by default.
  package static func searchList(
    environment: [String: String]? = nil
  ) throws(AttachError) -> [SocketDirectory] {
    let environment = environment ?? ProcessInfo.processInfo.environment
    if let override = environment[environmentKey], !override.isEmpty {
      return [try SocketDirectory(path: override)]
    }
    var list: [SocketDirectory] = []
    if let runtime = environment["XDG_RUNTIME_DIR"], runtime.hasPrefix("/"), isDirectory(runtime) {
      let directory = try SocketDirectory(path: runtime + "/signal-viz")
      if directory.fitsInAddress { list.append(directory) }
    }
    list.append(try SocketDirectory(path: temporaryPath()))
    return list
  }

  /// The directory for the socket of a process of this user: the first of ``searchList(environment:)``.
  ///
  /// - Parameter environment: The environment; this process's own by default.
  /// - Throws: `AttachError` if `SIGNAL_VIZ_DIRECTORY` holds a path that is not absolute.
  package static func standard(
    environment: [String: String]? = nil
  ) throws(AttachError) -> SocketDirectory {
    if let first = try searchList(environment: environment).first { return first }
    return try SocketDirectory(path: temporaryPath())
  }

  /// Whether the paths of sockets in it fit into their addresses, for any process.
  private var fitsInAddress: Bool {
    let longest = ProcessIdentity(name: "", pid: .max, startedAt: 9_999_999_999)
    return SocketFile(directory: path, process: longest).path.utf8.count <= SocketFile.pathLimit
  }

  /// Creates the directory with mode 0700 if it is missing (its parent has to exist), then verifies it.
  package func prepare() throws(AttachError) {
    if mkdir(path, 0o700) != 0 {
      let code = errno
      if code != EEXIST { throw .cannotCreate(path: path, reason: systemMessage(code)) }
    }
    guard try verify() else { throw .cannotCreate(path: path, reason: "it vanished while it was made") }
  }

  /// Throws if the file at `path` is not a private directory of this user.
  ///
  /// - Returns: `false` if there is no file.
  @discardableResult
  package func verify() throws(AttachError) -> Bool {
    guard let status = try FileStatus.read(path) else { return false }
    switch status.kind {
    case .symbolicLink: throw .symbolicLink(path: path)
    case .socket, .other: throw .notADirectory(path: path)
    case .directory: break
    }
    guard status.owner == geteuid() else {
      throw .foreignOwner(path: path, owner: status.owner, expected: geteuid())
    }
    guard status.permissions & 0o077 == 0 else { throw .modeTooWide(path: path, mode: status.permissions) }
    return true
  }

  /// The sockets of this user in the directory, live and stale, ordered by process identifier; none if the directory is
  /// missing.
  ///
  /// Throws if the directory is not safe to use. Other files, and sockets of other users, are skipped.
  package func sockets() throws(AttachError) -> [SocketFile] {
    try ownSockets { SocketFile(directory: path, fileName: $0) }
  }

  /// The sockets of this user that a process has not finished setting up.
  func unfinishedSockets() throws(AttachError) -> [SocketFile] {
    try ownSockets { SocketFile(directory: path, temporaryFileName: $0) }
  }

  private func ownSockets(_ parse: (String) -> SocketFile?) throws(AttachError) -> [SocketFile] {
    guard try verify() else { return [] }
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: path)
    } catch {
      throw .cannotExamine(path: path, reason: error.localizedDescription)
    }
    var found: [SocketFile] = []
    for name in names {
      guard let socket = parse(name), let status = try FileStatus.read("\(path)/\(name)"),
        status.kind == .socket, status.owner == geteuid()
      else { continue }
      found.append(socket)
    }
    return found.sorted { ($0.pid, $0.startedAtMilliseconds) < ($1.pid, $1.startedAtMilliseconds) }
  }

  private static func temporaryPath() -> String {
    #if canImport(Darwin)
      var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
      if confstr(_CS_DARWIN_USER_TEMP_DIR, &buffer, buffer.count) > 0 {
        let directory = String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return directory + (directory.hasSuffix("/") ? "" : "/") + "signal-viz"
      }
    #endif
    return "/tmp/signal-viz-\(geteuid())"
  }

  private static func isDirectory(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }
}
