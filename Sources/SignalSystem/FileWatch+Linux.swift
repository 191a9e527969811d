#if os(Linux) || os(Android)
  import Signals
  import Synchronization

  #if canImport(Android)
    import Android
  #elseif canImport(Musl)
    import Musl
  #elseif canImport(Glibc)
    import Glibc
  #endif

  /// Watches a file with its own inotify instance.
  final class FileWatch: Sendable {
    /// The path from the root, and the one without symbolic links: either may lead elsewhere while the other does not.
    private let paths: [String]
    private let file: FileIdentity
    private let inotify: Descriptor
    /// Whether it has a name other than its path.
    private let hasMoved = Atomic<Bool>(false)

    init(_ path: String) throws(SystemCallError) {
      guard let file = FileIdentity(at: path) else { throw SystemCallError("stat") }
      let number = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
      guard number >= 0 else { throw SystemCallError("inotify_init1") }
      // For a directory, changes of the files in it are not requested.
      let contents = file.isFolder ? IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO : IN_MODIFY
      let mask = UInt32(contents | IN_ATTRIB | IN_MOVE_SELF | IN_DELETE_SELF)
      guard inotify_add_watch(number, path, mask) >= 0 else {
        let error = SystemCallError("inotify_add_watch")
        close(number)
        throw error
      }
      paths = [Self.absolute(path), Self.resolved(path)]
      self.file = file
      inotify = Descriptor(owned: number)
    }

    /// The path from the root, which stays right when the process changes its working directory.
    private static func absolute(_ path: String) -> String {
      guard !path.hasPrefix("/"), let directory = getcwd(nil, 0) else { return path }
      defer { free(directory) }
      return String(cString: directory) + "/" + path
    }

    /// The path from the root without symbolic links, which stays right when somebody changes a link.
    private static func resolved(_ path: String) -> String {
      guard let resolved = realpath(path, nil) else { return path }
      defer { free(resolved) }
      return String(cString: resolved)
    }

    func run(_ producer: Producer<FileChanges>) {
      inotify.whenReady(for: .reading, producer) { [self] in
        switch inotify.read(atMost: 4_096) {
        case .bytes(let bytes):
          let changes = changes(in: bytes)
          if !changes.isEmpty { producer.send(changes) }
          if changes.contains(.deleted) { producer.finish() }
        case .nothing: break
        case .end: producer.finish()
        case .failure(let error): producer.fail(error)
        }
      }
    }

    private func changes(in bytes: [UInt8]) -> FileChanges {
      var changes: FileChanges = []
      var hasOverflowed = false
      bytes.withUnsafeBytes { bytes in
        var start = 0
        let header = MemoryLayout<inotify_event>.size
        while start + header <= bytes.count {
          let event = bytes.loadUnaligned(fromByteOffset: start, as: inotify_event.self)
          // An event with a name is about a file in the directory, whose attributes are not the directory's.
          changes.formUnion(self.changes(event.len > 0 ? event.mask & ~UInt32(IN_ATTRIB) : event.mask))
          if event.mask & UInt32(IN_Q_OVERFLOW) != 0 { hasOverflowed = true }
          start += header + Int(event.len)
        }
      }
      if changes.contains(.renamed) { hasMoved.store(true, ordering: .relaxed) }
      // An open file is not deleted before it is closed: the removal of its last name is reported as a change of its
      // attributes. The name of a moved file is not known: its deletion is reported when it is closed. After an overflow,
      // the removal may be among the lost events.
      if changes.contains(.attributes) || hasOverflowed, !hasMoved.load(ordering: .relaxed),
        paths.allSatisfy({ FileIdentity(at: $0) != file })
      {
        changes.insert(.deleted)
      }
      return changes
    }

    private func changes(_ mask: UInt32) -> FileChanges {
      var changes: FileChanges = []
      let contents = IN_MODIFY | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_Q_OVERFLOW
      if mask & UInt32(contents) != 0 { changes.insert(.contents) }
      if mask & UInt32(IN_ATTRIB) != 0 { changes.insert(.attributes) }
      if mask & UInt32(IN_MOVE_SELF) != 0 { changes.insert(.renamed) }
      if mask & UInt32(IN_DELETE_SELF | IN_IGNORED) != 0 { changes.insert(.deleted) }
      return changes
    }
  }

  /// The file that currently has a name.
  private struct FileIdentity: Equatable {
    let device: dev_t
    let number: ino_t
    let isFolder: Bool

    init?(at path: String) {
      var status = stat()
      guard stat(path, &status) == 0 else { return nil }
      device = status.st_dev
      number = status.st_ino
      isFolder = status.st_mode & S_IFMT == S_IFDIR
    }
  }
#endif
