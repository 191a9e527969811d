#if os(Linux)
  import Dispatch
  @preconcurrency import OpenCombine
  import OpenCombineDispatch
  import SignalTesting
  import Synchronization
  import Testing

  /// OpenCombine's publishers with its scheduler of dispatch queues.
  @Suite("OpenCombine in virtual system time") struct SystemTimeTests {
    private static let queue = DispatchQueue(label: "opencombine")

    @Test("delay and debounce on a queue") func delays() throws {
      try withVirtualTime(systemTime: .virtual) { time in
        let log = Mutex<[String]>([])
        let start = time.now
        let subject = PassthroughSubject<String, Never>()
        let words = subject.debounce(for: .seconds(20), scheduler: Self.queue.ocombine)
          .delay(for: .seconds(60), scheduler: Self.queue.ocombine)
          .sink { word in
            log.withLock { $0.append("\(word) at \(Int(start.duration(to: time.now) / .seconds(1))) s") }
          }
        defer { words.cancel() }
        subject.send("a")
        try time.advance(by: .seconds(10))
        subject.send("b")
        try time.advance(by: .seconds(79))
        #expect(log.withLock { $0 } == [])
        try time.advance(by: .seconds(1))
        #expect(log.withLock { $0 } == ["b at 90 s"])
      }
    }
  }
#endif
