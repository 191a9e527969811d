/// The behaviour of an operator or a source, as far as findings, explanations and drawings need it.
///
/// It is declared with the operator, next to its ``Definition``'s kind, and used instead of the kind's text: a custom
/// operator that declares to combine or to wait is treated like the library's, and one that merely shares a name is
/// not.
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
/// On the wire it is a list of the names below. Unknown names are skipped when read; in a snapshot without the list the
/// behaviour is unknown.
public struct OperatorBehavior: OptionSet, Hashable, Sendable {
  /// One bit for each behaviour.
  public let rawValue: UInt64

  /// Creates it from bits.
  ///
  /// - Parameter rawValue: One bit for each behaviour. Bits have no fixed meaning between versions.
  @inlinable
  public init(rawValue: UInt64) { self.rawValue = rawValue }

  // MARK: Values

  /// Passes values on at once, on their thread. It may drop some, and transform others.
  @inlinable public static var passesOn: Self { Self(rawValue: 1 << 0) }
  /// Delivers at most one value for each input value, when that comes.
  @inlinable public static var atMostOne: Self { Self(rawValue: 1 << 1) }
  /// Lets a closure decide which values pass.
  @inlinable public static var filters: Self { Self(rawValue: 1 << 2) }
  /// Drops values that are equal to the one before.
  @inlinable public static var dropsRepeats: Self { Self(rawValue: 1 << 3) }
  /// Drops values at the beginning.
  @inlinable public static var dropsFirst: Self { Self(rawValue: 1 << 4) }
  /// Has a state that each value changes, so that the order of values matters.
  @inlinable public static var keepsState: Self { Self(rawValue: 1 << 5) }
  /// Runs no closure of the program, prints nothing, shares nothing, does not fail by itself and subscribes to all its
  /// inputs at once: without a subscriber's closure it has no effect.
  @inlinable public static var runsNoClosure: Self { Self(rawValue: 1 << 6) }
  /// Cannot fail by itself: a failure of it is that of a closure below it.
  @inlinable public static var cannotFail: Self { Self(rawValue: 1 << 7) }

  /// Delivers other values than it gets.
  @inlinable public static var transforms: Self { Self(rawValue: 1 << 43) }

  // MARK: Inputs

  /// Delivers a combination of the newest values of all inputs whenever one of them delivers a value.
  @inlinable public static var combinesLatest: Self { Self(rawValue: 1 << 8) }
  /// Delivers nothing until each input has delivered a value.
  @inlinable public static var needsEachInput: Self { Self(rawValue: 1 << 9) }
  /// Pairs the inputs' first values, then their second ones, and stores those without a counterpart.
  @inlinable public static var pairs: Self { Self(rawValue: 1 << 10) }
  /// Passes on the values of several inputs.
  @inlinable public static var merges: Self { Self(rawValue: 1 << 11) }
  /// Takes the newest value of one input when another one delivers a value.
  @inlinable public static var samples: Self { Self(rawValue: 1 << 12) }

  // MARK: Time

  /// Delivers the newest value once none has come for a time.
  @inlinable public static var waitsForPause: Self { Self(rawValue: 1 << 13) }
  /// Delivers nothing until a given time.
  @inlinable public static var waitsForTime: Self { Self(rawValue: 1 << 14) }
  /// Delivers nothing until its trigger delivers a value.
  @inlinable public static var waitsForTrigger: Self { Self(rawValue: 1 << 15) }
  /// Delivers only the last of the values of one instant.
  @inlinable public static var settles: Self { Self(rawValue: 1 << 16) }
  /// Delivers a value an interval after its arrival.
  @inlinable public static var delays: Self { Self(rawValue: 1 << 17) }
  /// Delivers only the newest of the values that came while it waited.
  @inlinable public static var keepsNewest: Self { Self(rawValue: 1 << 18) }
  /// Delivers at most one value per interval.
  @inlinable public static var limitsRate: Self { Self(rawValue: 1 << 19) }
  /// Delivers its collected values when its trigger delivers a value, and starts again.
  @inlinable public static var emitsOnTrigger: Self { Self(rawValue: 1 << 20) }
  /// Delivers values on a scheduler.
  @inlinable public static var hops: Self { Self(rawValue: 1 << 21) }
  /// Subscribes on a scheduler.
  @inlinable public static var subscribesElsewhere: Self { Self(rawValue: 1 << 22) }
  /// Delivers values at regular intervals.
  @inlinable public static var isPeriodic: Self { Self(rawValue: 1 << 23) }

