import Foundation
import SignalFoundation
import SignalSystem
import Signals
import Testing

/// Reads file handles.
@Suite("lines of a file handle")
struct FileHandleTests {
  @Test("lines as they come, and the end")
  func lines() async throws {
    let pipe = Pipe()
    let lines = pipe.fileHandleForReading.events.lines()
    try pipe.fileHandleForWriting.write(contentsOf: Data("one\ntwo\nthr".utf8))
    try pipe.fileHandleForWriting.write(contentsOf: Data("ee".utf8))
    try pipe.fileHandleForWriting.close()
    var all: [String] = []
    for try await line in lines.values() { all.append(line) }
    #expect(all == ["one", "two", "three"])
  }

  @Test("bytes of a file, no longer than the limit; the handle is left open")
  func bytes() async throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("signals-\(UUID().uuidString)")
    try Data(1...100).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let handle = try FileHandle(forReadingFrom: file)
    var all: [UInt8] = []
    for try await piece in handle.events.bytes(atMost: 30).values() {
      #expect(piece.count <= 30)
      all += piece
    }
    #expect(all == Array(1...100))
    try handle.seek(toOffset: 99)
    #expect(try handle.readToEnd() == Data([100]))
    try handle.close()
  }
}
