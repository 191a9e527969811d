import Builds
import SignalSystem
import Signals
import Subprocess
import Testing

/// What child processes write.
@Suite("output of child processes")
struct OutputTests {
  @Test("the lines, and the end")
  func lines() async throws {
    var lines: [String] = []
    for try await line in shell("echo one; echo two").values() { lines.append(line) }
    #expect(lines == ["one", "two"])
  }

  @Test("another code than 0 fails it, after everything that was written")
  func failure() async {
    var lines: [String] = []
    await #expect(throws: ChildProcessError(status: .exited(3))) {
      for try await line in shell("echo one; exit 3").values() { lines.append(line) }
    }
    #expect(lines == ["one"])
  }

  @Test("what is not there fails")
  func missing() async {
    await #expect(throws: SubprocessError.self) {
      for try await _ in Configuration(executable: .name("no-such-program")).events.output().values() {}
    }
  }

  @Test("standard error can be delivered too")
  func standardError() async throws {
    let command = Configuration(executable: .name("sh"), arguments: ["-c", "echo one >&2"])
    var bytes: [UInt8] = []
    for try await piece in command.events.output(errorOutput: .combinedWithOutput).values() { bytes += piece }
    #expect(bytes == Array("one\n".utf8))
  }

  @Test("Law 9: a process that nobody listens to is ended", .timeLimit(.minutes(20)))
  func disposal() async throws {
    // It would write for ever; and who reads would wait for ever for the end of one that only sleeps.
    #expect(try await shell("while :; do echo one; done").firstValue() == "one")
    let number = try await shell("echo $$; exec sleep 1000").firstValue()
    let isThere = shell("while kill -0 \(number) 2>/dev/null; do :; done; echo gone")
    #expect(try await isThere.firstValue() == "gone")
  }
}
