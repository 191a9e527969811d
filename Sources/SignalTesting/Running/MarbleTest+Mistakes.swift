public import Signals

// Compiler messages for diagrams whose values cannot be determined.
extension MarbleTest {
  /// Not available: its message names the missing part if the values of a signal are no strings or numbers.
  @available(
    *, unavailable,
    message: "The keys of a diagram cannot be these values: pass a map with values: [\"a\": ...], or use matching:."
  )
  public func expect<Value: Sendable>(
    _ signal: Signal<Value>, _ diagram: String, error: (any Error)? = nil, errors: [String: any Error] = [:],
    subscription: String? = nil, tolerance: Duration = .zero
  ) {}

  /// Not available: its message names the missing part if values cannot be compared.
  @available(
    *, unavailable,
    message: "These values are not Equatable: pass an equality predicate with by: { ... }, or use matching:."
  )
  public func expect<Value: Sendable>(
    _ signal: Signal<Value>, _ diagram: String, values: [String: Value], error: (any Error)? = nil,
    errors: [String: any Error] = [:], subscription: String? = nil, tolerance: Duration = .zero
  ) {}

  /// Not available: its message names the missing part if the elements of a sequence are no strings or numbers.
  @available(
    *, unavailable,
    message:
      "The keys of a diagram cannot be these elements: pass a map with values: [\"a\": ...], or use m.elements(of:)."
  )
  public func expect<Elements: AsyncSequence>(
    _ elements: sending Elements, _ diagram: String, error: (any Error)? = nil, errors: [String: any Error] = [:]
  ) {}

  /// Not available: its message names the missing part if the values of a property are no strings or numbers.
  @available(
    *, unavailable,
    message: "The keys of a diagram cannot be these values: pass a map with values: [\"a\": ...]."
  )
  public func expect<Watched: ReadableProperty>(
    _ property: Watched, _ diagram: String, subscription: String? = nil, tolerance: Duration = .zero
  ) {}
}
