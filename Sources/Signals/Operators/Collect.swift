extension Signal {
  /// Delivers all values as one array, at the regular end.
  ///
  /// ![collect, as a marble diagram](collect)
  ///
  /// ```text
  /// source   -1-2-3-|
  ///          source.collect()
  /// result   -------(a|)
  /// a = [1, 2, 3]
  /// ```
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// Signal.sequence(1...3)
  ///   .collect()
  ///   .subscribe { numbers in print(numbers) }  // Prints [1, 2, 3].
  ///   .store(in: bag)
  /// ```
  ///
  /// - **Errors:** a failure of this signal is passed on; what was collected is dropped.
  /// - **Ends:** with this signal, after the array, which is empty if no value came. Not before: it is of no use above an endless signal, whose
  ///   values it keeps.
  /// - **Order and threads:** the array has the order of this signal, and comes on the thread that delivers the end.
  /// - **Allocations:** those of the array.
  ///
  /// See also ``collect(_:skip:fileID:line:function:)``, and ``scan(_:fileID:line:function:_:)`` for what can be made of the values as they come.
  @inlinable
  public func collect(
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<[Value]> {
    lift(
      Site("collect", behavior: [.settles, .collects, .emitsAtEnd], fileID: fileID, line: line, function: function),
      state: [Value]()
    ) { values, value, _ in
      values.append(value)
    } end: { values, completion, downstream in
      guard case .finished = completion else { return }
      let all = values
      values = []
      try downstream.send(all)
    }
  }

  /// Delivers values in arrays of a certain length.
  ///
  /// `skip` says how many values further on the next array begins. Where it is less than the count, arrays overlap; where it is more, the
  /// values between two arrays are left out.
  ///
  /// ![collect, as a marble diagram](collect-skip)
  ///
  /// ```text
  /// source   -1-2-3-4-5-|
  ///          source.collect(2)
  /// result   ---a---b---(c|)
  ///
  ///          source.collect(3, skip: 1)
  /// result   -----d-e-f-(gc|)
  ///
  ///          source.collect(2, skip: 3)
  /// result   ---a-----g-|
  /// a = [1, 2], b = [3, 4], c = [5], d = [1, 2, 3], e = [2, 3, 4], f = [3, 4, 5], g = [4, 5]
  /// ```
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// let temperatures = Emitter<Double>()
  /// temperatures.signal
  ///   .collect(3, skip: 1)
  ///   .subscribe { latest in print("on average \(latest.reduce(0, +) / 3) degrees") }
  ///   .store(in: bag)
  /// ```
  ///
  /// - **Errors:** a failure of this signal is passed on; what was collected is dropped.
  /// - **Ends:** with this signal. Arrays that have begun come before the end, shorter than the others, the oldest first. None of them is empty.
  /// - **Order and threads:** in the order of this signal, on the thread that delivers the last value of the array, or the end.
  /// - **Allocations:** one for an array of up to 1,024 values, a few more for a longer one.
  /// - Parameters:
  ///   - count: How many values an array has. Less than 1 counts as 1.
  ///   - skip: How many values after the beginning of an array the next one begins; `count` if it is `nil`. Less than 1 counts as 1.
  ///
  /// See also ``window(_:skip:fileID:line:function:)``, which delivers the values as they come, and
  /// ``pairwise(fileID:line:function:)``.
  @inlinable
  public func collect(
    _ count: Int, skip: Int? = nil,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<[Value]> {
    let site = Site("collect", behavior: [.settles, .collects], fileID: fileID, line: line, function: function)
    return lift(site, state: CollectedCount<Value>(count, skip: skip)) { state, value, downstream in
      if let full = state.take(value) { try downstream.send(full) }
    } end: { state, completion, downstream in
      guard case .finished = completion else { return }
      while let rest = state.takeRest() { try downstream.send(rest) }
    }
  }

  /// Delivers at regular times what has come since, in arrays; with a limit, also when so many values have come.
  ///
  /// The first span of time begins with the subscription. Each ends with an array, which is empty if no value has come. An array that is full
  /// comes at once, and a whole span begins at that moment.
  ///
  /// ![collect, as a marble diagram](collect-for-upTo-on)
  ///
  /// ```text
  /// source   -1-2-3-------|
  ///          source.collect(for: .milliseconds(4), on: scheduler)
  /// result   ----a---b---c(c|)
  ///
  ///          source.collect(for: .milliseconds(4), upTo: 2, on: scheduler)
  /// result   ---a---b---c-(c|)
  /// a = [1, 2], b = [3], c = []
  /// ```
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// let messages = Emitter<String>()
  /// messages.signal
  ///   .collect(for: .seconds(1), upTo: 100, on: .main)
  ///   .filter { !$0.isEmpty }
  ///   .subscribe { messages in print("writing \(messages.count) messages") }
  ///   .store(in: bag)
  /// ```
  ///
  /// - **Errors:** a failure of this signal is passed on; what was collected is dropped.
  /// - **Ends:** with this signal. What has come since the last array comes before the end, also if it is nothing.
  /// - **Order and threads:** everything is delivered on the scheduler (law 14), in the order of this signal. When a value comes at the very moment
  ///   at which a span ends, whichever comes first decides.
  /// - **Allocations:** those of the array, a few for a long one, and those of the scheduler.
  /// - Parameters:
  ///   - span: How long values are collected. Less than a nanosecond counts as one.
  ///   - limit: How many values an array has at most. Less than 1 counts as 1.
  ///   - scheduler: Measures the time, and delivers everything.
  ///
  /// See also ``collect(_:skip:fileID:line:function:)`` and ``window(for:upTo:on:fileID:line:function:)``.
  @inlinable
  public func collect(
    for span: Duration, upTo limit: Int = .max, on scheduler: any Scheduler,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<[Value]> {
    let upstream = self
    let site = Site(
      "collect(for:on:)", behavior: [.waitsForTime, .settles, .collects], fileID: fileID, line: line, function: function
    )
    return Signal<[Value]>(site, derivedFrom: self) { downstream, subscription in
      let junction = Junction(downstream, subscription)
      let hop = Hop(to: junction, on: scheduler, interval: span)
      let values = SerialState([Value]())
      let spans = TimeSpans(span, on: scheduler)
      let timer = hop.timer { timer in
        let collected = values.value
        values.value = []
        hop.put(.value(collected), by: timer)
        spans.next(timer)
      }
      hop.perform { spans.begin(timer) }
      junction.connect(upstream, through: hop) { value in
        values.value.append(value)
        guard values.value.count >= limit else { return }
        let collected = values.value
        values.value = []
        spans.begin(timer)
        hop.send(.value(collected))
      } end: { completion in
        timer.dispose()
        let collected = values.value
        values.value = []
        if case .finished = completion { hop.send(.value(collected)) }
        hop.send(Event(completion))
      }
    }
  }

  /// Delivers what has come in an array whenever another signal delivers a value.
  ///
  /// The other signal is subscribed to first.
  ///
  /// ![collect, as a marble diagram](collect-by)
  ///
  /// ```text
  /// source   -1-2-3-4-|
  /// other    ----x-x-x---
  ///          source.collect(by: other)
  /// result   ----a-b-c(d|)
  /// a = [1, 2], b = [3], c = [4], d = []
  /// ```
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// let edits = Emitter<String>()
  /// let saves = Emitter<Void>()
  /// edits.signal
  ///   .collect(by: saves.signal)
  ///   .subscribe { edits in print("saving \(edits.count) edits") }
  ///   .store(in: bag)
  /// ```
  ///
  /// - **Errors:** fails with the first failure of either signal; what was collected is dropped.
  /// - **Ends:** with this signal. What has come since the last array comes before the end, also if it is nothing. When the other signal finishes,
  ///   values are collected until the end.
  /// - **Order and threads:** an array comes where the other signal delivers, the last one where this signal delivers the end. They never
  ///   overlap. An array has the order of this signal, and is empty when nothing has come.
  /// - **Allocations:** those of the array, a few for a long one.
  /// - Parameter trigger: Each of its values ends an array and begins the next one.
  ///
  /// See also ``window(by:fileID:line:function:)``, which delivers the values as they come.
  @inlinable
  public func collect<Trigger>(
    by trigger: Signal<Trigger>,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<[Value]> {
    let upstream = self
    let site = Site(
      "collect(by:)", behavior: [.waitsForTrigger, .settles, .emitsOnTrigger, .collects], fileID: fileID, line: line,
      function: function)
    return Signal<[Value]>(site, derivedFrom: self) { downstream, subscription in
      let junction = Junction(downstream, subscription)
      let values = SerialState([Value]())
      junction.connect(trigger, as: .trigger) { _ in
        let collected = values.value
        values.value = []
        try junction.emit(collected)
      } end: { completion in
        if case .failed = completion { junction.end(completion) }
      }
      junction.connect(upstream) { value in
        values.value.append(value)
      } end: { completion in
        let collected = values.value
        values.value = []
        if case .finished = completion { junction.attempt { try junction.emit(collected) } }
        junction.end(completion)
      }
    }
  }
}

/// What one subscription to a signal of arrays of a certain length remembers.
@usableFromInline
struct CollectedCount<Value: Sendable>: Sendable {
  @usableFromInline let count: Int
  @usableFromInline let skip: Int
  /// The values of the oldest array that is not full; those of the later ones are its last.
  @usableFromInline var values: [Value] = []
  /// How many values are left out before the next array begins.
  @usableFromInline var gap = 0

  @inlinable
  init(_ count: Int, skip: Int?) {
    self.count = max(1, count)
    self.skip = skip.map { max(1, $0) } ?? self.count
  }

  /// - Returns: An array that is full now.
  @inlinable
  mutating func take(_ value: Value) -> [Value]? {
    if gap > 0 {
      gap &-= 1
      return nil
    }
    // What is longer grows: it may never be filled.
    if values.isEmpty { values.reserveCapacity(min(count, 1_024)) }
    values.append(value)
    return values.count == count ? takeFull() : nil
  }

  @inlinable
  mutating func takeFull() -> [Value] {
    let full = values
    if skip < count {
      values = Array(full[skip...])
    } else {
      values = []
      gap = skip - count
    }
    return full
  }

  /// - Returns: The oldest array that is not full, if one has begun.
  @inlinable
  mutating func takeRest() -> [Value]? {
    if values.isEmpty { return nil }
    let rest = values
    values = skip < rest.count ? Array(rest[skip...]) : []
    return rest
  }
}
