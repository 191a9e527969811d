/// What an operator or a source does, as far as findings, explanations and drawings need to know.
///
/// It is declared where the operator is written, with its ``Definition``'s kind, and judged instead of the kind's text: an operator of your own that
/// declares to combine or to wait is treated as the library's, and one that merely has a name in common is not.
///
/// ```swift
/// import Signals
///
/// extension Signal {
///   func doubled(
///     fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
///   ) -> Signal<[Value]> {
///     lift(
///       Site("doubled", behavior: [.passesOn, .atMostOne], fileID: fileID, line: line, function: function),
///       stateless: { [$0, $0] })
///   }
/// }
/// ```
///
/// On the wire it is a list of the names below. Names that a version does not know are left out when read; a snapshot without the list says
/// nothing about behavior.
public struct OperatorBehavior: OptionSet, Hashable, Sendable {
  /// One bit for each behavior.
  public let rawValue: UInt64

  /// Makes it from bits.
  ///
  /// - Parameter rawValue: One bit for each behavior. Bits have no fixed meaning between versions.
  @inlinable
  public init(rawValue: UInt64) { self.rawValue = rawValue }

  // MARK: Values

  /// Passes values on at once, where they come. It may leave out some, and give others.
  @inlinable public static var passesOn: Self { Self(rawValue: 1 << 0) }
  /// Gives at most one value for each that it gets, when it gets that.
  @inlinable public static var atMostOne: Self { Self(rawValue: 1 << 1) }
  /// Lets a closure decide which values pass.
  @inlinable public static var filters: Self { Self(rawValue: 1 << 2) }
  /// Leaves out values that are equal to the one before.
  @inlinable public static var dropsRepeats: Self { Self(rawValue: 1 << 3) }
  /// Leaves out values at the beginning.
  @inlinable public static var dropsFirst: Self { Self(rawValue: 1 << 4) }
  /// Keeps a state that each value changes, so that the order of values matters.
  @inlinable public static var keepsState: Self { Self(rawValue: 1 << 5) }
  /// Runs no closure of the program, prints nothing and shares nothing: without a subscriber's closure it has no effect.
  @inlinable public static var runsNoClosure: Self { Self(rawValue: 1 << 6) }
  /// Cannot fail by itself: a failure of it is that of a closure below it.
  @inlinable public static var cannotFail: Self { Self(rawValue: 1 << 7) }

  /// Gives other values than it gets.
  @inlinable public static var transforms: Self { Self(rawValue: 1 << 43) }

  // MARK: Inputs

  /// Gives a value made of the newest of each input whenever one of them gives a value.
  @inlinable public static var combinesLatest: Self { Self(rawValue: 1 << 8) }
  /// Gives nothing until each input has given a value.
  @inlinable public static var needsEachInput: Self { Self(rawValue: 1 << 9) }
  /// Pairs the inputs' first values, then their second ones, and keeps those that have no counterpart yet.
  @inlinable public static var pairs: Self { Self(rawValue: 1 << 10) }
  /// Passes on the values of several inputs.
  @inlinable public static var merges: Self { Self(rawValue: 1 << 11) }
  /// Takes the newest value of one input when another one gives a value.
  @inlinable public static var samples: Self { Self(rawValue: 1 << 12) }

  // MARK: Time

  /// Gives the newest value once none has come for a while.
  @inlinable public static var waitsForPause: Self { Self(rawValue: 1 << 13) }
  /// Gives nothing until its time comes.
  @inlinable public static var waitsForTime: Self { Self(rawValue: 1 << 14) }
  /// Gives nothing until its trigger gives a value.
  @inlinable public static var waitsForTrigger: Self { Self(rawValue: 1 << 15) }
  /// Gives only the last of the values that come at one moment.
  @inlinable public static var settles: Self { Self(rawValue: 1 << 16) }
  /// Gives a value an interval after it came.
  @inlinable public static var delays: Self { Self(rawValue: 1 << 17) }
  /// Gives only the newest of the values that came while it waited.
  @inlinable public static var keepsNewest: Self { Self(rawValue: 1 << 18) }
  /// Gives values at most once in an interval.
  @inlinable public static var limitsRate: Self { Self(rawValue: 1 << 19) }
  /// Gives what it has collected when its trigger gives a value, and begins anew.
  @inlinable public static var emitsOnTrigger: Self { Self(rawValue: 1 << 20) }
  /// Gives values on a scheduler.
  @inlinable public static var hops: Self { Self(rawValue: 1 << 21) }
  /// Subscribes on a scheduler.
  @inlinable public static var subscribesElsewhere: Self { Self(rawValue: 1 << 22) }
  /// Gives values at even distances.
  @inlinable public static var isPeriodic: Self { Self(rawValue: 1 << 23) }

  // MARK: Ends

