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
  /// - **Errors:** a failure of this signal is passed on; the collected values are dropped.
  /// - **Ends:** with this signal, after the array, which is empty if there were no values. Of no use with an endless
  ///   signal, whose values it retains.
  /// - **Order and threads:** the array has the order of this signal, and is delivered on the thread of the end.
  /// - **Allocations:** those of the array.
  ///
  /// See also ``collect(_:skip:fileID:line:function:)``, and ``scan(_:fileID:line:function:_:)``, which combines the
  /// values as they come.
  @inlinable
  public func collect(
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<[Value]> {
    lift(
      Site(
        "collect", behavior: [.runsNoClosure, .settles, .collects, .emitsAtEnd], fileID: fileID, line: line,
        function: function),
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

  /// Delivers values in arrays of a given length.
  ///
  /// `skip` is the distance between the beginnings of two arrays. If it is less than the count, arrays overlap; if it
  /// is more, the values between two arrays are dropped.
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
  /// - **Errors:** a failure of this signal is passed on; the collected values are dropped.
  /// - **Ends:** with this signal. Incomplete arrays are delivered before the end, the oldest first. None of them is
  ///   empty.
  /// - **Order and threads:** in the order of this signal, on the thread that delivers the last value of the array, or the end.
  /// - **Allocations:** one for an array of up to 1,024 values, a few more for a longer one.
  /// - Parameters:
  ///   - count: The number of values in an array. Less than 1 counts as 1.
  ///   - skip: The number of values from the beginning of an array to that of the next; `count` if it is `nil`. Less
  ///     than 1 counts as 1.
  ///
  /// See also ``window(_:skip:fileID:line:function:)``, which delivers the values as they come, and
  /// ``pairwise(fileID:line:function:)``.
  @inlinable
  public func collect(
    _ count: Int, skip: Int? = nil,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<[Value]> {
    let site = Site(
      "collect", behavior: [.runsNoClosure, .settles, .collects], fileID: fileID, line: line, function: function)
    return lift(site, state: CollectedCount<Value>(count, skip: skip)) { state, value, downstream in
      if let full = state.take(value) { try downstream.send(full) }
    } end: { state, completion, downstream in
      guard case .finished = completion else { return }
      while let rest = state.takeRest() { try downstream.send(rest) }
    }
  }

  /// Delivers values in arrays at regular times and, with a limit, whenever an array is full.
  ///
  /// The first time span begins with the subscription. At the end of each span its values are delivered as an array,
  /// which may be empty. A full array is delivered at once, and a whole span begins at that instant.
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
  /// - **Errors:** a failure of this signal is passed on; the collected values are dropped.
  /// - **Ends:** with this signal. The values since the last array are delivered before the end, even if there are
  ///   none.
  /// - **Order and threads:** everything is delivered on the scheduler (law 14), in the order of this signal. If a
  ///   value comes at the same instant as the end of a span, whichever is first decides.
  /// - **Allocations:** those of the array, a few for a long one, and those of the scheduler.
  /// - Parameters:
  ///   - span: The time between two arrays. Less than a nanosecond counts as one.
  ///   - limit: The maximum number of values in an array. Less than 1 counts as 1.
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
      "collect(for:on:)", behavior: [.runsNoClosure, .waitsForTime, .settles, .collects], fileID: fileID, line: line,
      function: function
    )
    return Signal<[Value]>(site, derivedFrom: self) { downstream, subscription in
      let junction = Junction(downstream, subscription, hasOneInput: true)
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

  /// Collects values, and delivers them as an array whenever another signal delivers a value.
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
  /// - **Errors:** fails with the first failure of either signal; the collected values are dropped.
  /// - **Ends:** with this signal. The values since the last array are delivered before the end, even if there are
  ///   none. When the other signal finishes, values are collected until the end.
  /// - **Order and threads:** an array is delivered where the other signal delivers, the last one where this signal
  ///   delivers the end. They never overlap. An array has the order of this signal, and is empty if there were no
  ///   values.
  /// - **Endless inputs:** an endless other signal that delivers inside subscribe blocks this one: subscribing does not
  ///   return, unless the downstream ends after some arrays.
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
      "collect(by:)", behavior: [.runsNoClosure, .waitsForTrigger, .settles, .emitsOnTrigger, .collects],
      fileID: fileID, line: line,
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

/// The state of one subscription to a signal of arrays of a given length.
@usableFromInline
struct CollectedCount<Value: Sendable>: Sendable {
  @usableFromInline let count: Int
  @usableFromInline let skip: Int
  /// The values of the oldest incomplete array; those of the later ones are its last.
  @usableFromInline var values: [Value] = []
  /// The number of values to drop before the next array begins.
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
    // Longer arrays grow: they may never be filled.
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

  /// - Returns: The oldest incomplete array, if one has begun.
  @inlinable
  mutating func takeRest() -> [Value]? {
    if values.isEmpty { return nil }
    let rest = values
    values = skip < rest.count ? Array(rest[skip...]) : []
    return rest
  }
}
