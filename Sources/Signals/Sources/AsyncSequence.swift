extension Signal {
  /// Delivers the elements of an asynchronous sequence to each subscriber.
  ///
  /// ![asyncSequence, as a marble diagram](asyncSequence-executor)
  ///
  /// ```text
  ///          Signal.asyncSequence(letters, executor: scheduler)
  /// result   --a-b-(c|)
  /// ```
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// let (numbers, continuation) = AsyncStream.makeStream(of: Int.self)
  /// Signal.asyncSequence(numbers)
  ///   .subscribe(onValue: { print($0) }, onFinish: { print("done") })
  ///   .store(in: bag)
  /// continuation.yield(1)
  /// continuation.finish()
  /// ```
  ///
  /// Each subscription reads the sequence in its own task, which is cancelled when the subscription ends. An
  /// `AsyncStream` delivers each element to one reader only: for several subscribers, add
  /// ``share(replay:fileID:line:function:)`` below.
  ///
  /// In the live graph, a sequence with `traced()` of `SignalAsync` is connected to this.
  ///
  /// - **Errors:** an error that the sequence throws fails the result.
  /// - **Ends:** after the last element.
  /// - **Order and threads:** in the order of the sequence. Everything is delivered in the task, never inside
  ///   subscribe. The next element is requested when the handlers have returned, so nothing is buffered here.
  /// - **Allocations:** a task for each subscription; none for an element, except those of the sequence.
  /// - Parameters:
  ///   - elements: The sequence.
  ///   - executor: The executor of the task while it is on no actor; a ``VirtualTimeScheduler`` in tests. `nil` is the
  ///     global one.
  ///
  /// See also ``values(buffering:fileID:line:function:)``, the opposite direction, and
  /// ``async(executor:fileID:line:function:_:)``.
  public static func asyncSequence<Elements: AsyncSequence & Sendable>(
    _ elements: Elements, executor: (any TaskExecutor)? = nil,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> where Elements.Element == Value {
    Signal(named: "asyncSequence", behavior: .startsWork, fileID: fileID, line: line, function: function) { producer in
      producer.runTask(on: executor) {
        var iterator = producer.ask { elements.makeAsyncIterator() }
        while let element = try await producer.ask({ try await iterator.next() }) {
          guard producer.send(element) else { return }
        }
      }
    }
  }
}
