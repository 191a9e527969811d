import BuiltPrograms
import Foundation
import Synchronization

/// The built `signal-viz` while something is done to it.
final class AttackedTool: Sendable {
  struct End: Sendable {
    /// As shells tell it: 128 and more if a signal ended it.
    var status: Int32
    var output: String
    var errors: String
  }

  let pid: pid_t
  private let end: Task<End, Never>

  /// - Parameter pipe: Takes its output, which nobody reads.
  init(_ arguments: [String], in folder: URL, environment: [String: String] = [:], output pipe: Pipe? = nil) throws {
    let process = Process()
    process.executableURL = try BuiltProgram.file("signal-viz")
    process.arguments = arguments
    process.currentDirectoryURL = folder
    process.environment = ProcessInfo.processInfo.environment
      .merging(["SIGNAL_VIZ_DIRECTORY": folder.path + "/sockets"]) { _, new in new }
      .merging(environment) { _, new in new }
    let (output, errors) = (pipe == nil ? Pipe() : nil, Pipe())
    (process.standardOutput, process.standardError) = (pipe ?? output, errors)
    let (ends, ended) = AsyncStream.makeStream(of: Int32.self)
    process.terminationHandler = {
      ended.yield($0.terminationReason == .uncaughtSignal ? 128 + $0.terminationStatus : $0.terminationStatus)
      ended.finish()
    }
    try Self.withoutBlockedSignals { try process.run() }
    pid = process.processIdentifier
    end = Task {
      async let words = Self.text(of: output)
      async let complaints = Self.text(of: errors)
      var status: Int32 = -1
      for await code in ends { status = code }
      return await End(status: status, output: words, errors: complaints)
    }
  }

  /// Runs a closure as on a thread of a shell: Dispatch blocks most signals on its own threads, and a process inherits
  /// that. A blocked signal waits until it is handled, while others may be lost.
  private static func withoutBlockedSignals(_ body: () throws -> Void) rethrows {
    var (none, before) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    try body()
  }

  deinit { kill(pid, SIGKILL) }

  /// How it ends.
  func ending() async -> End { await end.value }

  /// Its child that lays out a picture, as soon as there is one.
  func layout() throws -> pid_t {
    try ProcessTable.eventually("a layout begins") { layoutNow }
  }

  /// The same, unless the tool ends before it was seen: for layouts that take a moment only.
  func layoutIfSeen() throws -> pid_t? {
    try ProcessTable.eventually("a layout begins, or the tool ends") {
      if let layoutNow { return .some(layoutNow) }
      return ProcessTable.runs(pid) ? nil : .some(nil)
    }
  }

  private var layoutNow: pid_t? {
    ProcessTable.children(of: pid).first { ProcessTable.arguments(of: $0).contains("layout-child") }
  }

  private static func text(of pipe: Pipe?) async -> String {
    guard let pipe else { return "" }
    return await withCheckedContinuation { done in
      Thread.detachNewThread {
        let data = (try? pipe.fileHandleForReading.readToEnd()) ?? Data()
        done.resume(returning: String(decoding: data, as: UTF8.self))
      }
    }
  }
}

/// The processes of this machine.
enum ProcessTable {
  struct NeverHappened: Error { var what: String }

  /// Looks again and again, for five minutes if nothing else is said: at first without a pause, as some processes end soon.
  static func eventually<Result>(
    _ what: String, within limit: Duration = .seconds(300), _ look: () throws -> Result?
  ) throws -> Result {
    let end = ContinuousClock.now + limit
    var looks = 0
    while ContinuousClock.now < end {
      if let result = try look() { return result }
      looks += 1
      // Safe: only a pause between two looks. The process that is waited for needs the core.
      if looks > 200 { usleep(2_000) } else { sched_yield() }
    }
    throw NeverHappened(what: what)
  }

  static func children(of parent: pid_t) -> [pid_t] {
    #if os(Linux)
      let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
      return names.compactMap { pid_t($0) }.filter { state(of: $0)?.parent == parent }
    #else
      return said(by: "/bin/ps", "-A", "-o", "pid=,ppid=").split(separator: "\n").compactMap { line in
        let words = line.split(separator: " ").compactMap { pid_t($0) }
        return words.count == 2 && words[1] == parent ? words[0] : nil
      }
    #endif
  }

  /// Whether a process does something still; one whose end nobody has asked about does not.
  static func runs(_ pid: pid_t) -> Bool {
    #if os(Linux)
      return state(of: pid).map { !["Z", "X"].contains($0.letter) } ?? false
    #else
      return !["", "Z"].contains(said(by: "/bin/ps", "-p", "\(pid)", "-o", "stat=").prefix(1))
    #endif
  }

  /// Whether a process was stopped by a signal.
  static func isStopped(_ pid: pid_t) -> Bool {
    #if os(Linux)
      return state(of: pid)?.letter == "T"
    #else
      return said(by: "/bin/ps", "-p", "\(pid)", "-o", "stat=").hasPrefix("T")
    #endif
  }

  static func arguments(of pid: pid_t) -> [String] {
    #if os(Linux)
      let bytes = (try? Data(contentsOf: URL(fileURLWithPath: "/proc/\(pid)/cmdline"))) ?? Data()
      return bytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
    #else
      return said(by: "/bin/ps", "-p", "\(pid)", "-o", "args=").split(separator: " ").map(String.init)
    #endif
  }

  #if os(Linux)
    private static func state(of pid: pid_t) -> (letter: String, parent: pid_t)? {
      // The name of the program, in brackets, may hold anything.
      guard let text = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8),
        let end = text.lastIndex(of: ")")
      else { return nil }
      let words = text[text.index(after: end)...].split(separator: " ")
      guard words.count > 1, let parent = pid_t(words[1]) else { return nil }
      return (String(words[0]), parent)
    }
  #else
    private static func said(by program: String, _ arguments: String...) -> String {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: program)
      process.arguments = arguments
      let output = Pipe()
      process.standardOutput = output
      guard (try? process.run()) != nil else { return "" }
      return String(decoding: (try? output.fileHandleForReading.readToEnd()) ?? Data(), as: UTF8.self)
    }
  #endif
}
