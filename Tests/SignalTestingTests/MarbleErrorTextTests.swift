import SignalTesting
import Testing

@Suite struct MarbleErrorTextTests {
  private func text(
    _ diagram: String, fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> String {
    let source = MarbleSource(fileID: fileID, filePath: filePath, line: line, column: column)
    do throws(MarbleSyntaxError) {
      _ = try MarbleDiagram(diagram, source: source)
      return "no error"
    } catch { return error.description }
  }

  @Test func showsTheLineOfTheLiteral() {
    let line = #line + 1
    let shown = text("--a--|b-")
    #expect(
      shown == """
        MarbleErrorTextTests.swift:\(line):29: 'b' comes after the end
          \(line) |     let shown = text("--a--|b-")
             |                             ^
          Remove it, or move the end after it: nothing follows | or #.
        """)
  }

  @Test func showsTheLineOfALiteralBelowTheCall() {
    let line = #line + 2
    let shown = text(
      "a漢1ms-"
    )
    #expect(
      shown == """
        MarbleErrorTextTests.swift:\(line):10: '1ms' touches its neighbours: it could be a duration or 3 values
          \(line) |       "a漢1ms-"
             |           ^~~
          Put spaces around '1ms' for a duration, or write '1 ms' for values.
        """)
  }

  @Test func showsTheLineInsideAMultiLineLiteral() {
    let line = #line + 4
    let shown = text(
      """
      --a--
        --👩‍👧()--
      """)
    #expect(
      shown == """
        MarbleErrorTextTests.swift:\(line):12: an empty group
          \(line) |         --👩‍👧()--
             |             ^~
          Write events into it, or - for a frame.
        """)
  }

  @Test func showsTheDiagramWithoutASource() {
    let error = #expect(throws: MarbleSyntaxError.self) { try MarbleDiagram("漢|漢") }
    #expect(
      error?.description == """
        '漢' comes after the end
          漢|漢
             ^~
          Remove it, or move the end after it: nothing follows | or #.
        """)
  }

  @Test func showsTheDiagramWhereTheFileIsGone() {
    let source = MarbleSource(fileID: "Module/Gone.swift", filePath: "/nowhere/Gone.swift", line: 7, column: 3)
    let error = #expect(throws: MarbleSyntaxError.self) { try MarbleDiagram("-()", source: source) }
    #expect(
      error?.description == """
        Gone.swift:7: an empty group
          -()
           ^~
          Write events into it, or - for a frame.
        """)
  }

  @Test func valueKeys() throws {
    let parsed = try ParsedMarbleDiagram(MarbleText("-a-b-#x"), role: .expectation)
    let unknown = #expect(throws: MarbleSyntaxError.self) { try MarbleValues(["a": 1]).expectation(parsed) }
    #expect(unknown?.message == "no value for 'b'")
    #expect(unknown?.place == 3..<4)
    let error = #expect(throws: MarbleSyntaxError.self) { try MarbleValues(["a": 1, "b": 2]).expectation(parsed) }
    #expect(error?.message == "no error for '#x'")
    #expect(error?.place == 5..<7)
    let unused = #expect(throws: MarbleSyntaxError.self) {
      try MarbleValues(["a": 1, "b": 2, "c": 3], errors: ["": MarbleFailure()]).checkAllKeysAreUsed(in: [parsed])
    }
    #expect(unused?.message == "the diagram never uses '#', 'c'")
    let numbers = try ParsedMarbleDiagram(MarbleText("-1-'42'-x"), role: .cold)
    let literal = #expect(throws: MarbleSyntaxError.self) { try MarbleValues<Int>.literal().schedule(numbers) }
    #expect(literal?.message == "no value for 'x'")
  }
}
