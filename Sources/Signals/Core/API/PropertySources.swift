/// The properties that a derived one is made of, each once.
@usableFromInline
struct PropertySources: Sendable {
  private var sources: ContiguousArray<any PropertySource>

  init(_ source: any PropertySource) {
    sources = [source]
  }

  /// Those of two derived properties together.
  @usableFromInline
  init(_ first: PropertySources, _ second: PropertySources) {
    sources = first.sources
    let known = Set(sources.map(ObjectIdentifier.init))
    sources += second.sources.filter { !known.contains(ObjectIdentifier($0)) }
  }

  /// How many changes there were in all. As each count only grows, two equal sums mean that nothing has changed in between.
  private var changeCount: UInt64 { sources.reduce(0) { $0 &+ $1.changeCount } }

  /// Reads the sources, again if one of them changes meanwhile: so what was read was there at one moment.
  ///
  /// - Parameter read: Reads each source, and does nothing else.
  func whileUnchanged<Result>(_ read: () -> Result) -> Result {
    var before = changeCount
    while true {
      let result = read()
      let after = changeCount
      if before == after { return result }
      before = after
    }
  }
}

/// A property that can be written, whatever its type.
protocol PropertySource: AnyObject, Sendable {
  /// How often it was written.
  var changeCount: UInt64 { get }
}

extension Property: PropertySource {
  var changeCount: UInt64 { current.number }
}
