/// A law that every operator obeys. The numbers are those of the list of laws in the documentation.
enum OperatorLaw: Int {
  /// Any number of values, then at most one end, then nothing.
  case grammar = 1
  /// All subscribers get one order; a value that a handler sends comes after the value being handled.
  case oneOrder = 2
  /// A subscriber is never called while it is being called; no value is lost or duplicated.
  case serial = 3
  /// No lock is held while a user's code runs.
  case noLock = 4
  /// When `send` returns, the value has been delivered, on the sender's thread.
  case synchronous = 5
  /// A subscriber that comes during a delivery does not get the value being delivered.
  case newcomers = 6
  /// After `dispose()` nothing is delivered, and nothing is retained.
  case disposal = 7
  /// The end of a branch ends neither its siblings nor the source.
  case noCollateral = 8
  /// An operator that ends early unsubscribes from its upstream, and nothing of the chain stays.
  case upstreamRelease = 9
  /// A subscriber after the end gets the same end at once.
  case lateSubscribers = 10
  /// An error that a closure throws becomes the failure of the signal.
  case thrownErrors = 11
  /// Time comes from the passed scheduler.
  case virtualTime = 13
  /// Everything is delivered on the named scheduler.
  case hops = 14
  /// The end of a signal, and the values at its end.
  case ends = 16

  /// The law's number and subject, for messages.
  var title: String { "law \(rawValue), \(subject)" }

  private var subject: String {
    switch self {
    case .grammar: "grammar"
    case .oneOrder: "one order"
    case .serial: "serial"
    case .noLock: "no lock while user code runs"
    case .synchronous: "synchronous by default"
    case .newcomers: "newcomers"
    case .disposal: "disposal"
    case .noCollateral: "no collateral"
    case .upstreamRelease: "upstream release"
    case .lateSubscribers: "late subscribers"
    case .thrownErrors: "thrown errors"
    case .virtualTime: "time comes from a scheduler"
    case .hops: "hops"
    case .ends: "ends"
    }
  }

  /// The usual remedy.
  var advice: String {
    switch self {
    case .grammar:
      "pass the end on exactly once, when the upstream or the operator terminates, and send nothing after it; lift(_:state:_:) ensures both."
    case .oneOrder:
      "pass values on in the order of their arrival. Queue those that arrive while a value is being passed on, first in, first out."
    case .serial:
      "call downstream from one thread at a time, and queue what other threads send in the meantime; do not drop it. A Producer does that."
    case .noLock:
      "copy the state that is needed under the lock, release the lock, and only then call a closure, send, subscribe or dispose."
    case .synchronous:
      "pass values on synchronously, without a queue or a task; or declare delivery: .scheduled and use the scheduler that is passed in."
    case .newcomers: "start a new subscription with the next value, not with the one that is being delivered."
    case .disposal:
      "pass each subscription and all scheduled work of the operator to the producer's own(_:), which disposes them with the subscription."
    case .noCollateral: "store separate state for each subscription; lift(_:state:_:) does that."
    case .upstreamRelease:
      "when the operator terminates early, dispose its upstream: downstream.finish() of lift(_:state:_:) and the producer's own(_:) do that."
    case .lateSubscribers: "store how the source terminated, and deliver that end to late subscribers."
    case .thrownErrors:
      "let an error that a closure throws propagate out of the operator, or pass it on as the failure of the signal."
    case .virtualTime:
      "measure time with the scheduler that is passed in, and dispose scheduled work when the subscription ends."
    case .hops: "deliver values, failure and end on the scheduler, none of them inside send."
    case .ends:
      "make the operator end as in the expected row: pass on the end and the failure of the upstream, as lift(_:state:_:) does by itself. If the actual row is right, change delivers:, atStart:, atFinish: or failure: of the contract."
    }
  }
}
