import Observation
import SignalTesting
import Signals
import Testing

@Suite struct ExpectationFailures {
  @Test func errorOfAnotherType() {
    marbles { m in
      let source = m.cold("-a-#", error: Broken(code: 1))
      m.expect(
        source.signal, "-a-#",  // must fail with carets: expected # (any Refused), got #other (Broken(code: 1))
        error: ErrorPattern.ofType(Refused.self))
    }
  }

  @Test func errorThatDoesNotFit() {
    marbles { m in
      let source = m.cold("-a-#", error: Broken(code: 1))
      m.expect(
        source.signal, "-a-#",  // must fail with carets: expected # (any Broken where its code is 2)
        error: ErrorPattern.of(Broken.self, where: "its code is 2") { $0.code == 2 })
    }
  }

  @Test func valueThatDoesNotFit() {
    marbles { m in
      let source = m.hot("-a-b-|")
      m.expect(
        source.signal, "-x-x-|",  // must fail with carets: frame 3: expected x, got
        matching: ["x": { $0 < "b" }])
    }
  }

  @Test func timeOutsideTheTolerance() {
    marbles { m in
      let source = m.hot("-a----b|")
      m.expect(
        source.signal, "-a--b|",  // must fail with carets: b at frame 6 instead of frame 4
        tolerance: .milliseconds(1))
    }
  }

  @Test func somethingHappens() {
    marbles { m in
      let source = m.hot("-a-b-|")
      m.expectNoEvents(of: source.signal)  // must fail: expected nothing, but 3 events arrived
    }
  }

  @Test func propertyThatDiffers() {
    marbles { m in
      let count = Property(0)
      m.at(.milliseconds(2)) { count.value = 1 }
      m.expect(count, "{0}--2")  // must fail with carets: frame 2: expected 2, got 1
    }
  }

  @Test func observableObjectThatDiffers() {
    marbles { m in
      let counter = Counter()
      m.at(.milliseconds(2)) { counter.count = 1 }
      m.expect(counter, \.count, "{0}-1")  // must fail with carets: 1 at frame 2 instead of frame 1
    }
  }

  @Test func momentThatThrows() {
    marbles { m in
      m.expect(Signal<Int>.never(), "-")
      m.at(.milliseconds(304)) { throw Refused() }  // must fail: The closure at 304 ms threw Refused()
    }
  }

  @Test func taskWithItsTimeThatThrows() {
    marbles { m in
      m.expect(Signal<Int>.never(), "-")
      m.task { m in  // must fail: The task threw Refused()
        try await m.sleep(for: .milliseconds(3))
        throw Refused()
      }
    }
  }

  @Test func sequenceThatDiffers() {
    marbles { m in
      let (numbers, continuation) = AsyncStream.makeStream(of: Int.self)
      m.at(.milliseconds(2)) { continuation.yield(1) }
      m.at(.milliseconds(3)) { continuation.finish() }
      m.expect(m.elements(of: numbers), "--2|")  // must fail with carets: frame 2: expected 2, got 1
    }
  }

  @Test func subscriptionsThatAreStillToBeWritten() {
    marbles { m in
      let source = m.cold("-a-#")
      m.expect(source.signal.retry(1), "-a--a-#")
      m.expectSubscriptions(of: source, "")  // must fail: received: "^--!", "---^--!"
    }
  }

  @Test func valuesWithoutLiteral() {
    marbles { m in
      let source = m.hot("-a-b-|", values: ["a": Socket(port: 7), "b": Socket(port: 8)])
      m.expect(source.signal, "", values: [:])  // must fail: "a": <#write a value equal to Socket 7#>,
    }
  }

  @Test func diagramThatIsStillToBeWritten() {
    marbles { m in
      let source = m.hot("-a-b-|")
      m.expect(source.signal, "")  // must fail: received: "-a-b-|"
    }
  }
}

private struct Broken: Error, Equatable {
  var code: Int
}

private struct Refused: Error {}

private final class Socket: Sendable, Equatable, CustomStringConvertible {
  let port: Int

  init(port: Int) { self.port = port }

  var description: String { "Socket \(port)" }

  static func == (left: Socket, right: Socket) -> Bool { left === right }
}

@Observable private final class Counter {
  var count = 0
}
