public import DequeModule
public import Synchronization

extension Signal {
  /// Transforms each value with an asynchronous closure: one at a time, or several concurrently.
  ///
  /// ![mapAsync, as a marble diagram](mapAsync-maxConcurrent-keepsOrder-overflow-executor)
  ///
  /// ```text
  /// source   -ab------|
  ///          source.mapAsync(executor: scheduler) { try await load($0) }
  /// result   ----ab---|
  ///
  ///          source.mapAsync(maxConcurrent: 2, executor: scheduler) { try await load($0) }
  /// result   ----(ab)----|
  ///
  ///          source.mapAsync(maxConcurrent: 2, keepsOrder: false, executor: scheduler) { try await load($0) }
  /// result   ---ba----|
  /// ```
  ///
  /// Here `load` takes three milliseconds for `a`, and one for `b`.
  ///
  /// ```swift
  /// func load(_ name: String) async throws -> [UInt8] { [] }
  /// let bag = DisposeBag()
  /// let files = Emitter<String>()
  /// files.signal
  ///   .mapAsync(maxConcurrent: 4) { name in (name, try await load(name).count) }
  ///   .subscribe { name, size in print("\(name): \(size) bytes") }
  ///   .store(in: bag)
  /// ```
  ///
  /// Values beyond the limit are queued; the graph shows how many are, and how many were dropped. If only the newest
  /// value matters, ``flatMapLatest(fileID:line:function:_:)`` with ``async(executor:fileID:line:function:_:)`` cancels
  /// the closure of the previous one.
  ///
  /// - **Errors:** an error that the closure throws fails the result: after the results of earlier values, or at once
  ///   if the order is not preserved. A failure of this signal is passed on at once. In both cases the running closures
  ///   are cancelled, and the queued values are dropped. ``OverflowPolicy/fail(_:)`` fails after the results of the
  ///   queued values.
  /// - **Ends:** when this signal has finished and all results have been delivered. When the subscription ends, the
  ///   running closures are cancelled.
  /// - **Order and threads:** results are delivered in the tasks that computed them, one at a time. The closures begin
  ///   in the order of the values.
  /// - **Allocations:** a task for each value that arrives below the limit. The task continues with the queued values,
  ///   which allocate nothing.
  /// - Parameters:
  ///   - maxConcurrent: The number of closures that run at the same time. Less than 1 counts as 1.
  ///   - keepsOrder: Whether results are delivered in the order of the values. Then a result that is ready before its
  ///     turn counts as a running closure, so that few of them wait. If `false`, they are delivered as they are ready.
  ///   - policy: What happens to a value when the queue is full.
  ///   - executor: The executor of the tasks while they are on no actor; a ``VirtualTimeScheduler`` in tests. `nil` is
  ///     the global one.
  ///   - transform: Computes the result for a value. Its task is cancelled when the result is no longer needed.
  ///
  /// See also ``map(fileID:line:function:_:)``, ``flatMap(maxConcurrent:overflow:fileID:line:function:_:)`` and
  /// ``values(buffering:fileID:line:function:)``.
  @inlinable
  public func mapAsync<Output: Sendable>(
    maxConcurrent: Int = 1, keepsOrder: Bool = true, overflow policy: OverflowPolicy = .keepAll,
    executor: (any TaskExecutor)? = nil,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function,
    _ transform: @escaping @Sendable (Value) async throws -> Output
  ) -> Signal<Output> {
    let upstream = self
    let site = Site("mapAsync", behavior: .runsTasks, fileID: fileID, line: line, function: function)
    return Signal<Output>(site, derivedFrom: self) { downstream, subscription in
      let junction = Junction(downstream, subscription, hasOneInput: true)
      let mapping = AsyncMapping(
        junction, limit: Swift.max(1, maxConcurrent), keepsOrder: keepsOrder, policy, executor, transform)
      junction.adopt(mapping, as: junction.reserveKey())
      let key = junction.reserveKey()
      junction.connect(
        upstream, as: .hop, key: key,
        Observer(
          receive: { value in
            if !mapping.add(value) { throw StopDelivery() }
          },
          end: { completion in
            junction.drop(key)
            mapping.inputEnded(completion)
          }))
    }
  }
}

