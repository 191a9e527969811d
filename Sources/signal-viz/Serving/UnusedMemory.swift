import Foundation

/// What the system's allocator does with memory that nobody uses.
///
/// On Linux it keeps what each thread has used for that thread. Here other threads answer each time, and each needs as much for a large graph: so most of
/// what a server had taken was not used by anybody.
enum UnusedMemory {
  /// Lets all threads share what is free. To be called before there are others.
  static func share() {
    // The number of glibc's parameter M_ARENA_MAX. One thread at a time works on a large graph, so they hardly wait for each other.
    let arenas: Int32 = -8
    function("mallopt", (@convention(c) (Int32, Int32) -> Int32).self).map { _ = $0(arenas, 2) }
  }

  /// Gives back what is free.
  static func giveBack() {
    function("malloc_trim", (@convention(c) (Int) -> Int32).self).map { _ = $0(0) }
  }

  /// A function of the C library that Swift does not know; nil where there is none, as in other libraries than glibc.
  private static func function<Function>(_ name: String, _ type: Function.Type) -> Function? {
    #if canImport(Glibc)
      // Safe: both functions exist in glibc alone, with the parameters and results that their manual pages say.
      return dlsym(nil, name).map { unsafeBitCast($0, to: type) }
    #else
      return nil
    #endif
  }
}
