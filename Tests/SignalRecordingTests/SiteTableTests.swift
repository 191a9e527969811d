import Testing

@testable import SignalRecording

@Suite("A table by place")
struct SiteTableTests {
  private static func site(_ line: UInt, _ kind: StaticString = "map") -> Site {
    Site(kind, fileID: #fileID, line: line, function: #function)
  }

  @Test("finds what was added, however much it is, in the order in which it was added")
  func many() {
    var table = SiteTable<Int>()
    #expect(table[Self.site(1)] == nil)
    for line in 0..<5_000 { table[Self.site(UInt(line)), default: 0] += line }
    for line in stride(from: 4_999, through: 0, by: -1) { table[Self.site(UInt(line)), default: 0] += 1 }
    #expect((0..<5_000).allSatisfy { table[Self.site(UInt($0))] == $0 + 1 })
    #expect(table.entries.map { Int($0.site.lineNumber) } == Array(0..<5_000))
    #expect(table[Self.site(5_000)] == nil)
  }

  @Test("tells places on one line apart")
  func kinds() {
    var table = SiteTable<String>()
    table[Self.site(1, "map"), default: "a"] += "!"
    table[Self.site(1, "filter"), default: "b"] += "!"
    table[.hidden, default: "c"] += "!"
    #expect([table[Self.site(1, "map")], table[Self.site(1, "filter")], table[.hidden]] == ["a!", "b!", "c!"])
  }
}
