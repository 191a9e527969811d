/// A signal of the values with one key; see ``Signal/grouped(limit:overflow:fileID:line:function:by:)``.
public struct SignalGroup<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  /// The key of the group's values.
  public let key: Key
  /// The values of the group, beginning with the one that opened it.
  ///
  /// A subscriber at the delivery of the group gets all of them; a later one gets only those still to come, and the
  /// end.
  public let signal: Signal<Value>

  @inlinable
  init(key: Key, signal: Signal<Value>) {
    self.key = key
    self.signal = signal
  }
}

/// What happens to a value of a new key when the limit of open groups is reached.
public enum GroupOverflow: Sendable {
  /// The group that has had no value for the longest time ends, and the new one is opened. Its key may open another
  /// group later.
  case endLongestIdle
  /// The value is dropped.
  case dropValue
  /// The signal and the open groups fail with ``TooManyGroupsError``.
  case fail
}

/// The failure of a signal that exceeded its limit of groups; see ``GroupOverflow/fail``.
public struct TooManyGroupsError: Error, Equatable, CustomStringConvertible {
  /// The maximum number of open groups.
  public let limit: Int

  /// Creates the error.
  ///
  /// - Parameter limit: The maximum number of open groups.
  public init(limit: Int) { self.limit = limit }

  /// A description with the limit.
  public var description: String { "a value of a further key came while \(limit) groups were open" }
}

extension Signal {
  /// Divides the values into signals, one for each key: Rx calls it `groupBy`.
  ///
  /// A value whose key has no open group delivers a new group, and right after it the value in that group. A subscriber
  /// at that time gets all of the group's values; a later one gets only those still to come.
  ///
  /// ![grouped, as a marble diagram](grouped-limit-overflow-by)
  ///
  /// ```text
  /// source   -1-2-3-4-|
  ///          source.grouped { $0 % 2 }
  /// result   -a-b-----|
  /// group a  1---3---|
  /// group b  2---4-|
  ///
  ///          source.grouped(limit: 1) { $0 / 3 }
  /// result   -a---b---|
  /// group a  1-2-|
  /// group b  3-4-|
  /// ```
  ///
  /// ```swift
  /// struct Message: Sendable {
  ///   var room: String
  ///   var text: String
  /// }
  /// let bag = DisposeBag()
  /// let messages = Emitter<Message>()
  /// messages.signal
  ///   .grouped { $0.room }
  ///   .flatMap { group in group.signal.debounce(for: .seconds(1), on: .main).map { (group.key, $0.text) } }
  ///   .subscribe { room, text in print("the latest in \(room): \(text)") }
  ///   .store(in: bag)
  /// ```
  ///
  /// Each open group takes memory. If keys come and go, set a limit or a timeout.
  ///
  /// - **Errors:** a failure of this signal, an error that the closure throws, and ``TooManyGroupsError`` go to the open groups, and then to the
  ///   result.
  /// - **Ends:** with this signal; the open groups end first. The end or a failure of a chain below one group ends
  ///   nothing else (law 8). This signal is unsubscribed when neither the result nor an open group has a subscriber
  ///   (law 9). So if the result is disposed, groups that have subscribers continue, but no further one is opened. A
  ///   group is open even if it has no subscriber.
  /// - **Order and threads:** on the thread that delivers the value; a value goes to the group of its key and to no other.
  /// - **Allocations:** a few for a group, none for a value. Nothing is retained of a group that has ended.
  /// - Parameters:
  ///   - limit: The maximum number of open groups. Less than 1 counts as 1.
  ///   - overflow: What happens to a value of a new key at that limit.
  ///   - key: Returns the key of a value.
  ///
  /// See also ``grouped(timeout:on:limit:overflow:fileID:line:function:by:)`` and ``window(_:skip:fileID:line:function:)``.
  @inlinable
  public func grouped<Key: Hashable & Sendable>(
    limit: Int = .max, overflow: GroupOverflow = .endLongestIdle,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function,
    by key: @escaping @Sendable (Value) throws -> Key
  ) -> Signal<SignalGroup<Key, Value>> {
    let upstream = self
    let site = Site("grouped", behavior: .groups, fileID: fileID, line: line, function: function)
    return Signal<SignalGroup<Key, Value>>(site, derivedFrom: self) { downstream, subscription in
      let groups = OpenGroups<Key, Value>(
        Branching(downstream, subscription, site, of: upstream, isDirect: true), limit: limit, overflow, by: key)
      groups.branching.connect(upstream, groups.observer)
    }
  }

