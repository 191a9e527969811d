/// Which values of the program an inspector shows.
///
/// None, unless the program says so: values may be passwords, messages, names. Whoever may look at the program (see ``SignalInspector``) then reads the
/// last value of each node as text, and so does who gets a snapshot or a picture that they keep. Values are put into words only while somebody asks what
/// handlers do, as `signal-viz why` and `signal-viz check` do, and at most 80 characters of each are kept.
///
/// The rule is asked about errors too. Of one that it does not show, the type is shown, and of an enumeration the case, without what that carries. The texts of errors
/// stand in each snapshot, also while nobody asks.
///
/// To put a large value into words may take longer than all that the program does with it. So it is done at a bounded pace: after the
/// first milliseconds it takes at most one hundredth of a core for one place in a chain, and one twentieth for all of them. The value that is shown is then
/// the last one, if values are short; where large ones come often it may be an earlier one, and says so: `(earlier)`. The time is not counted as that of a
/// handler. No value is kept for it: each is freed when it would be without an inspector.
///
/// ```swift
/// import SignalInspector
///
/// struct Password {}
///
/// try await SignalInspector.start(
///   values: .redacted { value in
///     value is Password ? nil : String(describing: value)
///   })
/// ```
public struct ShownValues: Sendable {
  /// Puts a value into words; nil where none are shown.
  let describe: (@Sendable (any Sendable) -> String?)?

  /// No value is shown.
  public static let none = ShownValues(describe: nil)

  /// Each value is shown, as `String(describing:)` has it.
  public static let all = ShownValues { String(describing: $0) }

  /// What a closure makes of a value is shown, unless it hides a part of the value.
  ///
  /// The closure is asked about the value and about what the value is made of: components of tuples, stored properties of structures, payloads of enumerations,
  /// elements of collections, and what these are made of. If it answers one of them with `nil`, nothing of the whole is shown: so what `combineLatest` makes
  /// of a name and a password is hidden where passwords are. What an object holds is not looked at: the closure is asked about the object. Nothing is shown
  /// of a value of more than 1,000 parts, or of more than 32 levels.
  ///
  /// - Parameter describe: Puts a value into words, or returns `nil` for one that is not to be shown. It is called on the thread on which the value comes, while
  ///   the value is on its way: so it should be short. It is not called for each value where it takes long.
  /// - Returns: The rule.
  ///
  /// See also ``only(_:)``, for a closure that knows what may be shown, and not what may not.
  public static func redacted(_ describe: @escaping @Sendable (any Sendable) -> String?) -> ShownValues {
    ShownValues { value in
      guard let words = describe(value) else { return nil }
      var parts = ValueParts(isHidden: { describe($0) == nil })
      return parts.hideNothing(of: value) ? words : nil
    }
  }

  /// What a closure makes of a value is shown, and nothing of those for which it has no words.
  ///
  /// It is asked about the whole value alone: so it names what may be shown.
  ///
  /// ```swift
  /// import SignalInspector
  ///
  /// struct Price { var cents: Int }
  ///
  /// try await SignalInspector.start(
  ///   values: .only { value in
  ///     (value as? Price).map { "\($0.cents) ct" }
  ///   })
  /// ```
  ///
  /// - Parameter describe: Puts a value into words, or returns `nil` for one that is not to be shown. It is called as the closure of ``redacted(_:)`` is.
  /// - Returns: The rule.
  public static func only(_ describe: @escaping @Sendable (any Sendable) -> String?) -> ShownValues {
    ShownValues(describe: describe)
  }
}