/// The values of one subscription that wait for an asynchronous closure, and the tasks that process them.
///
/// A task continues with the queued values, and ends when there are none: so a burst of values needs one task, and no
/// waiting task keeps the subscription alive.
// Safe: the mutable state is touched only under `lock`, in stretches that call nothing else. That is why exclusivity is
// unchecked.
@usableFromInline
final class AsyncMapping<Value: Sendable, Output: Sendable>: Disposable, @unchecked Sendable {
  /// A value to be passed to the closure, and its number.
  @usableFromInline typealias Job = (value: Value, number: Int)

  @usableFromInline let junction: Junction<Output>
  @usableFromInline let limit: Int
  @usableFromInline let keepsOrder: Bool
  @usableFromInline let executor: (any TaskExecutor)?
  @usableFromInline let transform: @Sendable (Value) async throws -> Output

  @usableFromInline let lock = Lock()
  @exclusivity(unchecked) @usableFromInline var waiting: WaitingValues<Value>
  /// The number of values in the closure, or with results that have not been delivered.
  @exclusivity(unchecked) @usableFromInline var underway = 0
  /// The number of values that were passed to the closure.
  @exclusivity(unchecked) @usableFromInline var lastNumber = 0
  /// If the order counts: the results of the values that are underway, in the order of the values. Nil until a result
  /// is ready.
  @exclusivity(unchecked) @usableFromInline var results = Deque<Result<Output, any Error>?>()
  /// The tasks by number; nil for one that is about to be started.
  @exclusivity(unchecked) private var tasks: [Int: Task<Void, Never>?] = [:]
  @exclusivity(unchecked) private var lastTask = 0
  /// The end to deliver once no value is queued or underway.
  @exclusivity(unchecked) @usableFromInline var completion: Completion?
  @exclusivity(unchecked) @usableFromInline var isOver = false

  @usableFromInline
  init(
    _ junction: Junction<Output>, limit: Int, keepsOrder: Bool, _ policy: OverflowPolicy,
    _ executor: (any TaskExecutor)?, _ transform: @escaping @Sendable (Value) async throws -> Output
  ) {
    self.junction = junction
    self.limit = limit
    // With a limit of one, the order cannot change.
    self.keepsOrder = keepsOrder && limit > 1
    self.executor = executor
    self.transform = transform
    waiting = WaitingValues(in: junction, overflow: policy)
  }

  // MARK: From above

  /// Takes a value.
  ///
  /// - Returns: Whether more are taken.
  @inlinable
  func add(_ value: Value) -> Bool {
    // Released after the lock: a release may run any code.
    var dropped: Value?
    var waited: Job?
    let (number, takesMore): (Int?, Bool) = lock.withLock {
      if isOver || completion != nil { return (nil, false) }
      if underway < limit, waiting.isEmpty { return (beginLocked(), true) }
      // One that waits for the gate to start it comes first, and leaves its position in the queue to this value.
      waited = nextLocked()
      if let error = waiting.add(value, dropped: &dropped) {
        completion = .failed(error)
        return (nil, false)
      }
      return (nil, true)
    }
    withExtendedLifetime(dropped) {}
    if let waited { waiting.origins.goOnWithTaken { start(waited) } }
    if let number { start((value, number)) }
    return takesMore
  }

  @usableFromInline
  func inputEnded(_ completion: Completion) {
    let junction = junction
    if case .failed = completion { return junction.run { junction.end(completion) } }
    lock.withLock { if self.completion == nil { self.completion = completion } }
    endIfDone()
  }

  // MARK: Tasks

  /// Counts a value as underway.
  ///
  /// - Returns: Its number.
  @inlinable
  func beginLocked() -> Int {
    lock.assertHeld()
    underway += 1
    if keepsOrder { results.append(nil) }
    lastNumber += 1
    return lastNumber
  }

  /// Removes the next value from the queue, if the limit allows it.
  @inlinable
  func nextLocked() -> Job? {
    lock.assertHeld()
    guard !isOver, underway < limit, let value = waiting.next() else { return nil }
    return (value, beginLocked())
  }

  /// Processes a value, and then the queued ones, in a new task.
  @inlinable
  func start(_ job: Job) {
    guard let number = reserveTask() else { return }
    let task =
      junction.recordsTasks
      ? junction.startNoted(on: executor, isDetached: true) { await self.workNoted(job, number) }
      : Task.detached(executorPreference: executor) { await self.work(job, number) }
    keep(task, number)
  }

  @usableFromInline
  func reserveTask() -> Int? {
    lock.withLock {
      guard !isOver else { return nil }
      lastTask += 1
      tasks[lastTask] = .some(nil)
      return lastTask
    }
  }

