import Dispatch
import Synchronization

/// Waits for asynchronous work.
///
/// The main function stays synchronous: an asynchronous one ends the main thread, which callgrind does not survive.
enum Blocking {
  static func wait<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) throws -> Value {
    let done = DispatchSemaphore(value: 0)
    let box = Box<Value>()
    Task.detached {
      let result: Result<Value, any Error>
      do { result = .success(try await work()) } catch { result = .failure(error) }
      box.set(result)
      done.signal()
    }
    done.wait()
    guard let result = box.result else { preconditionFailure("the work has ended without a result") }
    return try result.get()
  }

  private final class Box<Value: Sendable>: Sendable {
    private let state = Mutex<Result<Value, any Error>?>(nil)

    var result: Result<Value, any Error>? { state.withLock { $0 } }

    func set(_ result: Result<Value, any Error>) { state.withLock { $0 = result } }
  }
}
