#if Tracing
  import Synchronization
  import Tracing

  /// The contexts in which sampled causes began.
  final class SampledContexts: Sendable {
    /// The maximum number of waiting contexts: those whose spans never come are dropped.
    private static let limit = 4_096

    private let threshold: UInt64
    private let contexts = Mutex<[UInt64: InstrumentationContext]>([:])

    init(_ sampling: Double) {
      threshold =
        sampling >= 1 ? .max : sampling > 0 ? UInt64(sampling * 18_446_744_073_709_549_568) : 0
    }

    /// Whether a cause becomes a span. The result for a number is always the same.
    func isSampled(_ number: UInt64) -> Bool {
      guard threshold < .max else { return true }
      // Neighbouring numbers are uncorrelated afterwards.
      var hash = number &+ 0x9E37_79B9_7F4A_7C15
      hash = (hash ^ (hash >> 30)) &* 0xBF58_476D_1CE4_E5B9
      hash = (hash ^ (hash >> 27)) &* 0x94D0_49BB_1331_11EB
      return hash ^ (hash >> 31) < threshold
    }

    /// Stores the context in which a cause begins, here and now.
    func note(_ number: UInt64) {
      guard isSampled(number), let current = InstrumentationContext.current else { return }
      contexts.withLock { contexts in
        // The earlier half: numbers grow.
        if contexts.count >= Self.limit {
          for number in contexts.keys.sorted().prefix(Self.limit / 2) { contexts[number] = nil }
        }
        contexts[number] = current
      }
    }

    func take(_ number: UInt64) -> InstrumentationContext? {
      contexts.withLock { $0.removeValue(forKey: number) }
    }
  }
#endif
