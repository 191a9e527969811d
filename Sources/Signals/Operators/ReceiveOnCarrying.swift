extension Signal {
  /// Delivers everything on a scheduler, as ``receive(on:overflow:fileID:line:function:)`` does, each value with what a task-local was when it came.
  ///
  /// A task-local does not cross a hop by itself: what runs on a scheduler runs outside the sender's task. Here the value of one task-local is
  /// read where this signal delivers, and holds while what is below handles that signal's value. To carry several, put them into one, as the
  /// contexts of tracing libraries do.
  ///
  /// ![receive, as a marble diagram](receive-on-carrying)
  ///
  /// ```text
  /// source   -a-b-|
  ///          source.receive(on: scheduler, carrying: Trace.$current)
  /// result   -a-b-|
  /// ```
  ///
  /// ```swift
  /// enum Trace { @TaskLocal static var current = "none" }
  /// let bag = DisposeBag()
  /// let orders = Emitter<Int>()
  /// orders.signal
  ///   .receive(on: .main, carrying: Trace.$current)
  ///   .subscribe { order in print("order \(order), trace \(Trace.current)") }
  ///   .store(in: bag)
  /// Trace.$current.withValue("4711") { orders.send(1) }  // Soon prints "order 1, trace 4711".
  /// ```
  ///
  /// - **Errors:** none of its own. A failure keeps its place behind the values before it. It carries nothing, nor does the end.
  /// - **Ends:** with this signal, once what waits has been delivered.
  /// - **Order and threads:** as ``receive(on:overflow:fileID:line:function:)``. A value that another thread delivers on behalf of its sender, because both
  ///   sent at once (law 5), comes with what the task-local is there.
  /// - **Allocations:** one for a value, by which the task-local is set.
  /// - Parameters:
  ///   - scheduler: Where everything is delivered.
  ///   - local: The task-local: `$name` of a property that is declared with `@TaskLocal`.
  ///
  /// See also ``receive(on:overflow:fileID:line:function:)``.
  @inlinable
  public func receive<Local: Sendable>(
    on scheduler: any Scheduler, carrying local: TaskLocal<Local>,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> {
    let upstream = self
    let site = Site("receive(on:carrying:)", fileID: fileID, line: line, function: function)
    return Signal(site, derivedFrom: self) { downstream, subscription in
      let setting = Observer<Carried<Value, Local>>(for: downstream) { [receive = downstream.receive] carried in
        try local.withValue(carried.local) { try receive(carried.value) }
      }
      let junction = Junction(setting, subscription)
      let hop = Hop(to: junction, on: scheduler)
      junction.connectOutside(upstream) { value in
        hop.send(.value(Carried(value: value, local: local.get())))
      } end: { completion in
        hop.send(Event(completion))
      }
    }
  }
}

/// A value, and what the task-local was when it came.
@usableFromInline
struct Carried<Value: Sendable, Local: Sendable>: Sendable {
  @usableFromInline let value: Value
  @usableFromInline let local: Local

  @inlinable
  init(value: Value, local: Local) {
    self.value = value
    self.local = local
  }
}
