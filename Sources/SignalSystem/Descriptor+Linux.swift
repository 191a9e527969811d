#if os(Linux) || os(Android)
  import CEpoll

  #if canImport(Android)
    import Android
  #elseif canImport(Musl)
    import Musl
  #elseif canImport(Glibc)
    import Glibc
  #endif

  extension Descriptor {
    /// Reads with `RWF_NOWAIT`, which never waits for a writer.
    ///
    /// - Returns: The number of bytes read, or a negative error code; nil if the system or the file does not support
    ///   it.
    func readNow(_ buffer: UnsafeMutableBufferPointer<UInt8>) -> Int? {
      let result = read_without_waiting(number, buffer.baseAddress, buffer.count)
      return [EOPNOTSUPP, ENOSYS, EINVAL, EPERM].contains(Int32(truncatingIfNeeded: -result)) ? nil : result
    }
  }
#endif
