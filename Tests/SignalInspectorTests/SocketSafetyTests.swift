import Foundation
import SignalAttach
import SignalGraph
import Testing

@testable import SignalInspector

@Suite struct SocketSafetyTests {
  func mode(_ path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
  }

  func start(_ path: String) throws -> SignalInspector {
    try .start(in: SocketDirectory(path: path), serving: .fixed(1), limits: InspectorLimits())
  }

  @Test func directoryAndSocketArePrivate() async throws {
    let parent = try TemporaryDirectory()
    let inspector = try start(parent.path + "/d")
    #expect(try mode(parent.path + "/d") == 0o700)
    #expect(try mode(inspector.socketPath) == 0o600)
    #expect(try FileManager.default.contentsOfDirectory(atPath: parent.path + "/d").count == 1)
    await inspector.stop()
  }

  @Test func symbolicLinkInTheWay() throws {
    let parent = try TemporaryDirectory()
    let link = parent.path + "/link"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: parent.path)
    #expect(throws: AttachError.symbolicLink(path: link)) { try start(link) }
  }

  @Test func tooWideMode() throws {
    let parent = try TemporaryDirectory()
    chmod(parent.path, 0o750)
    #expect(throws: AttachError.modeTooWide(path: parent.path, mode: 0o750)) { try start(parent.path) }
  }

  @Test(.enabled(if: geteuid() == 0, "only root can give a directory to another user")) func foreignOwner() throws {
    let parent = try TemporaryDirectory()
    chown(parent.path, 12_345, 12_345)
    #expect(throws: AttachError.foreignOwner(path: parent.path, owner: 12_345, expected: 0)) { try start(parent.path) }
  }

  @Test func fileInTheWay() throws {
    let parent = try TemporaryDirectory()
    try Data().write(to: URL(fileURLWithPath: parent.path + "/f"))
    #expect(throws: AttachError.notADirectory(path: parent.path + "/f")) { try start(parent.path + "/f") }
  }

  @Test func tooLongAPathNamesTheLimit() throws {
    let path = "/tmp/" + String(repeating: "x", count: 100)
    let error = #expect(throws: AttachError.self) { try start(path) }
    #expect(error?.description.contains("\(SocketFile.pathLimit)") == true)
  }

  @Test func secondStartIsRefusedAndThirdAfterStopWorks() async throws {
    let parent = try TemporaryDirectory()
    let first = try start(parent.path)
    #expect(throws: InspectorError.alreadyServing(path: first.socketPath)) { try start(parent.path) }
    #expect(try RawClient.get(first.socketPath, "/hello").statusCode == "200")
    await first.stop()
    await first.stop()
    let again = try start(parent.path)
    await again.stop()
  }

  @Test func onlyOwnDeadSocketsAreRemoved() async throws {
    let parent = try TemporaryDirectory()
    func place(_ name: String) throws -> LocalSocket {
      try .serving(#require(SocketFile(directory: parent.path, fileName: name)))
    }
    let live = try place("11-1.sock")
    try place("12-1.sock").close()
    try place("13-1.sock").close()
    if geteuid() == 0 { chown(parent.path + "/13-1.sock", 12_345, 12_345) }
    try Data().write(to: URL(fileURLWithPath: parent.path + "/14-1.sock"))

    let removed = try SocketDirectory(path: parent.path).removeDeadSockets()
    #expect(removed.contains { $0.pid == 12 })
    let left = Set(try FileManager.default.contentsOfDirectory(atPath: parent.path))
    #expect(left == (geteuid() == 0 ? ["11-1.sock", "13-1.sock", "14-1.sock"] : ["11-1.sock", "14-1.sock"]))
    #expect(try SocketDirectory(path: parent.path).sockets().map(\.pid) == [11])
    live.close()
  }

  @Test func startsOnlyWhenAskedFor() async throws {
    let parent = try TemporaryDirectory()
    var environment = [SocketDirectory.environmentKey: parent.path]
    #expect(try await SignalInspector.startIfRequested(environment: environment) == nil)
    environment[SignalInspector.environmentKey] = "1"
    let inspector = try #require(try await SignalInspector.startIfRequested(environment: environment))
    #expect(try RawClient.get(inspector.socketPath, "/hello").statusCode == "200")
    await inspector.stop()
  }
}
