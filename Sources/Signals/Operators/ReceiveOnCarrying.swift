extension Signal {
  /// Delivers everything on a scheduler, as ``receive(on:overflow:fileID:line:function:)`` does, each value with what a task-local was when it came.
  ///
  /// A task-local does not cross a hop by itself: what runs on a scheduler runs outside the sender's task. Here the value of one task-local is
  /// read where this signal delivers, and holds while what is below handles that signal's value. Two or three may be given; to carry more, put them into
  /// one, as the contexts of tracing libraries do.
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
  /// See also ``receive(on:overflow:fileID:line:function:)`` and ``receive(on:carrying:_:fileID:line:function:)`` for two task-locals.
  @inlinable
  public func receive<Local: Sendable>(
    on scheduler: any Scheduler, carrying local: TaskLocal<Local>,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> {
    carried(
      Site("receive(on:carrying:)", behavior: [.cannotFail, .hops], fileID: fileID, line: line, function: function),
      scheduler
    ) {
      local.get()
    } setting: {
      local.withValue($0, operation: $1)
    }
  }

  /// Delivers everything on a scheduler, each value with what two task-locals were when it came; see
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
  ///   - scheduler: Where everything is delivered.
  ///   - first: One task-local: `$name` of a property that is declared with `@TaskLocal`.
  ///   - second: Another task-local.
  @inlinable
  public func receive<First: Sendable, Second: Sendable>(
    on scheduler: any Scheduler, carrying first: TaskLocal<First>, _ second: TaskLocal<Second>,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> {
    carried(
      Site("receive(on:carrying:)", behavior: [.cannotFail, .hops], fileID: fileID, line: line, function: function),
      scheduler
    ) {
      (first.get(), second.get())
    } setting: { locals, body in
      first.withValue(locals.0) { second.withValue(locals.1, operation: body) }
    }
  }

  /// Delivers everything on a scheduler, each value with what three task-locals were when it came; see
  /// ``receive(on:carrying:fileID:line:function:)``.
  ///
  /// - Parameters:
  ///   - scheduler: Where everything is delivered.
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
      Site("receive(on:carrying:)", behavior: [.cannotFail, .hops], fileID: fileID, line: line, function: function),
      scheduler
    ) {
      (first.get(), second.get(), third.get())
    } setting: { locals, body in
      first.withValue(locals.0) { second.withValue(locals.1) { third.withValue(locals.2, operation: body) } }
    }
  }

  /// - Parameters:
  ///   - read: Reads the task-locals.
  ///   - setting: Runs a closure while the task-locals are what was read.
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
      let junction = Junction(setting, subscription)
      let hop = Hop(to: junction, on: scheduler)
      junction.connectOutside(upstream) { value in
        hop.send(.value(Carried(value: value, locals: read())))
      } end: { completion in
        hop.send(Event(completion))
      }
    }
  }
}

/// A value, and what the task-locals were when it came.
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
