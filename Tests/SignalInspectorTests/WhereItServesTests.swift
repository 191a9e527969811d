import Foundation
import SignalAttach
import Testing

@testable import SignalInspector

/// An environment that leads nowhere ends no program: the inspector serves elsewhere, or the program goes on without one.
@Suite("Where it serves", .serialized) struct WhereItServesTests {
  private let parent: TemporaryDirectory

  init() throws { parent = try TemporaryDirectory() }

  private static let fallback = "/tmp/signal-viz-\(geteuid())/"

  /// Starts as a program does whose environment asks for it, and says where it serves.
  private func servedAt(_ environment: [String: String]) async throws -> String? {
    var environment = environment
    environment[SignalInspector.environmentKey] = "1"
    guard let inspector = try await SignalInspector.startIfRequested(environment: environment) else { return nil }
    let path = inspector.socketPath
    #expect((try? RawClient.get(path, "/hello").statusCode) == "200")
    await inspector.stop()
    // Whoever looks there with the same environment, finds it.
    environment[SocketDirectory.environmentKey] = nil
    let places = try SocketDirectory.searchList(environment: environment).map(\.path)
    #expect(places.contains { path.hasPrefix($0 + "/") })
    return path
  }

  private func folder(_ name: String, mode: Int = 0o700) throws -> String {
    let path = "\(parent.path)/\(name)"
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: mode])
    return path
  }

  @Test func theRuntimeDirectoryIsTakenWhereItCanBe() async throws {
    let runtime = try folder("run")
    #expect(try await servedAt(["XDG_RUNTIME_DIR": runtime])?.hasPrefix("\(runtime)/signal-viz/") == true)
  }

  @Test func aRuntimeDirectoryWhosePathIsTooLongIsPassedOver() async throws {
    let runtime = try folder(String(repeating: "x", count: 100))
    #expect(try await servedAt(["XDG_RUNTIME_DIR": runtime])?.hasPrefix(Self.fallback) == true)
    // It is not even tried: both sides decide by the path alone.
    #expect(try FileManager.default.contentsOfDirectory(atPath: runtime).isEmpty)
    #expect(try SocketDirectory.searchList(environment: ["XDG_RUNTIME_DIR": runtime]).count == 1)
  }

  /// The longest path that is taken has room for the socket of any process; one byte more, and it is not taken.
  @Test func theLongestRuntimeDirectoryHasRoomForEverySocket() throws {
    let rest = "/signal-viz/2147483647-9999999999000.sock".utf8.count
    let length = SocketFile.pathLimit - rest - parent.path.utf8.count - 1
    let fits = try folder(String(repeating: "y", count: length))
    let list = try SocketDirectory.searchList(environment: ["XDG_RUNTIME_DIR": fits])
    #expect(list.map(\.path).contains(fits + "/signal-viz"))
    let longer = try folder(String(repeating: "y", count: length + 1))
    #expect(try SocketDirectory.searchList(environment: ["XDG_RUNTIME_DIR": longer]).count == 1)
  }

  @Test func aRuntimeDirectoryThatIsALinkToOthersIsPassedOver() async throws {
    let (runtime, elsewhere) = (try folder("run"), try folder("elsewhere"))
    try FileManager.default.createSymbolicLink(atPath: runtime + "/signal-viz", withDestinationPath: elsewhere)
    #expect(try await servedAt(["XDG_RUNTIME_DIR": runtime])?.hasPrefix(Self.fallback) == true)
    #expect(try FileManager.default.contentsOfDirectory(atPath: elsewhere).isEmpty)
  }

  @Test func aRuntimeDirectoryThatIsOpenToOthersIsPassedOver() async throws {
    let runtime = try folder("run")
    let open = try folder("run/signal-viz")
    chmod(open, 0o777)
    #expect(try await servedAt(["XDG_RUNTIME_DIR": runtime])?.hasPrefix(Self.fallback) == true)
  }

  @Test func aRuntimeDirectoryWithAFileInTheWayIsPassedOver() async throws {
    let runtime = try folder("run")
    try Data().write(to: URL(fileURLWithPath: runtime + "/signal-viz"))
    #expect(try await servedAt(["XDG_RUNTIME_DIR": runtime])?.hasPrefix(Self.fallback) == true)
  }

  @Test(.enabled(if: geteuid() == 0, "only root can give a directory to another user"))
  func aRuntimeDirectoryOfSomebodyElseIsPassedOver() async throws {
    let runtime = try folder("run")
    chown(try folder("run/signal-viz"), 12_345, 12_345)
    #expect(try await servedAt(["XDG_RUNTIME_DIR": runtime])?.hasPrefix(Self.fallback) == true)
  }

  /// As root may write everywhere, a directory in which nobody can make another one stands for one without the right.
  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self")))
  func aRuntimeDirectoryThatCannotBeWrittenToIsPassedOver() async throws {
    #expect(try await servedAt(["XDG_RUNTIME_DIR": "/proc"])?.hasPrefix(Self.fallback) == true)
  }

  @Test(arguments: [
    "relative/path", "/no/such/folder", "/dev/null", "/tmp/" + String(repeating: "x", count: 200),
  ])
  func aDirectoryOfOnesOwnThatCannotBeUsedEndsNoProgram(path: String) async throws {
    let runtime = try folder("run")
    let environment = [SocketDirectory.environmentKey: path, "XDG_RUNTIME_DIR": runtime]
    #expect(try await servedAt(environment)?.hasPrefix("\(runtime)/signal-viz/") == true)
  }

  @Test func aVariableThatMeansNeitherYesNorNoEndsNoProgram() async throws {
    let environment = [SocketDirectory.environmentKey: parent.path, SignalInspector.environmentKey: "perhaps"]
    #expect(try await SignalInspector.startIfRequested(environment: environment) == nil)
    #expect(try FileManager.default.contentsOfDirectory(atPath: parent.path).isEmpty)
  }

  /// A directory that the program itself names is meant: nothing stands in for it.
  @Test func aDirectoryThatTheProgramNamesIsNotReplaced() async throws {
    await #expect(throws: AttachError.self) {
      try await SignalInspector.start(in: SocketDirectory(path: "/tmp/" + String(repeating: "x", count: 200)))
    }
  }
}
