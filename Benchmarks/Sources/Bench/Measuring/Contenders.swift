import Limits
import Measuring
import OpenCombine
import Signals

extension Row.Contender {
  static func signals(_ prepare: @escaping @Sendable () -> Row.Run) -> Self { Self(name: "signals", prepare: prepare) }
  static func limit(_ prepare: @escaping @Sendable () -> Row.Run) -> Self { Self(name: "limit", prepare: prepare) }
  static func openCombine(_ prepare: @escaping @Sendable () -> Row.Run) -> Self {
    Self(name: "OpenCombine", prepare: prepare)
  }

  /// Another hand-written form, shown beside the limit.
  static func limit(as form: String, _ prepare: @escaping @Sendable () -> Row.Run) -> Self {
    Self(name: "limit, \(form)", prepare: prepare)
  }

  /// Numbers sent through one emitter of the library; what `connect` returns is kept. One send counts as so many operations.
  static func signals<Kept>(
    operationsPerSend: Int = 1, through connect: @escaping @Sendable (Signal<Int>, Sum) -> Kept
  ) -> Self {
    .signals {
      let sum = Sum()
      let emitter = Emitter<Int>()
      let kept = connect(emitter.signal, sum)
      return Row.Run(
        perform: { for value in 0..<$0 / operationsPerSend { emitter.send(value) } },
        result: { withExtendedLifetime(kept) { sum.value } })
    }
  }

  /// Numbers sent through one hand-written emitter; in another form than the limit itself, if that is named.
  static func limit(
    as form: String? = nil, operationsPerSend: Int = 1,
    through connect: @escaping @Sendable (ClosureEmitter<Int>, Sum) -> Void
  ) -> Self {
    Self(name: form.map { "limit, \($0)" } ?? "limit") {
      let sum = Sum()
      let emitter = ClosureEmitter<Int>()
      connect(emitter, sum)
      return Row.Run(
        perform: { for value in 0..<$0 / operationsPerSend { emitter.send(value) } }, result: { sum.value })
    }
  }

  /// Numbers sent through one subject of OpenCombine; what `connect` returns is kept.
  static func openCombine<Kept>(
    operationsPerSend: Int = 1, through connect: @escaping @Sendable (PassthroughSubject<Int, Never>, Sum) -> Kept
  ) -> Self {
    .openCombine {
      let sum = Sum()
      let subject = PassthroughSubject<Int, Never>()
      let kept = connect(subject, sum)
      return Row.Run(
        perform: { for value in 0..<$0 / operationsPerSend { subject.send(value) } },
        result: { withExtendedLifetime(kept) { sum.value } })
    }
  }
}
