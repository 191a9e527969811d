import Foundation

/// Controls what the system's allocator does with unused memory.
///
/// On Linux it retains the memory that a thread has used for that thread. Here a different thread responds each time,
/// and each needs as much for a large graph, so most of a server's memory was unused.
enum UnusedMemory {
  /// Lets all threads share unused memory. Call before other threads start.
  static func share() {
    // The value of glibc's parameter M_ARENA_MAX. One thread at a time processes a large graph, so contention is low.
    let arenas: Int32 = -8
    function("mallopt", (@convention(c) (Int32, Int32) -> Int32).self).map { _ = $0(arenas, 2) }
  }

  /// Returns unused memory to the system.
  static func giveBack() {
    function("malloc_trim", (@convention(c) (Int) -> Int32).self).map { _ = $0(0) }
  }

  /// Looks up a function of the C library that is not visible from Swift; nil if there is none, as in other libraries
  /// than glibc.
  private static func function<Function>(_ name: String, _ type: Function.Type) -> Function? {
    #if canImport(Glibc)
      // Safe: both functions exist in glibc only, with the parameters and results documented in their manual pages.
      return dlsym(nil, name).map { unsafeBitCast($0, to: type) }
    #else
      return nil
    #endif
  }
}
