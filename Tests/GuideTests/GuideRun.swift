import BuiltPrograms
import Foundation
import Testing

/// Does what a guide says, as its reader would.
///
/// - The first Swift block is the program, word for word; the last one is a test of it, see ``FailsAsTold``.
/// - A `sh` block is run as it is, in a folder that has nothing but the program's file, and the text below is what it says. A program goes on until it
///   is started anew; it has to say the text first of all. `signal-viz` ends, and has to say exactly the text.
/// - A `diff` block mends the program: from then on the mended one is run.
/// - A picture that is drawn has the words of the one that the guide shows.
///
/// `swift run NAME` runs the program NAME that was built with the tests, as the package manager is busy with the tests. Numbers are not compared, except
/// the lines of places.
struct GuideRun {
  let guide: Guide
  private let folder: URL
  private let bin: URL

  init(_ guide: Guide) throws {
    self.guide = guide
    // Short, because socket paths are.
    folder = URL(fileURLWithPath: "/tmp/guide-\(UInt32.random(in: .min ... .max))")
    bin = folder.appendingPathComponent("bin")
    try FileManager.default.createDirectory(at: bin, withIntermediateDirectories: true)
  }

  /// - Returns: What differs from the guide, if something does; on a busy machine a program may pause when it should not, and then says something else.
  func follow() async throws -> [Comment] {
    var differences: [Comment] = []
    defer { try? FileManager.default.removeItem(at: folder) }
    try install("signal-viz", as: "signal-viz")
    let shim = bin.appendingPathComponent("swift")
    try Data(
      "#!/bin/sh\n[ \"$1\" = run ] || exit 127\nshift\nprogram=$1\nshift\nexec \"$BUILT/$program\" \"$@\"\n".utf8
    )
    .write(to: shim)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: shim.path)

