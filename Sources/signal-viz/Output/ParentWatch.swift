import Foundation

/// Ends this process as soon as its parent has ended, for any reason, because its result is then of no use.
enum ParentWatch {
  /// The stack size of the watching thread, which makes system calls and nothing else.
  private static let stackBytes = 131_072

  /// Starts watching.
  ///
  /// - Parameter parent: The process that started this one; it may have ended already.
  static func start(_ parent: pid_t) {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setstacksize(&attributes, stackBytes)
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    // The thread needs only the process identifier: it allocates nothing, in a process with little memory.
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
  // A process whose parent has ended gets another one. Systems report this in different ways, or not at all; polling
  // works on all of them.
  // Safe: nothing waits for this thread, and it polls the state of another process.
  while Int(getppid()) == Int(bitPattern: parent) { usleep(100_000) }
  _exit(1)
}
