extension Signal {
  /// Delivers everything on a scheduler, like ``receive(on:overflow:fileID:line:function:)``, and restores a task-local
  /// value for each value.
  ///
  /// A task-local does not cross a hop by itself: a scheduler's work runs outside the sender's task. This operator
  /// reads the value of one task-local where this signal delivers, and binds it while downstream handles that signal's
  /// value. Overloads take two or three; to carry more, combine them into one, like the contexts of tracing libraries.
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
  /// - **Errors:** none of its own. A failure is delivered after the values before it. Neither it nor the end carries
  ///   the task-local.
  /// - **Ends:** with this signal, once the queued values have been delivered.
  /// - **Order and threads:** as ``receive(on:overflow:fileID:line:function:)``. A value that another thread delivers
  ///   on behalf of its sender, because both sent at once (law 5), carries the task-local of the delivering thread.
  /// - **Allocations:** one for a value, to bind the task-local.
  /// - Parameters:
  ///   - scheduler: The scheduler to deliver on.
  ///   - local: The task-local: `$name` of a property that is declared with `@TaskLocal`.
  ///
  /// See also ``receive(on:overflow:fileID:line:function:)`` and ``receive(on:carrying:_:fileID:line:function:)`` for two task-locals.
  @inlinable
  public func receive<Local: Sendable>(
    on scheduler: any Scheduler, carrying local: TaskLocal<Local>,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> {
    carried(
      Site(
        "receive(on:carrying:)", behavior: [.runsNoClosure, .cannotFail, .hops], fileID: fileID, line: line,
        function: function),
      scheduler
    ) {
      local.get()
    } setting: {
      local.withValue($0, operation: $1)
    }
  }

  /// Delivers everything on a scheduler, and restores two task-local values for each value; see
  /// ``receive(on:carrying:fileID:line:function:)``.
  ///
  /// ```swift
  /// enum Request {
  ///   @TaskLocal static var trace = "none"
  ///   @TaskLocal static var user = "nobody"
  /// }
  /// let bag = DisposeBag()
  /// let orders = Emitter<Int>()
  /// orders.signal
  ///   .receive(on: .main, carrying: Request.$trace, Request.$user)
  ///   .subscribe { order in print("order \(order) of \(Request.user), trace \(Request.trace)") }
  ///   .store(in: bag)
  /// ```
  ///
  /// - Parameters:
  ///   - scheduler: The scheduler to deliver on.
  ///   - first: One task-local: `$name` of a property that is declared with `@TaskLocal`.
  ///   - second: Another task-local.
  @inlinable
  public func receive<First: Sendable, Second: Sendable>(
    on scheduler: any Scheduler, carrying first: TaskLocal<First>, _ second: TaskLocal<Second>,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> {
    carried(
      Site(
        "receive(on:carrying:)", behavior: [.runsNoClosure, .cannotFail, .hops], fileID: fileID, line: line,
        function: function),
      scheduler
    ) {
      (first.get(), second.get())
    } setting: { locals, body in
      first.withValue(locals.0) { second.withValue(locals.1, operation: body) }
    }
  }

  /// Delivers everything on a scheduler, and restores three task-local values for each value; see
  /// ``receive(on:carrying:fileID:line:function:)``.
  ///
  /// - Parameters:
  ///   - scheduler: The scheduler to deliver on.
  ///   - first: One task-local: `$name` of a property that is declared with `@TaskLocal`.
  ///   - second: Another task-local.
  ///   - third: A third task-local.
  @inlinable
  public func receive<First: Sendable, Second: Sendable, Third: Sendable>(
    on scheduler: any Scheduler, carrying first: TaskLocal<First>, _ second: TaskLocal<Second>,
    _ third: TaskLocal<Third>,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> {
    carried(
      Site(
        "receive(on:carrying:)", behavior: [.runsNoClosure, .cannotFail, .hops], fileID: fileID, line: line,
        function: function),
      scheduler
    ) {
      (first.get(), second.get(), third.get())
    } setting: { locals, body in
      first.withValue(locals.0) { second.withValue(locals.1) { third.withValue(locals.2, operation: body) } }
    }
  }

  /// - Parameters:
  ///   - read: Reads the task-locals.
  ///   - setting: Runs a closure with the task-locals bound to the values that were read.
  @inlinable
  func carried<Locals: Sendable>(
    _ site: Site, _ scheduler: any Scheduler, reading read: @escaping @Sendable () -> Locals,
    setting set: @escaping @Sendable (Locals, () -> Void) -> Void
  ) -> Signal<Value> {
    let upstream = self
    return Signal(site, derivedFrom: self) { downstream, subscription in
      let setting = Observer<Carried<Value, Locals>>(for: downstream) { [receive = downstream.receive] carried in
        var thrown: (any Error)?
        set(carried.locals) {
          do { try receive(carried.value) } catch { thrown = error }
        }
        if let thrown { throw thrown }
      }
      let junction = Junction(setting, subscription, hasOneInput: true)
      let hop = Hop(to: junction, on: scheduler)
      junction.connectOutside(upstream) { value in
        hop.send(.value(Carried(value: value, locals: read())))
      } end: { completion in
        hop.send(Event(completion))
      }
    }
  }
}

/// A value, and the task-local values at its arrival.
@usableFromInline
struct Carried<Value: Sendable, Locals: Sendable>: Sendable {
  @usableFromInline let value: Value
  @usableFromInline let locals: Locals

  @inlinable
  init(value: Value, locals: Locals) {
    self.value = value
    self.locals = locals
  }
}
