import Foundation
import Synchronization

/// Other threads, as many as are needed at a time, for sources that send from elsewhere.
final class Helpers: Sendable {
  static let shared = Helpers()

  private let idle = Guarded<[Helper]>([])
  private let busyCount = Atomic<Int>(0)

  /// Whether nothing is under way.
  var areIdle: Bool { busyCount.load(ordering: .acquiring) == 0 }

  /// Runs work on another thread and returns when it has ended.
  func andWait(_ work: @escaping @Sendable () -> Void) {
    let done = DispatchSemaphore(value: 0)
    start {
      work()
      done.signal()
    }
    done.wait()
  }

  /// Runs work on another thread.
  func start(_ work: @escaping @Sendable () -> Void) {
    let helper = idle.withLock { $0.popLast() } ?? Helper()
    busyCount.add(1, ordering: .relaxed)
    helper.run {
      work()
    } afterwards: {
      self.busyCount.subtract(1, ordering: .releasing)
      self.idle.withLock { $0.append(helper) }
    }
  }
}

private final class Helper: Sendable {
  private let hasWork = DispatchSemaphore(value: 0)
  private let work = Guarded<(@Sendable () -> Void)?>(nil)
  private let afterwards = Guarded<(@Sendable () -> Void)?>(nil)

  init() {
    let thread = Thread { [self] in
      Watch.prepareThread()
      while true {
        hasWork.wait()
        step()
      }
    }
    thread.stackSize = 8 << 20
    thread.start()
  }

  func run(_ work: @escaping @Sendable () -> Void, afterwards: @escaping @Sendable () -> Void) {
    self.work.value = work
    self.afterwards.value = afterwards
    hasWork.signal()
  }

  private func step() {
    let work = work.withLock { $0.take() }
    let afterwards = afterwards.withLock { $0.take() }
    work?()
    afterwards?()
  }
}
