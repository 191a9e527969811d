import SignalTesting
import Signals
import Synchronization

private actor Counter {
  private(set) var count = 0

  func increase() { count += 1 }

  func start(_ time: VirtualTimeScheduler) {
    Task {
      try await time.sleep(for: .milliseconds(5))
      count += 10
    }
  }
}

extension Scenario {
  /// What stays in virtual time: it passes, in one order.
  static let staying = [
    Scenario(name: "detached tasks that wait for each other") {
      logged { time, log in
        for number in 1...4 {
          Task.detached {
            let sum = await Task.detached {
              try? await time.sleep(for: .milliseconds(10 - number))
              return number * 10
            }.value
            log.note("\(sum)", time)
          }
        }
      }
    },
    Scenario(name: "actors") {
      logged { time, log in
        let counter = Counter()
        for number in 1...3 {
          Task {
            await counter.start(time)
            try await time.sleep(for: .milliseconds(number))
            await counter.increase()
            log.note("\(await counter.count)", time)
          }
        }
        Task {
          try await time.sleep(for: .milliseconds(9))
          log.note("\(await counter.count)", time)
        }
      }
    },
    Scenario(name: "task groups, child tasks and yields") {
      logged { time, log in
        for name in ["a", "b"] {
          Task.detached {
            await withTaskGroup(of: Int.self) { group in
              for number in 1...3 {
                group.addTask {
                  await Task.yield()
                  try? await time.sleep(for: .milliseconds(number % 2))
                  return number
                }
              }
              for await number in group { log.note("\(name)\(number)", time) }
            }
            async let pause: Void? = try? time.sleep(for: .milliseconds(2))
            log.note("\(name)", time)
            _ = await pause
            log.note("\(name)!", time)
          }
        }
      }
    },
    Scenario(name: "streams between tasks") {
      logged { time, log in
        let (stream, continuation) = AsyncStream.makeStream(of: String.self)
        for name in ["a", "b"] {
          Task.detached {
            for step in 1...3 {
              try await time.sleep(for: .milliseconds(2))
              continuation.yield("\(name)\(step)")
            }
          }
        }
        Task {
          for await word in stream.prefix(6) { log.note(word, time) }
          log.note("over", time)
        }
      }
    },
    Scenario(name: "a marble test") {
      lines(
        of: {
          marbles { m in
            let words = Emitter<String>()
            let time = m.scheduler
            let source = m.hot("-a-b---c|")
            let bag = DisposeBag()
            source.signal.subscribe { word in
              Task.detached {
                try await time.sleep(for: .milliseconds(2))
                words.send(word)
              }
            }.store(in: bag)
            m.expect(words.signal.debounce(for: .milliseconds(1), on: time), "----a-b---c")
            m.task { withExtendedLifetime((bag, words)) {} }
          }
        })
    },
  ]

  private static func logged(_ start: @Sendable (VirtualTimeScheduler, Log) -> Void) -> String {
    let log = Log()
    let lines = lines {
      withVirtualTime { time in
        start(time, log)
        try? time.run()
      }
    }
    return "\(log.text) failures: \(lines)"
  }

  /// In which lines a closure fails.
  static func lines(of body: () -> Void) -> String {
    "\(failuresOfARun(body).map { $0.line ?? 0 })"
  }
}
