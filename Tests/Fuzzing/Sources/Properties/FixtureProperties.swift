import SignalTesting

@testable import SignalMarbles

/// What is read as a file of fixtures is written so that it reads as the same cases.
public func checkFixtures(_ bytes: UnsafeBufferPointer<UInt8>) {
  let text = String(decoding: bytes, as: UTF8.self)
  let fixtures: [MarbleFixture]
  do { fixtures = try FixtureParser.parse(text, filePath: "fuzz.marbles") } catch {
    require(!"\(error)".isEmpty, "A mistake without a word.")
    return
  }
  let printed = FixturePrinter().print(fixtures)
  do {
    let again = try FixtureParser.parse(printed, filePath: "fuzz.marbles")
    require(again.map(withoutPlaces) == fixtures.map(withoutPlaces), "\(text)\nwas written as\n\(printed)")
  } catch {
    stop("\(text)\nwas written as\n\(printed)\nwhich does not read: \(error)")
  }
}

private func withoutPlaces(_ fixture: MarbleFixture) -> MarbleFixture {
  var fixture = fixture
  fixture.source = nil
  for index in fixture.sources.indices { fixture.sources[index].diagram = withoutPlace(fixture.sources[index].diagram) }
  for index in fixture.observers.indices {
    fixture.observers[index].subscription = fixture.observers[index].subscription.map(withoutPlace)
    fixture.observers[index].expected = withoutPlace(fixture.observers[index].expected)
  }
  fixture.windows = fixture.windows.mapValues(withoutPlace)
  fixture.subscriptions = fixture.subscriptions.mapValues { $0.map(withoutPlace) }
  if var law = fixture.law {
    law.expected = law.expected.map(withoutPlace)
    law.subscriptions = law.subscriptions.mapValues { $0.map(withoutPlace) }
    fixture.law = law
  }
  return fixture
}

private func withoutPlace(_ text: MarbleText) -> MarbleText { MarbleText(text.string) }
