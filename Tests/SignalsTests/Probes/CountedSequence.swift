import Probes

/// 1, 2, 3 ..., and how many of them were read.
struct CountedSequence: Sequence, Sendable {
  let read: Box<Int>

  func makeIterator() -> AnyIterator<Int> {
    AnyIterator {
      read.withLock { read in
        read += 1
        return read
      }
    }
  }
}
