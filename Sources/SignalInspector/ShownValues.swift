/// The rule for which values of the program an inspector shows.
///
/// None by default: values may be passwords, messages, names. If enabled, every client that may inspect the program
/// (see ``SignalInspector``) can read the last value of each node as text, and so can readers of a stored snapshot or
/// drawing. Values are described only while a client requests handler profiling, as `signal-viz why` and
/// `signal-viz check` do, and at most 80 characters of each are stored.
///
/// The rule is applied to errors too. Of a hidden error, the type is shown, and of an enumeration the case, without
/// associated values. Descriptions of errors are in each snapshot, even without a client.
///
/// Describing a large value may take longer than everything that the program does with it. So the rate is limited:
/// after the first milliseconds it takes at most one hundredth of a core for one node group, and one twentieth for all
/// of them. The shown value is then the last one, if values are small; if large ones come often it may be an earlier
/// one, and is flagged: `(earlier)`. The time is not counted as that of a handler. No value is retained for it:
/// lifetimes are the same as without an inspector.
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
  /// Describes a value; nil if none are shown.
  let describe: (@Sendable (any Sendable) -> String?)?

  /// Shows no values.
  public static let none = ShownValues(describe: nil)

  /// Shows each value, by `String(describing:)`.
  public static let all = ShownValues { String(describing: $0) }

  /// Shows the closure's description of a value, unless the closure hides a part of the value.
  ///
  /// The closure is called with the value and with its parts: components of tuples, stored properties of structures,
  /// payloads of enumerations, elements of collections, and their parts. If it returns `nil` for one of them, nothing
  /// of the whole is shown: so a `combineLatest` of a name and a password is hidden if passwords are. The content of an
  /// object is not inspected: the closure is called with the object. A value of more than 1,000 parts, or of more than
  /// 32 levels, is not shown.
  ///
  /// - Parameter describe: Describes a value, or returns `nil` to hide it. It is called on the thread of the value,
  ///   during its delivery: so it should be fast. If it is slow, it is not called for each value.
  /// - Returns: The rule.
  ///
  /// See also ``only(_:)``, for a closure that knows the values that may be shown, instead of those that may not.
  public static func redacted(_ describe: @escaping @Sendable (any Sendable) -> String?) -> ShownValues {
    ShownValues { value in
      guard let words = describe(value) else { return nil }
      var parts = ValueParts(isHidden: { describe($0) == nil })
      return parts.hideNothing(of: value) ? words : nil
    }
  }

  /// Shows the closure's description of a value; hides values for which it returns `nil`.
  ///
  /// It is called with the whole value only: so it lists what may be shown.
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
  /// - Parameter describe: Describes a value, or returns `nil` to hide it. It is called like the closure of
  ///   ``redacted(_:)``.
  /// - Returns: The rule.
  public static func only(_ describe: @escaping @Sendable (any Sendable) -> String?) -> ShownValues {
    ShownValues(describe: describe)
  }
}
