public import DequeModule

extension Signal {
  /// Divides the values into signals of a given number of values each.
  ///
  /// `skip` is the distance between the beginnings of two windows. If it is less than the count, windows overlap; if it
  /// is more, the values between two windows are in none. A window is delivered when it begins, the first one inside
  /// subscribe. A subscriber at that time gets all its values; a later one gets those still to come.
  ///
  /// ![window, as a marble diagram](window-skip)
  ///
  /// ```text
  /// source    -1-2-3-4-5-|
  ///           source.window(2)
  /// result    {a}---b---c---|
  /// window a  -1-(2|)
  /// window b  --3-(4|)
  /// window c  --5-|
  /// ```
  ///
  /// ![window, as a marble diagram](window-skip-2)
  ///
  /// ```text
  /// source    -1-2-3-|
  ///           source.window(2, skip: 1)
  /// result    {a}-b-c-d-|
  /// window a  -1-(2|)
  /// window b  --2-(3|)
  /// window c  --3-|
  /// window d  --|
  /// ```
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// let laps = Emitter<Duration>()
  /// laps.signal
  ///   .window(10)
  ///   .flatMap { window in window.scan { $0 + $1 } }
  ///   .subscribe { time in print("\(time) for these laps until now") }
  ///   .store(in: bag)
  /// ```
  ///
  /// - **Errors:** a failure of this signal goes to the open windows, and then to the result.
  /// - **Ends:** with this signal; the open windows end first, the oldest before the others. The end or a failure of a
  ///   chain below one window ends nothing else (law 8). This signal is unsubscribed when neither the result nor an
  ///   open window has a subscriber (law 9). So if the result is disposed, windows that have subscribers continue, but
  ///   no further one is opened.
  /// - **Order and threads:** on the thread that delivers the value. A value goes to all open windows, the oldest
  ///   first; then a full window ends, and then the next one is delivered.
  /// - **Allocations:** a few for a window, none for a value.
  /// - Parameters:
  ///   - count: The number of values in a window. Less than 1 counts as 1.
  ///   - skip: The number of values from the beginning of a window to that of the next; `count` if it is `nil`. Less
  ///     than 1 counts as 1.
  ///
  /// See also ``collect(_:skip:fileID:line:function:)``, which delivers arrays.
  @inlinable
  public func window(
    _ count: Int, skip: Int? = nil,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Signal<Value>> {
    let upstream = self
    let site = Site("window", behavior: [.runsNoClosure, .collects], fileID: fileID, line: line, function: function)
    return Signal<Signal<Value>>(site, derivedFrom: self) { downstream, subscription in
      let branching = Branching<Value, Signal<Value>>(downstream, subscription, site, of: upstream, isDirect: true)
      let windows = CountedWindows(branching, count: count, skip: skip)
      windows.openNext()
      branching.connect(
        upstream,
        Observer(receive: { value in try windows.take(value) }, end: { completion in windows.end(completion) }))
    }
  }

  /// Divides the values into signals of a given time span each, with an optional limit to their number of values.
  ///
  /// The first window begins with the subscription, each further one where the one before ends. A full window ends at
  /// once, and one of full length begins at that instant. A window is delivered when it begins. A subscriber at that
  /// time gets all its values; a later one gets those still to come.
  ///
  /// ![window, as a marble diagram](window-for-upTo-on)
  ///
  /// ```text
  /// source    -1-2-3---|
  ///           source.window(for: .milliseconds(4), on: scheduler)
  /// result    a---b---c|
  /// window a  -1-2|
  /// window b  -3--|
  /// window c  -|
  ///
  ///           source.window(for: .milliseconds(4), upTo: 2, on: scheduler)
  /// result    a--b---c-|
  /// window a  -1-(2|)
  /// window b  --3-|
  /// window c  --|
  /// ```
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// let clicks = Emitter<Void>()
  /// clicks.signal
  ///   .window(for: .seconds(1), on: .main)
  ///   .flatMap { second in second.collect() }
  ///   .subscribe { clicks in print("\(clicks.count) clicks in this second") }
  ///   .store(in: bag)
  /// ```
  ///
  /// - **Errors:** a failure of this signal goes to the open window, and then to the result.
  /// - **Ends:** with this signal; the open window ends first. The end or a failure of a chain below one window ends
  ///   nothing else (law 8). This signal is unsubscribed when neither the result nor the open window has a subscriber
  ///   (law 9). So if the result is disposed, a window that has subscribers continues to its end, but no further one is
  ///   opened.
  /// - **Order and threads:** everything is delivered on the scheduler (law 14), the values of the windows too. If a
  ///   value arrives at the same instant as the end of a window, the order of the two decides where it goes.
  /// - **Allocations:** a few for a window, none for a value, except those of the scheduler.
  /// - Parameters:
  ///   - span: The length of a window. Less than a nanosecond counts as one.
  ///   - limit: The maximum number of values in a window. Less than 1 counts as 1.
  ///   - scheduler: Measures the time, and delivers everything.
  ///
  /// See also ``collect(for:upTo:on:fileID:line:function:)``, which delivers arrays.
  @inlinable
  public func window(
    for span: Duration, upTo limit: Int = .max, on scheduler: any Scheduler,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Signal<Value>> {
    let upstream = self
    let site = Site(
      "window(for:on:)", behavior: [.runsNoClosure, .waitsForTime, .collects], fileID: fileID, line: line,
      function: function)
    return Signal<Signal<Value>>(site, derivedFrom: self) { downstream, subscription in
      let branching = Branching<Value, Signal<Value>>(downstream, subscription, site, of: upstream)
      let windows = SuccessiveWindows(branching)
      let junction = branching.junction(to: windows.observer)
      let hop = Hop(to: junction, on: scheduler, interval: span)
      let count = SerialState(0)
      let spans = TimeSpans(span, on: scheduler)
      let timer = hop.timer { timer in
        count.value = 0
        hop.put(.value(.next), by: timer)
        spans.next(timer)
      }
      hop.perform {
        spans.begin(timer)
        hop.send(.value(.next))
      }
      junction.connect(upstream, through: hop) { value in
        hop.send(.value(.value(value)))
        count.value += 1
        guard count.value >= limit else { return }
        count.value = 0
        spans.begin(timer)
        hop.send(.value(.next))
      } end: { completion in
        timer.dispose()
        hop.send(Event(completion))
      }
    }
  }

  /// Divides the values into signals: each value of another signal ends one and begins the next.
  ///
  /// The first window begins with the subscription, before the other signal and then this one is subscribed to. A
  /// window is delivered when it begins. A subscriber at that time gets all its values; a later one gets those still to
  /// come.
  ///
  /// ![window, as a marble diagram](window-by)
  ///
  /// ```text
  /// source    -1-2-3-4-|
  /// other     ----x-x-----
  ///           source.window(by: other)
  /// result    {a}----b-c--|
  /// window a  -1-2|
  /// window b  -3|
  /// window c  -4-|
  /// ```
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// let positions = Emitter<Int>()
  /// let presses = Emitter<Void>()
  /// positions.signal
  ///   .window(by: presses.signal)
  ///   .flatMapLatest { drag in drag.pairwise() }
  ///   .subscribe { before, now in print("moved by \(now - before)") }
  ///   .store(in: bag)
  /// ```
  ///
  /// - **Errors:** the first failure of either signal goes to the open window, and then to the result.
  /// - **Ends:** with this signal; the open window ends first. When the other signal finishes, the open window
  ///   continues to the end. The end or a failure of a chain below one window ends nothing else (law 8). Both signals
  ///   are unsubscribed when neither the result nor the open window has a subscriber (law 9). So if the result is
  ///   disposed, a window that has subscribers continues to its end, but no further one is opened.
  /// - **Order and threads:** values are delivered where this signal delivers them; windows end and begin where the
  ///   other signal delivers. They never overlap.
  /// - **Endless inputs:** an endless other signal that delivers inside subscribe blocks this one: subscribing does not
  ///   return, unless the downstream ends after some windows.
  /// - **Allocations:** a few for a window, none for a value.
  /// - Parameter trigger: Each of its values ends a window and begins the next one.
  ///
  /// See also ``collect(by:fileID:line:function:)``, which delivers arrays.
  @inlinable
  public func window<Trigger>(
    by trigger: Signal<Trigger>,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Signal<Value>> {
    let upstream = self
    let site = Site(
      "window(by:)", behavior: [.runsNoClosure, .emitsOnTrigger, .collects], fileID: fileID, line: line,
      function: function)
    return Signal<Signal<Value>>(site, derivedFrom: self) { downstream, subscription in
      let branching = Branching<Value, Signal<Value>>(downstream, subscription, site, of: upstream)
      let windows = SuccessiveWindows(branching)
      let junction = branching.junction(to: windows.observer)
      junction.run { junction.attempt { try junction.emit(.next) } }
      junction.connect(trigger, as: .trigger) { _ in
        try junction.emit(.next)
      } end: { completion in
        if case .failed = completion { junction.end(completion) }
      }
      junction.connect(upstream) { value in
        try junction.emit(.value(value))
      } end: { completion in
        junction.end(completion)
      }
    }
  }
}

/// The open windows of one subscription, where a window ends after a number of values.
// Safe: touched only while a value or the end is delivered, and before the source is connected (law 3). Unchecked
// exclusivity: a window is called only after it was removed from its variable, or through a copy of the variable.
@usableFromInline
final class CountedWindows<Value: Sendable>: @unchecked Sendable {
  @usableFromInline let branching: Branching<Value, Signal<Value>>
  @usableFromInline let count: Int
  @usableFromInline let skip: Int
  /// The oldest first.
  @exclusivity(unchecked) @usableFromInline var open: Deque<BranchCore<Value>> = []
  /// The only open window, if windows do not overlap.
  @exclusivity(unchecked) @usableFromInline var single: BranchCore<Value>?
  /// The number of values of the oldest window.
  @exclusivity(unchecked) @usableFromInline var oldestCount = 0
  /// The number of values since the newest window began.
  @exclusivity(unchecked) @usableFromInline var newestCount = 0

  @inlinable
  init(_ branching: Branching<Value, Signal<Value>>, count: Int, skip: Int?) {
    self.branching = branching
    self.count = max(1, count)
    self.skip = skip.map { max(1, $0) } ?? self.count
  }

  /// Begins a window, unless the result has no subscriber.
  @inlinable
  func openNext() {
    guard branching.takesBranches else { return }
    let window = branching.makeBranch()
    if skip < count { open.append(window) } else { single = window }
    branching.deliver(window.signal())
  }

  @inlinable
  func take(_ value: Value) throws {
    if let single { single.send(value) }
    if skip < count { for window in open { window.send(value) } }
    oldestCount &+= 1
    newestCount &+= 1
    if oldestCount == count { closeOldest() }
    if newestCount == skip {
      newestCount = 0
      openNext()
    }
    try branching.checkIsTaken()
  }

  @inlinable
  func closeOldest() {
    if skip < count {
      oldestCount -= skip
      open.popFirst()?.close(.finished)
    } else {
      oldestCount -= skip
      let window = single
      single = nil
      window?.close(.finished)
    }
  }

  @usableFromInline
  func end(_ completion: Completion) {
    single?.close(completion)
    single = nil
    while let window = open.popFirst() { window.close(completion) }
    branching.end(completion)
  }
}

/// The input of consecutive windows.
@usableFromInline
enum WindowStep<Value: Sendable>: Sendable {
  case value(Value)
  /// The window ends, and the next one begins.
  case next
}

/// The open window of one subscription, where windows follow each other without a gap.
// Safe: touched only while a step or the end is delivered (law 3). Unchecked exclusivity: it is read or written at once.
@usableFromInline
final class SuccessiveWindows<Value: Sendable>: @unchecked Sendable {
  @usableFromInline let branching: Branching<Value, Signal<Value>>
  @exclusivity(unchecked) @usableFromInline var current: BranchCore<Value>?

  @inlinable
  init(_ branching: Branching<Value, Signal<Value>>) {
    self.branching = branching
  }

  /// The observer of the steps.
  @inlinable var observer: Observer<WindowStep<Value>> {
    Observer(receive: { step in try self.take(step) }, end: { completion in self.end(completion) })
  }

  @inlinable
  func take(_ step: WindowStep<Value>) throws {
    switch step {
    case .value(let value): current?.send(value)
    case .next: openNext()
    }
    try branching.checkIsTaken()
  }

  @usableFromInline
  func openNext() {
    let before = current
    current = nil
    before?.close(.finished)
    guard branching.takesBranches else { return }
    let window = branching.makeBranch()
    current = window
    branching.deliver(window.signal())
  }

  @usableFromInline
  func end(_ completion: Completion) {
    current?.close(completion)
    current = nil
    branching.end(completion)
  }
}
