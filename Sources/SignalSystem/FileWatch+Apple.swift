#if canImport(Darwin)
  import Darwin
  import Dispatch
  import Signals

  /// Watches a file with a file system object source.
  struct FileWatch: Sendable {
    private let file: Descriptor

    init(_ path: String) throws(SystemCallError) {
      let number = open(path, O_EVTONLY | O_CLOEXEC)
      guard number >= 0 else { throw SystemCallError("open") }
      file = Descriptor(owned: number)
    }

    func run(_ producer: Producer<FileChanges>) {
      let number = file.number
      let source = DispatchSource.makeFileSystemObjectSource(
        fileDescriptor: number, eventMask: [.write, .extend, .attrib, .link, .rename, .delete, .revoke],
        queue: DispatchQueue(label: "signals.file-changes"))
      let running = RunningSource(source)
      source.setEventHandler {
        let changes = FileChanges(DispatchSource.FileSystemEvent(rawValue: UInt(running.available)))
        if !changes.isEmpty { producer.send(changes) }
        if changes.contains(.deleted) { producer.finish() }
      }
      // The descriptor has to be open until the source is cancelled.
      source.setCancelHandler { _ = close(number) }
      source.activate()
      producer.onDisposal { running.cancel() }
    }
  }

  extension FileChanges {
    fileprivate init(_ events: DispatchSource.FileSystemEvent) {
      self = []
      if !events.isDisjoint(with: [.write, .extend]) { insert(.contents) }
      if !events.isDisjoint(with: [.attrib, .link]) { insert(.attributes) }
      if events.contains(.rename) { insert(.renamed) }
      if !events.isDisjoint(with: [.delete, .revoke]) { insert(.deleted) }
    }
  }
#endif
