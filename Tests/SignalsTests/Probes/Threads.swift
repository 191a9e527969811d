import Dispatch
import Foundation

/// Runs pieces of work on a thread each, all started together, and returns when all have ended.
func onThreads(_ work: (@Sendable () -> Void)...) {
  onThreads(work.count) { work[$0]() }
}

/// Runs work on so many threads, all started together, and returns when all have ended.
func onThreads(_ count: Int, _ work: @escaping @Sendable (Int) -> Void) {
  let ready = DispatchGroup()
  let done = DispatchGroup()
  let start = DispatchSemaphore(value: 0)
  for index in 0..<count {
    ready.enter()
    done.enter()
    let thread = Thread {
      ready.leave()
      start.wait()
      work(index)
      done.leave()
    }
    thread.stackSize = 8 << 20
    thread.start()
  }
  ready.wait()
  for _ in 0..<count { start.signal() }
  done.wait()
}
