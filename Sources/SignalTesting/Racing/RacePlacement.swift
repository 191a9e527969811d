import Synchronization

/// The pauses of a seed, and the threads on which it runs actions.
struct RacePlacement: Sendable {
  let seed: UInt64

  /// The waiting time of a thread before a step: mostly short, sometimes long enough for everything else to finish.
  func pause(thread: Int, step: Int) -> Int {
    var random = mixed(thread, step)
    switch style {
    // All together.
    case 0: return random.below(8)
    // At different places.
    case 1, 2: return random.below(1 << random.below(11))
    // One thread is far behind at some step.
    default: return random.below(4) == 0 ? 2_000 + random.below(20_000) : random.below(16)
    }
  }

  /// The thread and the number of the step before which an action runs. The last number is behind all steps.
  func place(ofAct act: Int, stepCounts: [Int]) -> (thread: Int, step: Int) {
    var random = mixed(-1 - act, 0)
    guard !stepCounts.isEmpty else { return (0, 0) }
    let thread = random.below(stepCounts.count)
    return (thread, random.below(stepCounts[thread] + 1))
  }

  private var style: Int {
    var random = SplitMix(seed: seed)
    return random.below(4)
  }

  private func mixed(_ first: Int, _ second: Int) -> SplitMix {
    var random = SplitMix(
      seed: seed &+ UInt64(bitPattern: Int64(first)) &* 0x1000_0000_01B3 &+ UInt64(bitPattern: Int64(second)) &* 0x9E37
    )
    return SplitMix(seed: random.next())
  }
}