  // MARK: Ends

  /// Delivers nothing until its inputs end.
  @inlinable public static var emitsAtEnd: Self { Self(rawValue: 1 << 24) }
  /// Stores values until there are enough, or its input ends.
  @inlinable public static var collects: Self { Self(rawValue: 1 << 25) }
  /// Delivers one result when it has seen enough, or its input ends.
  @inlinable public static var decides: Self { Self(rawValue: 1 << 26) }
  /// Ends before its input does.
  @inlinable public static var endsByItself: Self { Self(rawValue: 1 << 27) }
  /// Begins to pass values on, or ends, with the first value of its trigger.
  @inlinable public static var changesOnTrigger: Self { Self(rawValue: 1 << 28) }
  /// Subscribes again after a failure.
  @inlinable public static var repeatsAfterFailure: Self { Self(rawValue: 1 << 29) }
  /// Subscribes again after the regular end.
  @inlinable public static var repeatsAfterEnd: Self { Self(rawValue: 1 << 44) }
  /// Delivers a replacement instead of a failure.
  @inlinable public static var replacesFailure: Self { Self(rawValue: 1 << 30) }
  /// Fails when no value has come for a time, or switches to a fallback.
  @inlinable public static var timesOut: Self { Self(rawValue: 1 << 31) }

  // MARK: Inner signals

  /// Passes on the values of signals that it creates from values, or gets as values.
  @inlinable public static var runsInner: Self { Self(rawValue: 1 << 32) }
  /// Queues inner signals until the end of the previous one.
  @inlinable public static var queuesInner: Self { Self(rawValue: 1 << 33) }
  /// Drops values while an inner signal runs.
  @inlinable public static var ignoresDuringInner: Self { Self(rawValue: 1 << 34) }
  /// Replaces the inner signal by each next one.
  @inlinable public static var replacesInner: Self { Self(rawValue: 1 << 35) }
  /// Delivers signals, one for each key of its values.
  @inlinable public static var groups: Self { Self(rawValue: 1 << 45) }
  /// Starts a task for each value, or as a source for each subscription.
  @inlinable public static var runsTasks: Self { Self(rawValue: 1 << 36) }

  // MARK: Sources and subscribers

  /// Sends with or without a subscriber.
  @inlinable public static var sendsUnasked: Self { Self(rawValue: 1 << 37) }
  /// Has a value from the beginning, which each subscriber gets.
  @inlinable public static var holdsValue: Self { Self(rawValue: 1 << 38) }
  /// Begins separate work for each subscription.
  @inlinable public static var startsWork: Self { Self(rawValue: 1 << 39) }
  /// Has no input until `connect()` is called.
  @inlinable public static var waitsForConnection: Self { Self(rawValue: 1 << 40) }
  /// Holds values back while a signal requires it.
  @inlinable public static var holdsBack: Self { Self(rawValue: 1 << 41) }
  /// Is a subscription, with which a chain ends.
  @inlinable public static var subscribes: Self { Self(rawValue: 1 << 42) }
}

extension OperatorBehavior: Codable {
  /// The names on the wire. The position in the list is the bit: append only.
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

  /// The names of the declared behaviours, as on the wire.
  public var names: [String] {
    Self.names.indices.compactMap { contains(Self(rawValue: 1 << UInt64($0))) ? Self.names[$0] : nil }
  }

  /// Decodes a list of names; unknown ones are skipped.
  ///
  /// - Parameter decoder: The decoder to read from.
  /// - Throws: Rethrows the errors of the decoder.
  public init(from decoder: any Decoder) throws {
    let names = try decoder.singleValueContainer().decode([String].self)
    self = names.reduce(into: []) { behavior, name in
      if let bit = Self.bits[name] { behavior.insert(Self(rawValue: 1 << UInt64(bit))) }
    }
  }

  /// Encodes the list of names.
  ///
  /// - Parameter encoder: The encoder to write to.
  /// - Throws: Rethrows the errors of the encoder.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(names)
  }
}