    let name = try #require(guide.program, "The guide has no program.")
    var program: [String] = []
    var running: RunningProgram?
    defer { running?.interrupt() }
    for (index, block) in guide.blocks.enumerated() {
      let place = "\(guide.name).md:\(block.line)"
      switch block.language {
      case "swift" where program.isEmpty:
        program = block.lines
        try write(program, of: name, module: name)
        try install(name, as: name)
        #expect(try file("Examples/Guides/\(name)/\(name).swift") == program, "\(place) is not the example")
      case "diff":
        program = try #require(apply(block.lines, to: program), "\(place) does not fit to the program")
        try write(program, of: name, module: "\(name)Mended")
        try install("\(name)Mended", as: name)
        #expect(
          try file("Tests/Programs/\(name)Mended/\(name).swift") == program, "mended by \(place) it is another program")
      case "sh":
        let command = try #require(block.lines.count == 1 ? block.lines[0] : nil, "\(place) is not one command")
        let next = index + 1 < guide.blocks.count ? guide.blocks[index + 1] : block
        try #require(next.language == "text", "\(place) has no answer")
        // On a busy machine a program may pause when it should not: then it has another chance.
        var answer = Answer()
        for _ in 0..<3 where answer.words.withoutFigures != next.words.withoutFigures {
          if command == "swift run \(name)" {
            await running?.end()
            let program = try start(command)
            running = program
            answer = Answer(words: await program.lines(next.lines.count))
          } else {
            answer = try await self.answer(to: command)
          }
        }
        if let difference = try guide.difference(of: answer.words, to: next) { differences.append(difference) }
        let isFound =
          command.contains(" check ") && (next.words.contains(": warning: ") || next.words.contains(": error: "))
        let status: Int32 = isFound ? 1 : 0
        if answer.status != status {
          differences.append("\(place) ends with \(String(describing: answer.status)), not with \(status)")
        }
        for word in command.split(separator: " ") where word.hasSuffix(".svg") {
          if let difference = try difference(of: String(word)) { differences.append(difference) }
        }
      // What the test says is looked at where it runs.
      case "swift", "text": break
      default: Issue.record("\(place) is of an unknown kind: \(block.language)")
      }
    }
    return differences
  }

  /// What a command says, and how it ends if it does.
  private struct Answer {
    var words = ""
    var status: Int32? = 0

    init() {}

    init(words: [String], status: Int32? = 0) {
      self.words = words.joined(separator: "\n").replacing("Mended/", with: "/")
      self.status = status
    }
  }

  private var environment: [String: String] {
    let old = ProcessInfo.processInfo.environment
    return old.merging([
      "BUILT": bin.path, "PATH": "\(bin.path):\(old["PATH"] ?? "/usr/bin:/bin")",
      "SIGNAL_VIZ_DIRECTORY": folder.appendingPathComponent("sockets").path,
    ]) { _, new in new }
  }

  private func start(_ command: String) throws -> RunningProgram {
    try RunningProgram(command, in: folder, environment: environment)
  }

  /// Runs a command to its end.
  private func answer(to command: String) async throws -> Answer {
    let program = try start(command)
    return Answer(words: await program.lines(.max), status: await program.status())
  }

  /// Compares the words of a picture with those of the one that the guide shows.
  private func difference(of picture: String) throws -> Comment? {
    let (drawn, shown) = (
      folder.appendingPathComponent(picture), Guide.folder.appendingPathComponent("Resources/\(picture)")
    )
    #expect(guide.text.contains("](\(picture.dropLast(4)))"), "\(guide.name) does not show \(picture)")
    func words(_ file: URL) throws -> [String] {
      let text = try String(contentsOf: file, encoding: .utf8)
      // Word by word, as lines break elsewhere where a number has more digits.
      return text.matches(of: /<text[^>]*>([^<]*)<\/text>/).flatMap { match in
        match.output.1.split(separator: " ").map { String($0).withoutFigures }
      }.sorted()
    }
    if Guide.isUpdating, (try? words(shown)) != (try words(drawn)) {
      try Data(contentsOf: drawn).write(to: shown)
    }
    let (wordsDrawn, wordsShown) = try (words(drawn), words(shown))
    guard wordsDrawn != wordsShown else { return nil }
    return "\(picture) has \(wordsDrawn), not \(wordsShown); UPDATE_FIXTURES=1 makes it anew"
  }

  /// Changes lines as `diff` tells it: `-` goes, `+` comes, others are as they are.
  private func apply(_ change: [String], to lines: [String]) -> [String]? {
    let old = change.filter { !$0.hasPrefix("+") }.map { String($0.dropFirst()) }
    let new = change.filter { !$0.hasPrefix("-") }.map { String($0.dropFirst()) }
    let starts = lines.indices.filter { Array(lines[$0...].prefix(old.count)) == old }
    guard starts.count == 1, !old.isEmpty else { return nil }
    return Array(lines[..<starts[0]]) + new + Array(lines[(starts[0] + old.count)...])
  }

  /// The lines of a file of the package.
  private func file(_ path: String) throws -> [String] {
    let text = try String(contentsOf: Guide.package.appendingPathComponent(path), encoding: .utf8)
    return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
  }

  /// The module of the mended program is called so too; where the answers say so, they mean the folder of the guide.
  private func write(_ lines: [String], of program: String, module: String) throws {
    let sources = folder.appendingPathComponent("Examples/Guides/\(module)")
    try FileManager.default.createDirectory(at: sources, withIntermediateDirectories: true)
    try Data(lines.map { $0 + "\n" }.joined().utf8).write(to: sources.appendingPathComponent("\(program).swift"))
  }

  /// Puts a program that was built where `swift run` finds it. It is called what its file is called, whatever links lead there.
  private func install(_ program: String, as name: String) throws {
    let (file, copy) = (try BuiltProgram.file(program), bin.appendingPathComponent(name))
    try? FileManager.default.removeItem(at: copy)
    do {
      try FileManager.default.linkItem(at: file, to: copy)
    } catch {
      try FileManager.default.copyItem(at: file, to: copy)
    }
  }
}
