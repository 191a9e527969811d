/// The comparisons of a value on arrival, before it could change: an object may equal another one at the end of the
/// test.
struct ArrivalNote: Sendable {
  /// The positions of the expectation that it was compared with.
  var compared: [Range<Int>] = []
  /// The positions that it was equal to.
  var fits: [Int] = []
  /// Its description on arrival; nil if it was the value expected at its number, if no particular value was expected
  /// there, or
  /// after many others.
  var looks: Looks?

  /// The description of a value for messages.
  struct Looks: Sendable {
    var name: MarbleValue
    var isWritable: Bool
    var definition: String
    var short: String
    var whole: String
    var plain: String
  }

  /// Whether it was equal to the expected value at a position; nil if the two were not compared.
  func isFit(_ position: Int) -> Bool? { compared.contains { $0.contains(position) } ? fits.contains(position) : nil }
}

/// A value of an expectation, or a received one with its comparisons on arrival.
enum Arrival<Value>: CustomStringConvertible {
  case expected(Value, position: Int)
  case received(Value, ArrivalNote)

  var value: Value {
    switch self {
    case .expected(let value, _), .received(let value, _): value
    }
  }

  /// Its description on arrival, if that matters.
  var looks: ArrivalNote.Looks? { if case .received(_, let note) = self { note.looks } else { nil } }

  var description: String { looks?.plain ?? "\(value)" }
}

/// Compares values with an expectation as they arrive, and stores the matches.
final class ArrivalBook<Value> {
  /// The maximum number of unexpected values that are compared with the whole expectation, and described. Later ones
  /// make no message clearer.
  private static var largestCount: Int { 200 }

  private let areEqual: (Value, Value) -> Bool
  /// Whether a value may be compared with the expectation at other positions. A predicate may apply only to the value
  /// at its own position.
  private let comparesEverywhere: Bool
  private let words: ValueWords<Value>
  private let baseName: (Value) -> MarbleValue
  /// The expected values at the positions of their events; nil if no particular value is expected.
  private var expected: [(notation: MarbleValue, value: Value)?] = []
  /// The unordered group of each position.
  private var groups: [Range<Int>] = []
  /// The positions of each expectation.
  private var expectations: [Range<Int>] = []
  private var misfitCount = 0

  init(
    _ values: MarbleValues<Value>, dialect: MarbleDialect, comparesEverywhere: Bool = true,
    by areEqual: @escaping (Value, Value) -> Bool
  ) {
    self.areEqual = areEqual
    self.comparesEverywhere = comparesEverywhere
    words = values.words(dialect: dialect, by: areEqual)
    baseName = values.names(by: areEqual)
  }

  /// Adds an expectation.
  ///
  /// - Returns: The same with the positions of its values.
  func add(_ moments: [ExpectedMoment<Value>]) -> [ExpectedMoment<Arrival<Value>>] {
    let start = expected.count
    defer { expectations.append(start..<expected.count) }
    return moments.map { moment in
      let first = expected.count
      let events = zip(moment.moment.events, moment.events).map { notation, event -> ExpectedEvent<Arrival<Value>> in
        let position = expected.count
        switch event {
        case .value(let value):
          let name: MarbleValue = if case .value(let name) = notation { name } else { .text("\(value)") }
          expected.append((name, value))
          return .value(.expected(value, position: position))
        case .anyValue:
          expected.append(nil)
          return .anyValue
        case .failed(let error):
          expected.append(nil)
          return .failed(error)
        case .finished:
          expected.append(nil)
          return .finished
        }
      }
      let group = first..<expected.count
      for position in group { groups.append(moment.moment.order == .any ? group : position..<position + 1) }
      return ExpectedMoment(moment: moment.moment, events: events)
    }
  }

  /// Notes a value that has arrived.
  ///
  /// - Parameters:
  ///   - index: Its number among the events.
  ///   - isOfAny: Whether its expectation, of several, is not known.
  func note(_ value: Value, at index: Int, isOfAny: Bool = false) -> ArrivalNote {
    func fits(_ ranges: [Range<Int>]) -> [Int] {
      ranges.joined().filter { position in expected[position].map { areEqual($0.value, value) } ?? false }
    }
    var note = ArrivalNote()
    note.compared =
      isOfAny
      ? expectations.filter { index < $0.count }.map { groups[$0.lowerBound + index] }
      : groups.indices.contains(index) ? [groups[index]] : []
    note.fits = fits(note.compared)
    if !isOfAny, !note.fits.isEmpty || note.compared.joined().contains(where: { expected[$0] == nil }) { return note }
    misfitCount += 1
    guard misfitCount <= Self.largestCount else { return note }
    if comparesEverywhere {
      note.compared = [expected.indices]
      note.fits = fits(note.compared)
    }
    note.looks = looks(of: value)
    return note
  }

  private func looks(of value: Value) -> ArrivalNote.Looks {
    let name = baseName(value)
    return ArrivalNote.Looks(
      name: name, isWritable: words.isWritable(value, name), definition: words.definition(value),
      short: ShownValue.short(value), whole: ShownValue.whole(value), plain: "\(value)")
  }

  // MARK: Comparing

  func isEqual(_ left: Arrival<Value>, _ right: Arrival<Value>) -> Bool {
    switch (left, right) {
    case (.expected(let expected, let position), .received(let value, let note)),
      (.received(let value, let note), .expected(let expected, let position)):
      note.isFit(position) ?? areEqual(expected, value)
    default: areEqual(left.value, right.value)
    }
  }

  func name(_ arrival: Arrival<Value>) -> MarbleValue {
    switch arrival {
    case .expected(let value, _): baseName(value)
    case .received(let value, let note): note.looks?.name ?? fitting(note)?.notation ?? baseName(value)
    }
  }

  private func fitting(_ note: ArrivalNote) -> (notation: MarbleValue, value: Value)? {
    note.fits.first.flatMap { expected[$0] }
  }

  /// Formats values for comparisons.
  var arrivalWords: ValueWords<Arrival<Value>> {
    let words = words
    return ValueWords(
      keys: words.keys, errors: words.errors,
      isWritable: { [self] arrival, name in
        guard case .received(let value, let note) = arrival else { return words.isWritable(arrival.value, name) }
        return note.looks?.isWritable ?? (fitting(note) != nil || words.isWritable(value, name))
      },
      meaning: { arrival, key in
        guard let meaning = words.meaning(arrival.value, key) else { return nil }
        guard let short = arrival.looks?.short else { return meaning }
        return short == key ? nil : short
      },
      definition: { $0.looks?.definition ?? words.definition($0.value) }, argument: words.argument,
      difference: { [areEqual] expected, arrival in
        let advice = "Values are compared when they arrive: send a copy, or map to an immutable value."
        guard let looks = arrival.looks else { return words.difference(expected.value, arrival.value) }
        if looks.whole != ShownValue.whole(arrival.value) {
          return ["It arrived as \(looks.short) and is \(ShownValue.short(arrival.value)) now. \(advice)"]
        }
        guard !areEqual(expected.value, arrival.value) else {
          return ["It differed when it arrived, and is equal now. \(advice)"]
        }
        return words.difference(expected.value, arrival.value)
      }, dialect: words.dialect, areStandIns: words.areStandIns)
  }
}