  /// Divides the values into signals, one for each key, which end when they have had no value for a time.
  ///
  /// The timeout of a group starts again with each of its values. When it has passed, the group ends; the next value of
  /// its key opens another one.
  ///
  /// ![grouped, as a marble diagram](grouped-timeout-on-limit-overflow-by)
  ///
  /// ```text
  /// source   -1-3-----5|
  ///          source.grouped(timeout: .milliseconds(3), on: scheduler) { $0 % 2 }
  /// result   -a-------b|
  /// group a  1-3--|
  /// group b  5|
  /// ```
  ///
  /// ```swift
  /// struct Message: Sendable {
  ///   var room: String
  ///   var text: String
  /// }
  /// let bag = DisposeBag()
  /// let messages = Emitter<Message>()
  /// messages.signal
  ///   .grouped(timeout: .seconds(60), on: .main) { $0.room }
  ///   .flatMap { group in group.signal.collect().map { (group.key, $0.count) } }
  ///   .subscribe { room, count in print("\(room) is quiet again after \(count) messages") }
  ///   .store(in: bag)
  /// ```
  ///
  /// - **Errors:** a failure of this signal, an error that the closure throws, and ``TooManyGroupsError`` go to the open groups, and then to the
  ///   result.
  /// - **Ends:** with this signal; the open groups end first. The end or a failure of a chain below one group ends
  ///   nothing else (law 8). This signal is unsubscribed when neither the result nor an open group has a subscriber
  ///   (law 9). So if the result is disposed, groups that have subscribers continue, but no further one is opened. A
  ///   group is open even if it has no subscriber.
  /// - **Order and threads:** values and groups are delivered where this signal delivers, but the end of a group that
  ///   timed out is delivered on the scheduler: this is an operator with two inputs, not a hop (law 14). If a value
  ///   arrives at the same instant as the timeout, the order of the two decides which group gets it.
  /// - **Allocations:** a few for a group, none for a value, except those of the scheduler. Nothing is retained of a
  ///   group that has ended.
  /// - Parameters:
  ///   - timeout: The maximum time of a group without a value. A negative time counts as zero.
  ///   - scheduler: Measures the time, and delivers the end of a group that timed out.
  ///   - limit: The maximum number of open groups. Less than 1 counts as 1.
  ///   - overflow: What happens to a value of a new key at that limit.
  ///   - key: Returns the key of a value.
  ///
  /// See also ``grouped(limit:overflow:fileID:line:function:by:)``.
  @inlinable
  public func grouped<Key: Hashable & Sendable>(
    timeout: Duration, on scheduler: any Scheduler, limit: Int = .max, overflow: GroupOverflow = .endLongestIdle,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function,
    by key: @escaping @Sendable (Value) throws -> Key
  ) -> Signal<SignalGroup<Key, Value>> {
    let upstream = self
    let site = Site("grouped", behavior: .groups, fileID: fileID, line: line, function: function)
    return Signal<SignalGroup<Key, Value>>(site, derivedFrom: self) { downstream, subscription in
      let groups = OpenGroups<Key, Value>(
        Branching(downstream, subscription, site, of: upstream), limit: limit, overflow,
        timeout: (Swift.max(.zero, timeout), scheduler), by: key)
      let junction = groups.branching.junction(to: groups.observer)
      groups.timer = junction.timer(on: scheduler, interval: timeout) { [weak groups] _ in groups?.endIdle() }
      junction.connect(upstream) { value in
        try junction.emit(value)
      } end: { completion in
        junction.end(completion)
      }
    }
  }
}

/// The open groups of one subscription.
// Safe: touched only while a value or the end is delivered, and by the timer, which passes through the same gate (law
// 3). Unchecked exclusivity: values that a key's `==` or `deinit` sends wait for that gate, so they do not come back
// here.
@usableFromInline
final class OpenGroups<Key: Hashable & Sendable, Value: Sendable>: @unchecked Sendable {
  @usableFromInline let branching: Branching<Value, SignalGroup<Key, Value>>
  @usableFromInline let limit: Int
  @usableFromInline let overflow: GroupOverflow
  @usableFromInline let timeout: (duration: Duration, scheduler: any Scheduler)?
  @usableFromInline let key: @Sendable (Value) throws -> Key
  @exclusivity(unchecked) @usableFromInline var groups: [Key: OpenGroup<Key, Value>] = [:]
  /// The number of groups opened so far.
  @exclusivity(unchecked) @usableFromInline var lastNumber = 0
  /// Whether groups are stored in the order of their latest values.
  @usableFromInline let keepsOrder: Bool
  // Safe: this list contains exactly the groups that `groups` retains. They are removed by identity, not only by key.
  /// The group that has had no value for the longest time.
  @exclusivity(unchecked) @usableFromInline unowned(unsafe) var oldest: OpenGroup<Key, Value>?
  @exclusivity(unchecked) @usableFromInline unowned(unsafe) var newest: OpenGroup<Key, Value>?
  @exclusivity(unchecked) @usableFromInline var timer: OperatorTimer?
  /// The deadline that the timer is set to.
  @exclusivity(unchecked) @usableFromInline var alarm: SchedulerInstant?

  @inlinable
  init(
    _ branching: Branching<Value, SignalGroup<Key, Value>>, limit: Int, _ overflow: GroupOverflow,
    timeout: (Duration, any Scheduler)? = nil, by key: @escaping @Sendable (Value) throws -> Key
  ) {
    self.branching = branching
    self.limit = max(1, limit)
    self.overflow = overflow
    self.timeout = timeout
    self.key = key
    keepsOrder = timeout != nil || (limit < .max && overflow == .endLongestIdle)
  }

