import Foundation

/// A thread of a server.
///
/// Unlike Foundation's `Thread`, which never runs if the system refuses it, starting one throws.
package enum ServerThread {
  /// What a thread runs.
  fileprivate final class Work: Sendable {
    let name: String
    let body: @Sendable () -> Void

    init(_ name: String, _ body: @escaping @Sendable () -> Void) {
      self.name = name
      self.body = body
    }
  }

  /// Starts a thread with a name, of which Linux shows 15 bytes.
  package static func start(_ name: String, _ body: @escaping @Sendable () -> Void) throws(SystemCallError) {
    #if os(Android)
      // Its headers disagree about the type of what a thread runs. A refused thread remains unnoticed there.
      let thread = Thread(block: body)
      thread.name = name
      thread.start()
    #else
      try startThread(name, body)
    #endif
  }

  #if !os(Android)
    private static func startThread(
      _ name: String, _ body: @escaping @Sendable () -> Void
    ) throws(SystemCallError) {
      #if canImport(Darwin) || canImport(Musl)
        var thread: pthread_t?
      #else
        var thread = pthread_t()
      #endif
      // Safe: the thread releases it; if there is no thread, this does.
      let work = Unmanaged.passRetained(Work(name, body))
      let code = pthread_create(&thread, nil, run, work.toOpaque())
      guard code == 0 else {
        work.release()
        throw SystemCallError(call: "pthread_create", code: code)
      }
      #if canImport(Darwin) || canImport(Musl)
        if let thread { pthread_detach(thread) }
      #else
        pthread_detach(thread)
      #endif
    }
  #endif
}

#if !os(Android)
  #if canImport(Darwin)
    private func run(_ argument: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? { perform(argument) }
  #else
    private func run(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? { perform(argument) }
  #endif

  private func perform(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument else { return nil }
    // Safe: `start` has retained it for this thread.
    let work = Unmanaged<ServerThread.Work>.fromOpaque(argument).takeRetainedValue()
    setName(work.name)
    #if canImport(ObjectiveC)
      autoreleasepool { work.body() }
    #else
      work.body()
    #endif
    return nil
  }

  /// Sets the name of this thread, for debuggers and lists of threads.
  private func setName(_ name: String) {
    #if canImport(Darwin)
      pthread_setname_np(name)
    #else
      // Swift does not import the function for it.
      let file = open("/proc/thread-self/comm", O_WRONLY | O_CLOEXEC)
      guard file >= 0 else { return }
      _ = write(file, name, name.utf8.count)
      close(file)
    #endif
  }
#endif
