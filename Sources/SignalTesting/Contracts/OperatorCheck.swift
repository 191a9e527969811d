/// A check of ``expectLaws(of:patience:fileID:filePath:line:column:)``, in the order of execution: a law is checked
/// before the laws that depend on it.
public enum OperatorCheck: String, CaseIterable, Sendable {
  /// Values are delivered inside `send`, on the sender's thread. Not for ``OperatorDelivery/scheduled``.
  case synchronous
  /// Values are delivered in virtual time only, and no work remains.
  case virtualTime
  /// No value, failure or end is delivered inside `send` or `subscribe` if everything is declared as
  /// ``OperatorDelivery/scheduled``.
  case hops
  /// A source of one, of many and of no values: each ends once, regularly, and nothing follows.
  case ends
  /// A source that never sends: nothing ends.
  case never
  /// The output equals the contract's. If different values at one instant give the same output, equal ones do.
  case delivers
  /// A source that fails: the failure is passed on once, or replaced as the contract declares.
  case failure
  /// An operator that ends by itself unsubscribes from its upstream at once.
  case ownEnd
  /// While a handler or a closure of the operator runs, also inside `subscribe` and for the further input's value, another
  /// thread may send, subscribe and dispose, and nothing overlaps.
  case noLock
  /// A value that a handler sends, into either input, comes as if it were sent afterwards.
  case nestedSends
  /// A handler ends the source.
  case nestedEnd
  /// A handler subscribes to the same signal.
  case newcomers
  /// Two subscribers get the same events and share no state.
  case twoSubscribers
  /// A second subscriber, which comes after a value, gets what it would get alone. Exempt an operator that shares on purpose,
  /// such as one that replays values.
  case laterSubscriber
  /// A subscriber that leaves, ends or fails does not disturb another one, nor the source.
  case siblings
  /// A handler disposes its own subscription at the first, second ... value.
  case disposalInHandler
  /// A handler disposes its own subscription and a later subscriber's.
  case disposalOfLater
  /// A closure below the operator throws.
  case errorBelow
  /// An endless source whose subscriber takes no more values.
  case earlyEnd
  /// A source that delivers everything inside `subscribe`, and finishes or fails there.
  case synchronousSource
  /// An endless source that delivers inside `subscribe`, whose subscriber takes no more values. An operator that
  /// delivers few of many values need not stop it.
  case endlessAtOnce
  /// The further input fails, inside subscribe, before any value or after some: the failure is passed on once, or replaced
  /// as the contract declares.
  case failureOfOther
  /// However a subscription ends, before any value or with one or several values waiting, nothing of it is retained, no work remains
  /// scheduled, and no task that the operator started is running.
  case release
  /// A subscriber after the end gets it at once.
  case lateSubscriber
  /// A closure of the operator throws: at the first, second or third value, or at the further input's.
  case throwingClosure
  /// Several threads send at once: calls do not overlap, and no value is lost or duplicated.
  case concurrentSenders
  /// Both inputs, the time and the end come from several threads at once.
  case concurrentInputs
  /// Another thread disposes while values come.
  case concurrentDisposal
  /// A leak check finds nothing, and its recording of the graph changes nothing.
  case leaks
  /// A source that finishes directly after one or several values: an operator that passes each value on delivers them.
  case endBehindValue
  /// A second subscriber to the same signal, after its end, its failure or a disposal, gets the same from a source that starts again.
  case resubscription

  /// The situation, for messages.
  var situation: String {
    switch self {
    case .ends: "a source of few values that finishes"
    case .never: "a source that never sends"
    case .synchronous: "values sent from one thread"
    case .virtualTime: "values under virtual time"
    case .hops: "values sent from one thread"
    case .delivers: "a source of few values that finishes"
    case .endBehindValue: "a source that sends a value and finishes at once"
    case .failure: "a source that fails"
    case .ownEnd: "an operator that terminates by itself"
    case .noLock: "another thread acts while user code runs"
    case .nestedSends: "a handler that sends"
    case .nestedEnd: "a handler that ends the source"
    case .newcomers: "a handler that subscribes"
    case .twoSubscribers: "two subscribers of the same signal"
    case .laterSubscriber: "a subscriber that comes after a value of an earlier one"
    case .resubscription: "a subscriber that comes after the end, to a source that begins anew"
    case .siblings: "several subscribers, one of which stops early"
    case .disposalInHandler: "a handler that disposes its own subscription"
    case .disposalOfLater: "a handler that disposes a later subscriber's subscription"
    case .earlyEnd: "an endless source whose subscriber stops early"
    case .synchronousSource: "a source that delivers inside subscribe"
    case .endlessAtOnce: "an endless source that delivers inside subscribe, whose subscriber stops early"
    case .failureOfOther: "a further input that fails"
    case .release: "resources left after the end of a subscription"
    case .lateSubscriber: "a late subscriber, after the end"
    case .throwingClosure: "a closure of the operator that throws"
    case .errorBelow: "a closure downstream of the operator that throws"
    case .concurrentSenders: "three threads that send"
    case .concurrentInputs: "threads that send into all inputs, end them and advance time"
    case .concurrentDisposal: "another thread that disposes while values arrive"
    case .leaks: "a leak check around a subscription"
    }
  }

  /// Whether it gives the same result each time and cannot hang, so that a superfluous exemption can be detected.
  var isRepeatable: Bool {
    switch self {
    case .noLock, .concurrentSenders, .concurrentInputs, .concurrentDisposal, .newcomers: false
    default: true
    }
  }
}