  /// The observer of the values.
  @inlinable var observer: Observer<Value> {
    Observer(receive: { value in try self.take(value) }, end: { completion in self.end(completion) })
  }

  @inlinable
  func take(_ value: Value) throws {
    let key = try key(value)
    if let group = groups[key] {
      if keepsOrder { use(group) }
      group.send(value)
    } else {
      try open(key)?.send(value)
    }
    try branching.checkIsTaken()
  }

  /// Opens a group, unless the result has no subscriber or there are too many.
  @inlinable
  @inline(never)
  func open(_ key: Key) throws -> OpenGroup<Key, Value>? {
    guard branching.takesBranches, try mayOpenGroup() else { return nil }
    lastNumber += 1
    let group = OpenGroup(key, lastNumber, branching)
    let replaced = groups.updateValue(group, forKey: key)
    if keepsOrder { append(group) }
    if let replaced { leave(replaced) }
    branching.deliver(SignalGroup(key: key, signal: group.signal(named: { String(describing: key) })))
    return group
  }

  /// - Returns: Whether another group may be opened now.
  @inlinable
  func mayOpenGroup() throws -> Bool {
    guard groups.count >= limit else { return true }
    switch overflow {
    case .dropValue: return false
    case .fail: throw TooManyGroupsError(limit: limit)
    case .endLongestIdle:
      if let oldest { close(oldest) }
      // A handler of that end may have unsubscribed.
      return branching.takesBranches
    }
  }

  @inlinable
  func close(_ group: OpenGroup<Key, Value>) {
    // A key may no longer be found: NaN does not equal itself, and the hash of an object may have changed.
    if let index = groups.index(forKey: group.key), groups[index].value === group {
      groups.remove(at: index)
    } else if let index = groups.firstIndex(where: { $0.value === group }) {
      groups.remove(at: index)
    }
    leave(group)
  }

  /// Ends a group that is in the dictionary no longer.
  @inlinable
  func leave(_ group: OpenGroup<Key, Value>) {
    if keepsOrder { unlink(group) }
    group.close(.finished)
  }

  @usableFromInline
  func end(_ completion: Completion) {
    let ended = groups
    groups = [:]
    oldest = nil
    newest = nil
    // In the order in which they were opened.
    for group in ended.values.sorted(by: { $0.number < $1.number }) { group.close(completion) }
    branching.end(completion)
  }

  // MARK: The order of the latest values, and time

  @inlinable
  func use(_ group: OpenGroup<Key, Value>) {
    if group !== newest {
      unlink(group)
      link(group)
    }
    noteTime(of: group)
  }

  @inlinable
  func append(_ group: OpenGroup<Key, Value>) {
    link(group)
    noteTime(of: group)
  }

  @inlinable
  func link(_ group: OpenGroup<Key, Value>) {
    group.previous = newest
    newest?.next = group
    newest = group
    if oldest == nil { oldest = group }
  }

  @inlinable
  func unlink(_ group: OpenGroup<Key, Value>) {
    if let previous = group.previous { previous.next = group.next } else { oldest = group.next }
    if let next = group.next { next.previous = group.previous } else { newest = group.previous }
    group.previous = nil
    group.next = nil
  }

  @inlinable
  func noteTime(of group: OpenGroup<Key, Value>) {
    guard let timeout else { return }
    let now = timeout.scheduler.now
    group.deadline = now.advanced(by: timeout.duration)
    // The timer, if set, is set to this deadline or an earlier one.
    if alarm == nil { wake(at: group.deadline, now) }
  }

  @inlinable
  func wake(at deadline: SchedulerInstant, _ now: SchedulerInstant) {
    alarm = deadline
    timer?.set(after: now.duration(to: deadline))
  }

  /// Ends the groups that have timed out.
  @inlinable
  func endIdle() {
    guard let timeout, let alarm else { return }
    self.alarm = nil
    while let oldest {
      // The timer's deadline has passed, even if the scheduler lets no time pass.
      let now = timeout.scheduler.now
      guard oldest.deadline <= max(now, alarm) else { return wake(at: oldest.deadline, now) }
      close(oldest)
    }
  }
}

/// An open group.
// Safe: the variables are touched only by the `OpenGroups` that retains this; it retains the other groups too, as they
// are open. Unchecked exclusivity: each is read or written at once.
@usableFromInline
final class OpenGroup<Key: Hashable & Sendable, Value: Sendable>: BranchCore<Value>, @unchecked Sendable {
  @usableFromInline let key: Key
  /// The number of groups opened up to and including this one.
  @usableFromInline let number: Int
  // The neighbours in the order of the latest values.
  @exclusivity(unchecked) @usableFromInline unowned(unsafe) var previous: OpenGroup?
  @exclusivity(unchecked) @usableFromInline unowned(unsafe) var next: OpenGroup?
  /// When the group ends unless a value comes.
  @exclusivity(unchecked) @usableFromInline var deadline = SchedulerInstant(sinceOrigin: .zero)

  @inlinable
  init(_ key: Key, _ number: Int, _ branching: Branching<Value, SignalGroup<Key, Value>>) {
    self.key = key
    self.number = number
    super.init(of: branching)
  }
}