  /// Gives nothing until its inputs end.
  @inlinable public static var emitsAtEnd: Self { Self(rawValue: 1 << 24) }
  /// Keeps values until there are enough, or its input ends.
  @inlinable public static var collects: Self { Self(rawValue: 1 << 25) }
  /// Gives one answer when it has seen enough, or its input ends.
  @inlinable public static var decides: Self { Self(rawValue: 1 << 26) }
  /// Ends before its input does.
  @inlinable public static var endsByItself: Self { Self(rawValue: 1 << 27) }
  /// Begins to pass values on, or ends, with the first value of its trigger.
  @inlinable public static var changesOnTrigger: Self { Self(rawValue: 1 << 28) }
  /// Subscribes again after a failure.
  @inlinable public static var repeatsAfterFailure: Self { Self(rawValue: 1 << 29) }
  /// Subscribes again after the regular end.
  @inlinable public static var repeatsAfterEnd: Self { Self(rawValue: 1 << 44) }
  /// Gives something else instead of a failure.
  @inlinable public static var replacesFailure: Self { Self(rawValue: 1 << 30) }
  /// Fails when no value has come for a while, or switches to a fallback.
  @inlinable public static var timesOut: Self { Self(rawValue: 1 << 31) }

  // MARK: Inner signals

  /// Passes on the values of signals that it makes of values, or gets as values.
  @inlinable public static var runsInner: Self { Self(rawValue: 1 << 32) }
  /// Lets inner signals wait for the end of the one before.
  @inlinable public static var queuesInner: Self { Self(rawValue: 1 << 33) }
  /// Leaves out values while an inner signal runs.
  @inlinable public static var ignoresDuringInner: Self { Self(rawValue: 1 << 34) }
  /// Replaces the inner signal by each next one.
  @inlinable public static var replacesInner: Self { Self(rawValue: 1 << 35) }
  /// Gives signals, one for each key of its values.
  @inlinable public static var groups: Self { Self(rawValue: 1 << 45) }
  /// Starts a task for each value.
  @inlinable public static var runsTasks: Self { Self(rawValue: 1 << 36) }

  // MARK: Sources and subscribers

  /// Sends whether or not somebody subscribes.
  @inlinable public static var sendsUnasked: Self { Self(rawValue: 1 << 37) }
  /// Has had a value from the beginning, which each subscriber gets.
  @inlinable public static var holdsValue: Self { Self(rawValue: 1 << 38) }
  /// Begins work of its own for each subscription.
  @inlinable public static var startsWork: Self { Self(rawValue: 1 << 39) }
  /// Has no input until `connect()` is called.
  @inlinable public static var waitsForConnection: Self { Self(rawValue: 1 << 40) }
  /// Holds values back for as long as it is told to.
  @inlinable public static var holdsBack: Self { Self(rawValue: 1 << 41) }
  /// Is a subscription, with which a chain ends.
  @inlinable public static var subscribes: Self { Self(rawValue: 1 << 42) }
}

extension OperatorBehavior: Codable {
  /// The names on the wire, in the order of the bits.
  private static let names = [
    "passesOn", "atMostOne", "filters", "dropsRepeats", "dropsFirst", "keepsState", "runsNoClosure", "cannotFail",
    "combinesLatest", "needsEachInput", "pairs", "merges", "samples", "waitsForPause", "waitsForTime",
    "waitsForTrigger", "settles", "delays", "keepsNewest", "limitsRate", "emitsOnTrigger", "hops",
    "subscribesElsewhere", "isPeriodic", "emitsAtEnd", "collects", "decides", "endsByItself", "changesOnTrigger",
    "repeatsAfterFailure", "replacesFailure", "timesOut", "runsInner", "queuesInner", "ignoresDuringInner",
    "replacesInner", "runsTasks", "sendsUnasked", "holdsValue", "startsWork", "waitsForConnection", "holdsBack",
    "subscribes", "transforms", "repeatsAfterEnd", "groups",
  ]
  private static let bits = Dictionary(uniqueKeysWithValues: zip(names, names.indices))

  /// The names of what is declared, as on the wire.
  public var names: [String] {
    Self.names.indices.compactMap { contains(Self(rawValue: 1 << UInt64($0))) ? Self.names[$0] : nil }
  }

  /// Reads a list of names; those that this version does not know are left out.
  ///
  /// - Parameter decoder: Reads from this.
  /// - Throws: What the decoder throws.
  public init(from decoder: any Decoder) throws {
    let names = try decoder.singleValueContainer().decode([String].self)
    self = names.reduce(into: []) { behavior, name in
      if let bit = Self.bits[name] { behavior.insert(Self(rawValue: 1 << UInt64(bit))) }
    }
  }

  /// Writes the list of names.
  ///
  /// - Parameter encoder: Writes to this.
  /// - Throws: What the encoder throws.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(names)
  }
}
