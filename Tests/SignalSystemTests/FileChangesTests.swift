import Foundation
import SignalSystem
import Signals
import Testing

/// Watches files and folders.
@Suite("fileChanges")
final class FileChangesTests: Sendable {
  private let folder: URL
  private var file: URL { folder.appendingPathComponent("file") }

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("signals-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data("a".utf8).write(to: file)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  private func append(_ text: String) throws {
    let handle = try FileHandle(forWritingTo: file)
    try handle.seekToEnd()
    try handle.write(contentsOf: Data(text.utf8))
    try handle.close()
  }

  @Test("what is written, the rights, another name")
  func changes() async throws {
    let received = Received<FileChanges>()
    let subscription = Signal.fileChanges(at: file.path).receive(into: received)
    try append("b")
    try await eventually("what is written") { received.values.contains { $0.contains(.contents) } }
    #expect(!received.values.contains { $0.contains(.deleted) || $0.contains(.renamed) })
    chmod(file.path, 0o600)
    try await eventually("the rights") { received.values.contains { $0.contains(.attributes) } }
    #expect(!received.values.contains { $0.contains(.deleted) || $0.contains(.renamed) })
    let count = received.values.count
    rename(file.path, file.path + "2")
    try await eventually("another name") { received.values.dropFirst(count).contains { $0.contains(.renamed) } }
    #expect(!received.isFinished)
    unlink(file.path + "2")
    try await eventually("the end") { received.isFinished }
    subscription.dispose()
  }

  @Test("a file that is deleted ends it, also while somebody has it open", arguments: [false, true])
  func deleted(isOpen: Bool) async throws {
    let received = Received<FileChanges>()
    let handle = isOpen ? try FileHandle(forReadingFrom: file) : nil
    let subscription = Signal.fileChanges(at: file.path).receive(into: received)
    unlink(file.path)
    try await eventually("the end") { received.isFinished }
    #expect(received.values.last?.contains(.deleted) == true)
    subscription.dispose()
    try handle?.close()
  }

  @Test("a link that leads elsewhere meanwhile does not end the file")
  func linked() async throws {
    let link = folder.path + "/link"
    let other = folder.path + "/other"
    try Data("b".utf8).write(to: URL(filePath: other))
    #expect(symlink(file.path, link) == 0)
    let received = Received<FileChanges>()
    let subscription = Signal.fileChanges(at: link).receive(into: received)
    #expect(unlink(link) == 0 && symlink(other, link) == 0)
    chmod(file.path, 0o600)
    try await eventually("the rights") { received.values.contains { $0.contains(.attributes) } }
    #expect(!received.values.contains { $0.contains(.deleted) } && !received.isFinished)
    subscription.dispose()
  }

  @Test("a folder that has another name, to which a link leads, does not end the file")
  func movedFolder() async throws {
    let (first, second, link) = (folder.path + "/v1", folder.path + "/v2", folder.path + "/current")
    try FileManager.default.createDirectory(atPath: first, withIntermediateDirectories: false)
    try Data("b".utf8).write(to: URL(filePath: first + "/file"))
    #expect(symlink(first, link) == 0)
    let received = Received<FileChanges>()
    let subscription = Signal.fileChanges(at: link + "/file").receive(into: received)
    #expect(rename(first, second) == 0 && unlink(link) == 0 && symlink(second, link) == 0)
    chmod(second + "/file", 0o600)
    try await eventually("the rights") { received.values.contains { $0.contains(.attributes) } }
    #expect(!received.values.contains { $0.contains(.deleted) } && !received.isFinished)
    subscription.dispose()
  }

  @Test("a file that has another name is watched there, also when its attributes change")
  func moved() async throws {
    let received = Received<FileChanges>()
    let subscription = Signal.fileChanges(at: file.path).receive(into: received)
    rename(file.path, file.path + "2")
    chmod(file.path + "2", 0o600)
    try await eventually("the rights") { received.values.contains { $0.contains(.attributes) } }
    chmod(file.path + "2", 0o644)
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: file.path + "2"))
    try handle.write(contentsOf: Data("b".utf8))
    try handle.close()
    try await eventually("what is written") {
      received.values.contains { $0.contains(.contents) } || received.isFinished
    }
    #expect(!received.isFinished)
    #expect(!received.values.contains { $0.contains(.deleted) })
    unlink(file.path + "2")
    try await eventually("the end") { received.isFinished }
    #expect(received.values.last?.contains(.deleted) == true)
    subscription.dispose()
  }

  @Test("attributes of a file in a folder are none of the folder's")
  func attributesInFolder() async throws {
    let received = Received<FileChanges>()
    let subscription = Signal.fileChanges(at: folder.path).receive(into: received)
    chmod(file.path, 0o600)
    close(open(folder.appendingPathComponent("other").path, O_CREAT | O_WRONLY, 0o600))
    try await eventually("a new file") { received.values.contains { $0.contains(.contents) } }
    #expect(received.values.allSatisfy { $0 == .contents })
    chmod(folder.path, 0o700)
    try await eventually("the folder's own") { received.values.contains { $0.contains(.attributes) } }
    subscription.dispose()
  }

  @Test("another file in its place ends it")
  func replaced() async throws {
    let received = Received<FileChanges>()
    let subscription = Signal.fileChanges(at: file.path).receive(into: received)
    try Data("b".utf8).write(to: folder.appendingPathComponent("new"))
    rename(folder.appendingPathComponent("new").path, file.path)
    try await eventually("the end") { received.isFinished }
    #expect(received.values.last?.contains(.deleted) == true)
    subscription.dispose()
  }

  @Test("a folder says that something came or went, and nothing of what is in the files")
  func folders() async throws {
    let received = Received<FileChanges>()
    let subscription = Signal.fileChanges(at: folder.path).receive(into: received)
    let other = folder.appendingPathComponent("other").path
    close(open(other, O_CREAT | O_WRONLY, 0o600))
    try await eventually("a new file") { !received.values.isEmpty }
    let count = received.values.count
    try append("b")
    unlink(other)
    try await eventually("a file has gone") { received.values.count > count }
    #expect(received.values.allSatisfy { $0 == .contents })
    #expect(received.values.count == 2)
    subscription.dispose()
  }

  @Test("what is not there fails")
  func missing() {
    let received = Received<FileChanges>()
    let subscription = Signal.fileChanges(at: folder.path + "/none").receive(into: received)
    #expect((received.failure as? SystemCallError)?.code == ENOENT)
    subscription.dispose()
  }
}
