import Dispatch

/// Does a work item again and again on a queue, each time in a job of its own, behind what the queue was given meanwhile.
final class QueueSteps: @unchecked Sendable {
  // Safe: `left` is touched only on the queue, which is serial, and before the first job is given to it.
  private let queue: DispatchQueue
  private let step: () -> Void
  private let done = DispatchSemaphore(value: 0)
  private var left = 0

  init(on queue: DispatchQueue, _ step: @escaping () -> Void) {
    self.queue = queue
    self.step = step
  }

  /// Returns once all has been done, and what the queue was given meanwhile too.
  func perform(_ count: Int) {
    left = count
    queue.async(execute: next)
    done.wait()
  }

  private func next() {
    guard left > 0 else {
      done.signal()
      return
    }
    left -= 1
    step()
    queue.async(execute: next)
  }
}
