/// One of the checks that ``expectLaws(of:patience:fileID:filePath:line:column:)`` makes, in the order in which it makes them: what a law says
/// is checked before what rests on it.
public enum OperatorCheck: String, CaseIterable, Sendable {
  /// Values come inside `send`, on the sender's thread. Not for what is declared as ``OperatorDelivery/scheduled``.
  case synchronous
  /// Values come in virtual time only, and no work is left behind.
  case virtualTime
  /// Nothing comes inside `send` when everything is declared as ``OperatorDelivery/scheduled``.
  case hops
  /// A source of one, of many and of no values: each ends once, regularly, and nothing follows.
  case ends
  /// A source that never sends: nothing ends.
  case never
  /// What comes is what the contract says.
  case delivers
  /// A source that fails: the failure is passed on once, or replaced as the contract says.
  case failure
  /// An operator that ends by itself leaves its upstream at once.
  case ownEnd
  /// While a handler or a closure of the operator runs, another thread may send, subscribe and dispose, and nothing overlaps.
  case noLock
  /// What a handler sends, into either input, comes as if it were sent afterwards.
  case nestedSends
  /// A handler ends the source.
  case nestedEnd
  /// A handler subscribes to the same signal.
  case newcomers
  /// Two subscribers see the same and share no state.
  case twoSubscribers
  /// A subscriber that leaves, ends or fails does not disturb another one, nor the source.
  case siblings
  /// A handler disposes its own subscription at the first, second ... value.
  case disposalInHandler
  /// A handler disposes its own subscription and a later subscriber's.
  case disposalOfLater
  /// A closure below the operator throws.
  case errorBelow
  /// An endless source whose subscriber has had enough.
  case earlyEnd
  /// A source that delivers everything inside `subscribe`.
  case synchronousSource
  /// An endless source that delivers inside `subscribe`, whose subscriber has had enough. An operator that makes few values of many need not stop it.
  case endlessAtOnce
  /// The further input fails while the operator is subscribed to it: the failure is passed on once, or replaced as the contract says.
  case failureOfOther
  /// Whatever way a subscription ends, nothing of it is kept and nothing is left scheduled.
  case release
  /// Who subscribes after the end gets it at once.
  case lateSubscriber
  /// A closure of the operator throws.
  case throwingClosure
  /// Several threads send at once: nothing overlaps, nothing is lost, nothing comes twice.
  case concurrentSenders
  /// Both inputs, the time and the end come from several threads at once.
  case concurrentInputs
  /// Another thread disposes while values come.
  case concurrentDisposal
  /// A leak check finds nothing, and the graph that it records changes nothing.
  case leaks
  /// A source that finishes directly behind a value: an operator that lets each value through delivers it.
  case endBehindValue
  /// Who subscribes to the same signal again, after it has ended, gets the same from a source that begins anew.
  case resubscription

  /// The situation, as messages have it.
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
    case .resubscription: "a subscriber that comes after the end, to a source that begins anew"
    case .siblings: "two subscribers, one of which stops early"
    case .disposalInHandler: "a handler that disposes its own subscription"
    case .disposalOfLater: "a handler that disposes a later subscriber's subscription"
    case .earlyEnd: "an endless source whose subscriber stops early"
    case .synchronousSource: "a source that delivers inside subscribe"
    case .endlessAtOnce: "an endless source that delivers inside subscribe, whose subscriber stops early"
    case .failureOfOther: "a further input that fails after two values of the source"
    case .release: "resources left after the end of a subscription"
    case .lateSubscriber: "a late subscriber, after the end"
    case .throwingClosure: "a closure of the operator that throws at the third value"
    case .errorBelow: "a closure downstream of the operator that throws"
    case .concurrentSenders: "three threads that send"
    case .concurrentInputs: "threads that send into all inputs, end them and advance time"
    case .concurrentDisposal: "another thread that disposes while values arrive"
    case .leaks: "a leak check around a subscription"
    }
  }

  /// Whether it gives the same result each time and cannot hang, so that an exemption from it can be found to be needless.
  var isRepeatable: Bool {
    switch self {
    case .noLock, .concurrentSenders, .concurrentInputs, .concurrentDisposal, .newcomers: false
    default: true
    }
  }
}
