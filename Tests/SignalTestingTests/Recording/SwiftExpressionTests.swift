import Foundation
import Signals
import Testing

@testable import SignalTesting

private enum Size: Sendable { case small, large }
private enum Colour: String, CustomStringConvertible, Equatable {
  case red
  var description: String { "the colour red" }
}
private enum Shape: Equatable {
  case circle(radius: Double)
  case line(Int, to: Int)
  case named(String)
}
private struct Point: Equatable, Sendable { var x: Int, y: Int }
private struct Route: Equatable { var points: [Point], name: String?, ends: [String: Point] }
private struct Wrapped<Value> { var value: Value }
private final class Socket: Equatable, Sendable, CustomStringConvertible {
  static func == (left: Socket, right: Socket) -> Bool { left === right }
  var description: String { "Socket 7" }
}

/// Values as Swift, for diagrams that are pasted into a test.
@Suite struct SwiftExpressionTests {
  struct Inner: Equatable { var number: Int }

  @Test func literals() {
    #expect(SwiftExpression.of(-3) == "-3")
    #expect(SwiftExpression.of(UInt8(200)) == "200")
    #expect(SwiftExpression.of(1.5) == "1.5")
    #expect(SwiftExpression.of(Float(0.1)) == "0.1")
    #expect(SwiftExpression.of(-Double.infinity) == "-.infinity")
    #expect(SwiftExpression.of(true) == "true")
    #expect(SwiftExpression.of("say \"hi\"\n") == #""say \"hi\"\n""#)
    #expect(SwiftExpression.of(Int?.none as Any) == "nil")
    #expect(SwiftExpression.of(["a": [1, 2]]) == #"["a": [1, 2]]"#)
    #expect(SwiftExpression.of((number: 1, text: "a")) == #"(number: 1, text: "a")"#)
    #expect(SwiftExpression.of(Set([3, 1, 2])) == "[1, 2, 3]")
  }

  @Test func knownTypes() throws {
    #expect(SwiftExpression.of(Duration.milliseconds(1_500)) == ".milliseconds(1500)")
    #expect(SwiftExpression.of(Duration.seconds(2)) == ".seconds(2)")
    let url = try #require(URL(string: "https://swift.org"))
    #expect(SwiftExpression.of(url) == #"URL(string: "https://swift.org")!"#)
    let date = Date(timeIntervalSinceReferenceDate: 60)
    #expect(SwiftExpression.of(date) == "Date(timeIntervalSinceReferenceDate: 60.0)")
  }

  @Test func enumsAndStructs() {
    #expect(SwiftExpression.of(Size.small) == ".small")
    #expect(SwiftExpression.of(Colour.red) == #".init(rawValue: "red")!"#)
    #expect(SwiftExpression.of(Shape.circle(radius: 2)) == ".circle(radius: 2.0)")
    #expect(SwiftExpression.of(Shape.line(1, to: 2)) == ".line(1, to: 2)")
    #expect(SwiftExpression.of(Shape.named("a")) == #".named("a")"#)
    let route = Route(points: [Point(x: 1, y: 2)], name: nil, ends: ["end": Point(x: 3, y: 4)])
    #expect(
      SwiftExpression.of(route) == #"Route(points: [Point(x: 1, y: 2)], name: nil, ends: ["end": Point(x: 3, y: 4)])"#)
    #expect(SwiftExpression.of(Inner(number: 1)) == "SwiftExpressionTests.Inner(number: 1)")
    struct Local { var number: Int }
    #expect(SwiftExpression.of(Local(number: 1)) == "Local(number: 1)")
    #expect(SwiftExpression.of(Wrapped(value: 1)) == "Wrapped<Int>(value: 1)")
  }

  @Test func whatHasNoLiteralIsAPlaceholder() {
    #expect(SwiftExpression.of(Socket()) == nil)
    #expect(SwiftExpression.of([Socket()]) == nil)
    #expect(SwiftExpression.of({ 1 } as () -> Int) == nil)
    #expect(SwiftExpression.orPlaceholder(Socket()) == "<#write a value equal to Socket 7#>")
    #expect(SwiftExpression.orPlaceholder(Array(0..<1_000), limit: 50).hasPrefix("<#write a value equal to [0, 1"))
  }

  @Test func aRecordedDiagramSaysWhatToWrite() {
    let (one, other) = (Socket(), Socket())
    let message = failure(offset: 3) {
      marbles { m in
        let source = m.hot("-a-b-a-|", values: ["a": one, "b": other])
        m.expect(source.signal, "", values: [:])
      }
    }
    #expect(
      message == """
        An expectation without a diagram.

          received: "-a-b-a-|"
          with values: [
            "a": <#write a value equal to Socket 7#>,
            "b": <#write a value equal to Socket 7#>,
          ]
          A value in <# #> has no literal, or a long one: replace it with an expression for such a value.
        """)
  }

  @Test func aRecordedDiagramCompiles() {
    let message = failure(offset: 3) {
      marbles { m in
        let source = m.hot("-a-b-|", values: ["a": Point(x: 1, y: 2), "b": Point(x: 3, y: 4)])
        m.expect(source.signal, "", values: [:])
      }
    }
    #expect(message.contains("    \"a\": Point(x: 1, y: 2),\n    \"b\": Point(x: 3, y: 4),\n  ]"), "\(message)")
    // What it says, pasted.
    marbles { m in
      let source = m.hot("-a-b-|", values: ["a": Point(x: 1, y: 2), "b": Point(x: 3, y: 4)])
      m.expect(source.signal, "-a-b-|", values: ["a": Point(x: 1, y: 2), "b": Point(x: 3, y: 4)])
    }
  }

  @Test func soDoesWhatADifferenceReceived() {
    let message = failure(offset: 3) {
      marbles { m in
        let source = m.hot("-a-b-|", values: ["a": Socket(), "b": Socket()])
        m.expect(source.signal.prefix(1), "-(x|)", values: ["x": Socket()])
      }
    }
    #expect(message.contains(#"received: "-(a|)", values: ["a": <#write a value equal to Socket 7#>]"#), "\(message)")
    #expect(message.contains("A value in <# #> has no literal"), "\(message)")
  }
}
