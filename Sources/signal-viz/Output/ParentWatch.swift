import Foundation

/// Ends this process when the one that started it has ended, however that was: nobody waits for what it does.
enum ParentWatch {
  /// Of the watching thread, which calls the system and nothing else.
  private static let stackBytes = 131_072

  /// Starts to watch.
  ///
  /// - Parameter parent: Who started this process; it may have ended already.
  static func start(_ parent: pid_t) {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setstacksize(&attributes, stackBytes)
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    // The number of the process is all that the thread needs: it allocates nothing, in a process with little memory.
    let argument = UnsafeMutableRawPointer(bitPattern: Int(parent))
    #if canImport(Darwin)
      var thread: pthread_t?
    #else
      var thread = pthread_t()
    #endif
    pthread_create(&thread, &attributes, waitForParent, argument)
  }
}

#if canImport(Darwin)
  private func waitForParent(_ parent: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? { wait(for: parent) }
#else
  private func waitForParent(_ parent: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? { wait(for: parent) }
#endif

private func wait(for parent: UnsafeMutableRawPointer?) -> Never {
  // Whose parent has ended gets another one. Systems tell it in different ways, or not at all; each has this.
  // Safe: nothing waits for this thread, and what it looks at is another process.
  while Int(getppid()) == Int(bitPattern: parent) { usleep(100_000) }
  _exit(1)
}
