import Synchronization
import Testing

@testable import Signals

/// The values that derived properties are made of.
@Suite("Sources of derived properties")
struct PropertySourcesTests {
  /// A source that changes another one when it is read first.
  private final class Meddler: PropertySource {
    private let change: @Sendable () -> Void
    private let wasRead = Atomic(false)

    init(_ change: @escaping @Sendable () -> Void) { self.change = change }

    var changeCount: UInt64 { 0 }
    var input: PropertyInput { PropertyInput() }

    func makeCell() -> PropertyCell {
      if !wasRead.exchange(true, ordering: .relaxed) { change() }
      return PropertyCell(ObjectIdentifier(self))
    }
  }

  @Test func valuesAreReadAgainWhenOneChangesMeanwhile() {
    let number = Property(0)
    let meddler = Meddler { number.value = 1 }
    let sources = PropertySources(PropertySources(number), PropertySources(meddler))
    #expect(sources.row().cell(ObjectIdentifier(number.core), of: Int.self).value == 1)
  }
}
