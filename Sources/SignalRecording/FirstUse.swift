/// Detects whether a global or static variable is being initialized here and now, which happens at its first use. Its
/// content lives as long as the process and is shared by all code, so it belongs to no scope that happens to use it
/// first.
package enum FirstUse {
  #if canImport(Darwin) || canImport(Glibc)
    /// More frames than there are between the initialization of such a variable and the objects that it creates.
    private static let depth = 64

    package static var isUnderWay: Bool {
      guard !returnAddresses.isEmpty else { return false }
      return calls().contains { returnAddresses.contains($0) }
    }

    /// The return addresses in the runtime during the initialization of such a variable. They are found experimentally:
    /// the initializations of two variables at different locations have nothing else in common that is not around them
    /// too. This is one more such variable, hence the numbers.
    private static let returnAddresses: Set<UInt> = {
      let around = counts(calls())
      let (first, second) = (counts(First.calls), counts(Second.calls))
      return Set(
        first.keys.filter { address in
          let count = around[address] ?? 0
          return first[address] ?? 0 > count && second[address] ?? 0 > count
        })
    }()

    private static func counts(_ calls: [UInt]) -> [UInt: Int] {
      Dictionary(calls.map { ($0, 1) }, uniquingKeysWith: +)
    }

    private enum First {
      static let calls = FirstUse.calls()
    }

    private enum Second {
      static let calls = FirstUse.calls()
    }

    /// The return addresses of the calls around this.
    @inline(never)
    private static func calls() -> [UInt] {
      withUnsafeTemporaryAllocation(of: UInt.self, capacity: depth) { buffer in
        guard let start = buffer.baseAddress else { return [] }
        let count = backtrace(UnsafeMutableRawPointer(start), Int32(depth))
        return Array(buffer.prefix(max(0, Int(count))))
      }
    }
  #else
    // The C library has no backtrace.
    package static var isUnderWay: Bool { false }
  #endif
}

#if canImport(Darwin) || canImport(Glibc)
  /// The C library's function, which its module map omits.
  @_silgen_name("backtrace")
  private func backtrace(_ buffer: UnsafeMutableRawPointer, _ size: Int32) -> Int32
#endif
