import BuiltPrograms
import Foundation
import SampleGraphs
import SignalGraph
import Testing

/// `render` of all programs that run, and of several files.
@Suite("render --every-program", .serialized)
struct EveryProgramTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func tool(_ arguments: String...) async throws -> Tool.Result {
    try await Tool.run(arguments, in: folder.url, times: 1)
  }

  /// Draws the programs that run, however long a busy machine takes.
  private func drawn(_ arguments: String...) async throws -> Tool.Result {
    try await Tool.run(["render", "--every-program", "--timeout", "300"] + arguments, in: folder.url)
  }

  private func text(_ name: String) throws -> String {
    try String(contentsOf: folder.file(name), encoding: .utf8)
  }

  /// The example: a shop whose output is the input of a kitchen, whose output is the input of a till.
  private final class OrderLine: Sendable {
    private let processes: [Process]

    /// Starts all three, and returns when the tool lists them.
    init(in folder: TemporaryFolder) async throws {
      let (orders, dishes) = (Pipe(), Pipe())
      processes = try ["shop", "kitchen", "till"].map { role in
        let process = Process()
        process.executableURL = try BuiltProgram.file("OrderLine")
        process.arguments = [role]
        process.environment = ProcessInfo.processInfo.environment
          .merging(["SIGNAL_VIZ_DIRECTORY": folder.file("sockets").path]) { _, new in new }
        process.standardError = FileHandle.nullDevice
        process.standardInput = role == "shop" ? FileHandle.nullDevice : role == "kitchen" ? orders : dishes
        process.standardOutput = role == "shop" ? orders : role == "kitchen" ? dishes : FileHandle.nullDevice
        try process.run()
        return process
      }
      var attempts = 0
      while attempts < 400 {
        attempts += 1
        let list = try await Tool.run(["list", "--for", "0"], in: folder.url).output
        // The kitchen has all of its nodes once it lives.
        if ["shop", "kitchen", "till"].allSatisfy({ list.contains($0) }) { break }
      }
    }

    deinit {
      // One that is stopped ends when it goes on.
      for process in processes {
        process.terminate()
        kill(process.processIdentifier, SIGCONT)
      }
    }

    func stopKitchen() -> pid_t {
      kill(processes[1].processIdentifier, SIGSTOP)
      return processes[1].processIdentifier
    }
  }

  @Test("three processes that send to each other are one picture, also when one of them is stopped")
  func processes() async throws {
    let line = try await OrderLine(in: folder)
    for name in ["all.svg", "all.png", "all.mmd", "all.dot"] {
      let result = try await drawn("-o", name)
      #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
      #expect(result.output.hasPrefix("\(name): 3 programs, "))
    }
    let svg = try text("all.svg")
    for words in [
      ">shop<", ">kitchen<", ">till<", ">orders<", ">dishes<", "to receipts: no receiver here",
      "channel between programs",
    ] {
      #expect(svg.contains(words), "\(words)")
    }
    #expect(svg.ranges(of: "class=\"cluster\"").count == 3)
    #expect(svg.ranges(of: "data-channel=").count == 2)
    let ids = svg.matches(of: /\sid="([^"]+)"/).map { String($0.output.1) }
    #expect(Set(ids).count == ids.count)
    #expect(try Data(contentsOf: folder.file("all.png")).starts(with: [0x89] + Array("PNG".utf8)))
    #expect(try text("all.mmd").ranges(of: "channel “").count == 2)

    let focus = try await drawn("--focus", "sold today", "-o", "-", "--format", "mmd")
    #expect(focus.output.contains("1 program ·") && focus.output.contains("sold today"))
    let across = try await drawn("--focus", "receipt", "-o", "-", "--format", "mmd")
    #expect(across.output.contains("3 programs") && across.output.contains("customers"))
    #expect(!across.output.contains("sold today"))
    let rates = try await drawn("--for", "200ms", "-o", "-", "--format", "dot")
    #expect(rates.status == 0 && rates.output.contains("kitchen"), "\(rates.errors)")
    let nobody = try await drawn("--focus", "nobody", "-o", "-")
    #expect(nobody.status == 1 && nobody.errors.contains("`nobody`"))

    let stopped = line.stopKitchen()
    var limit = 2
    var rest = try await tool("render", "--every-program", "--timeout", "2", "-o", "-", "--format", "mmd")
    // On a busy machine another one may be late too.
    while limit < 200, !rest.output.contains("2 programs") {
      limit *= 3
      rest = try await tool("render", "--every-program", "--timeout", "\(limit)", "-o", "-", "--format", "mmd")
    }
    #expect(rest.status == 0)
    #expect(rest.errors.contains("did not respond within \(limit).0 seconds"), "\(rest.errors)")
    #expect(rest.output.contains("2 programs"))
    // The socket's name has the identifier, and the system knows which program that is.
    let silent = rest.output.ranges(of: "(pid \(stopped)) did not respond and is not drawn")
    #expect(silent.count == 1 && rest.errors.contains("OrderLine (pid \(stopped)) at `"), "\(rest.errors)")
    // It may be the one that receives.
    #expect(
      rest.output.contains("to orders: no receiver here") && rest.output.contains("it may have the ends of channels"))
  }

  @Test("several files are one picture; what cannot be is said")
  func files() async throws {
    for (name, pid, end) in [("a", 1, ChannelEnd(.to, "x")), ("b", 2, ChannelEnd(.from, "x"))] {
      var graph = SampleBuilder(name: name, pid: Int32(pid))
      graph.add("map", line: 1)
      var snapshot = graph.snapshot
      snapshot.nodes[0].channels = [end]
      try snapshot.json().write(to: folder.file("\(name).json"))
    }
    let result = try await tool("render", "a.json", "b.json", "-o", "both.svg")
    #expect(result.status == 0 && result.output == "both.svg: 2 programs, 2 nodes\n", "\(result.errors)")
    #expect(try text("both.svg").contains(">x<"))
    let one = try await tool("render", "a.json", "-o", "-", "--format", "mmd")
    #expect(one.output.contains("to x") && !one.output.contains("no receiver"))

    let same = try await tool("render", "a.json", "b.json", "a.json", "-o", "out.svg")
    #expect(same.status == 0 && same.output == "out.svg: 2 programs, 2 nodes\n", "\(same.errors)")
    #expect(same.errors.contains("a.json is drawn once: it is the same snapshot of a (pid 1)"), "\(same.errors)")
    let compared = try await tool("diff", "a.json", "a.json")
    #expect(compared.status == 2 && compared.errors.contains("are the same snapshot of a (pid 1)"), "\(compared)")
    var later = try GraphSnapshot(json: Data(contentsOf: folder.file("a.json")))
    later.takenAt += 1
    try later.json().write(to: folder.file("later.json"))
    let two = try await tool("render", "a.json", "b.json", "later.json", "-o", "two.svg")
    #expect(two.status == 1 && two.errors.contains("a.json and later.json are two snapshots of a (pid 1)"), "\(two)")
    #expect(!FileManager.default.fileExists(atPath: folder.file("two.svg").path))
    let none = try await tool("render", "--every-program", "-o", "out.svg")
    #expect(none.status == 1 && none.errors.contains("No inspectable program is running"), "\(none.errors)")
    for (arguments, words) in [
      (["--every-program", "a.json"], "--every-program draws all that run"),
      (["--every-program", "--pid", "1"], "--every-program draws all that run"),
      (["a.json", "b.json", "--format", "json"], "JSON is the graph of one program"),
    ] {
      let wrong = try await Tool.run(["render"] + arguments + ["-o", "out.svg"], in: folder.url)
      #expect(wrong.status == 64 && wrong.errors.contains(words), "\(wrong.errors)")
    }
  }
}
