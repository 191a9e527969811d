import Foundation
import Testing

@testable import signal_viz

/// What is at the place of an output file already.
@Suite struct OutputFileTests {
  @Test func aDeviceIsWrittenToAndStaysOne() throws {
    let folder = try TemporaryFolder()
    // A pipe with a name stands for a device: a mistake here would cost no more than this folder.
    let path = folder.file("pipe").path
    try #require(mkfifo(path, 0o600) == 0)
    let reader = open(path, O_RDONLY | O_NONBLOCK)
    defer { close(reader) }
    try OutputFile(path: path).write(Data("graph".utf8))
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO)
    var bytes = [UInt8](repeating: 0, count: 16)
    #expect(read(reader, &bytes, bytes.count) == 5)
    #expect(String(decoding: bytes.prefix(5), as: UTF8.self) == "graph")
  }

  @Test func aLinkStaysOne() throws {
    let folder = try TemporaryFolder()
    let (file, link) = (folder.file("graph.svg"), folder.file("link.svg"))
    try Data("old".utf8).write(to: file)
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
    try OutputFile(path: link.path).write(Data("new".utf8))
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link.path) == file.path)
    #expect(try String(contentsOf: file, encoding: .utf8) == "new")
  }

  /// Of a process with the same number in another container, or of one that was killed.
  @Test func aTemporaryFileThatIsThereStaysAndIsNoObstacle() throws {
    let folder = try TemporaryFolder()
    let other = folder.file(".graph.svg.\(getpid()).tmp")
    try Data("other".utf8).write(to: other)
    try OutputFile(path: folder.file("graph.svg").path).write(Data("new".utf8))
    #expect(try String(contentsOf: folder.file("graph.svg"), encoding: .utf8) == "new")
    #expect(try String(contentsOf: other, encoding: .utf8) == "other")
    #expect(try folder.names == [other.lastPathComponent, "graph.svg"])
  }

  @Test func aFileWithoutANameIsRefused() {
    #expect(throws: Failure.self) { try OutputFile(path: "") }
  }
}