  /// Stores a task, to cancel it. One that has already ended, or is no longer needed, is cancelled.
  @usableFromInline
  func keep(_ task: Task<Void, Never>, _ number: Int) {
    let isKept = lock.withLock {
      guard tasks[number] != nil else { return false }
      tasks[number] = task
      return true
    }
    if !isKept { task.cancel() }
  }

  @inlinable
  func work(_ first: Job, _ task: Int) async {
    var job = first
    while true {
      let result: Result<Output, any Error>
      do { result = .success(try await transform(job.value)) } catch { result = .failure(error) }
      if keepsOrder { deliver(result, of: job.number) } else { deliver(result) }
      let next: Job? = lock.withLock {
        let next = nextLocked()
        if next == nil { forgetLocked(task) }
        return next
      }
      guard let next else { return endIfDone() }
      if keepsOrder { startWaiting() }
      job = next
    }
  }

  /// Does the same as ``work(_:_:)`` while the graph is on: each result is attributed to the cause of its value.
  @usableFromInline
  func workNoted(_ first: Job, _ task: Int) async {
    var job = first
    var origin = JobOrigin.ofTask
    while true {
      await origin.run { await makeResultNoted(job) }
      let next: Job? = lock.withLock {
        let next = nextLocked()
        if next == nil { forgetLocked(task) }
        return next
      }
      guard let next else { return endIfDone() }
      // Before others are removed.
      origin = waiting.origins.ofTaken
      if keepsOrder { startWaiting() }
      job = next
    }
  }

  private func makeResultNoted(_ job: Job) async {
    let result: Result<Output, any Error>
    do { result = .success(try await transform(job.value)) } catch { result = .failure(error) }
    guard keepsOrder else { return deliver(result) }
    waiting.origins.keep(ofResult: job.number)
    deliver(result, of: job.number)
  }

  @usableFromInline
  func forgetLocked(_ task: Int) { tasks[task] = nil }

  /// Starts tasks for values up to the limit.
  @usableFromInline
  func startWaiting() {
    while let job = lock.withLock({ nextLocked() }) { start(job) }
  }

  // MARK: Down

  /// Delivers a result regardless of order.
  @inlinable
  func deliver(_ result: Result<Output, any Error>) {
    if junction.enter() {
      hand(result)
      junction.leave()
    } else {
      junction.perform { self.hand(result) }
    }
    lock.withLock { underway -= 1 }
  }

  /// Delivers all results whose turn has come.
  @usableFromInline
  func deliver(_ result: Result<Output, any Error>, of number: Int) {
    lock.withLock {
      let index = number - (lastNumber - results.count) - 1
      if results.indices.contains(index) { results[index] = result }
    }
    if junction.enter() {
      handDownInOrder()
      junction.leave()
    } else {
      junction.perform {
        self.handDownInOrder()
        // The task that enqueued this may have found the limit reached, and ended.
        self.startWaiting()
        self.endIfDone()
      }
    }
  }

  private func handDownInOrder() {
    while let (result, number) = takeFirstResult() {
      waiting.origins.with(result: number) { hand(result) }
    }
  }

  private func takeFirstResult() -> (Result<Output, any Error>, number: Int)? {
    lock.withLock {
      guard let first = results.first, let result = first else { return nil }
      results.removeFirst()
      underway -= 1
      return (result, lastNumber - results.count)
    }
  }

  /// Inside the junction's gate.
  @inlinable
  func hand(_ result: Result<Output, any Error>) {
    if junction.isClosed.load(ordering: .relaxed) { return }
    switch result {
    case .success(let output): junction.attempt { try junction.emit(output) }
    case .failure(let error): junction.end(.failed(error))
    }
  }

  @usableFromInline
  func endIfDone() {
    let completion = lock.withLock { underway == 0 && waiting.isEmpty && !isOver ? self.completion : nil }
    let junction = junction
    if let completion { junction.run { junction.end(completion) } }
  }

  // MARK: Disposable

  @usableFromInline
  func dispose() {
    // Released and cancelled after the lock: both may run any code.
    var dropped = Deque<Value>()
    var results = Deque<Result<Output, any Error>?>()
    let tasks = lock.withLock {
      isOver = true
      swap(&waiting.values, &dropped)
      swap(&self.results, &results)
      defer { self.tasks = [:] }
      return self.tasks
    }
    for task in tasks.values { task?.cancel() }
    withExtendedLifetime((dropped, results)) {}
  }

  @usableFromInline
  var isDisposed: Bool { lock.withLock { isOver } }
}

extension AsyncMapping: WaitingPlace {}
