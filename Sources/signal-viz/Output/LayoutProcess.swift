import Dispatch
import Foundation
import SignalPicture
import SignalRendering

/// The error of a layout that took too long, ran out of memory or crashed: one with less detail may succeed.
struct LayoutTooLarge: Error, CustomStringConvertible {
  var description: String
}

/// Runs the layout in a child process (this program, as `layout-child`) that may fail without harm.
enum LayoutProcess {
  struct Limits {
    var seconds: Int
    /// The limit on address space; 0 for no limit.
    var megabytes: Int
    /// Whether the user can raise the limits, with `--time-limit` and `--memory-limit`.
    var areOptions = false

    /// The limits of a layout for which one with less detail can be substituted.
    var partial: Limits {
      var limits = self
      limits.seconds = max(1, seconds / 12)
      return limits
    }
  }

  /// Lays out a plan and writes the drawing to `output`.
  ///
  /// - Returns: The size of the layout.
  @discardableResult
  static func run(_ plan: LayoutPlan, limits: Limits, into output: FileHandle) throws -> LayoutSize {
    try run(plan.dot, plan.engine, format: plan.format.rawValue, limits: limits, into: output)
  }

  /// Lays out a graph in the DOT language, and writes the output of `layout-child` to `output`.
  ///
  /// - Returns: The size of the layout; zero if it is not painted.
  @discardableResult
  static func run(
    _ dot: String, _ engine: Graphviz.Engine, format: String, limits: Limits, into output: FileHandle
  ) throws -> LayoutSize {
    guard let executable = Bundle.main.executableURL else {
      throw Failure("signal-viz cannot find its own program file to start the layout; start it by its full path.")
    }
    let messages = try ScratchFile()
    // It runs `LayoutCommand`.
    let child = Process()
    child.executableURL = executable
    child.arguments = [
      "layout-child", "--format", format, "--engine", engine.rawValue,
      "--seconds", "\(limits.seconds)", "--megabytes", "\(limits.megabytes)", "--parent", "\(getpid())",
    ]
    child.environment = environment
    child.standardInput = try ScratchFile(Data(dot.utf8)).handle
    child.standardOutput = output
    child.standardError = messages.handle
    let ended = DispatchSemaphore(value: 0)
    child.terminationHandler = { _ in ended.signal() }
    do {
      // A signal that ends this process ends the child too.
      try Unfinished.shared.start(child)
    } catch {
      throw Failure("signal-viz cannot start the layout process `\(executable.path)`: \(error.localizedDescription).")
    }
    if ended.wait(timeout: .now() + .seconds(limits.seconds)) == .timedOut {
      kill(child.processIdentifier, SIGKILL)
      ended.wait()
      Unfinished.shared.forget(child)
      throw tooSlow(limits)
    }
    Unfinished.shared.forget(child)
    let lines = String(decoding: try messages.contents(), as: UTF8.self).split(whereSeparator: \.isNewline)
    let size = lines.lazy.compactMap(Self.size).first
    let message = lines.filter { !$0.hasPrefix(LayoutCommand.sizeMark) }.map {
      $0.hasPrefix("Error: ") ? $0.dropFirst(7) : $0
    }.joined(separator: "; ").displayable(limit: 1_000)
    if child.terminationReason == .uncaughtSignal { throw failure(by: child.terminationStatus, message, limits) }
    if child.terminationStatus == LayoutCommand.unwritten { throw WriteError(number: Int32(message) ?? EIO) }
    guard child.terminationStatus == 0 else {
      if mentionsMemory(message) { throw outOfMemory(limits) }
      throw Failure(message.isEmpty ? "libgraphviz ended the layout without output. \(smaller(limits))" : message)
    }
    // A device does not report how much was written to it.
    var file = stat()
    guard fstat(output.fileDescriptor, &file) != 0 || file.st_mode & S_IFMT != S_IFREG || file.st_size > 0 else {
      throw Failure("libgraphviz made an empty picture. `signal-viz doctor` checks the installation.")
    }
    return size ?? LayoutSize(width: 0, height: 0)
  }

  /// Parses the size of a layout from a line of the child process.
  private static func size(_ line: Substring) -> LayoutSize? {
    guard line.hasPrefix(LayoutCommand.sizeMark) else { return nil }
    let numbers = line.dropFirst(LayoutCommand.sizeMark.count).split(separator: ",").compactMap { Double($0) }
    return numbers.count == 2 ? LayoutSize(width: numbers[0], height: numbers[1]) : nil
  }

  /// The environment of the child process.
  private static var environment: [String: String] {
    ProcessInfo.processInfo.environment.merging([
      // The messages of libgraphviz are reported; pages of addresses below them are no help.
      "SWIFT_BACKTRACE": "enable=no",
      // With an arena for each thread, glibc reserves 128 MB of addresses for each of the few painting threads, which
      // soon exceeds a small memory limit.
      "MALLOC_ARENA_MAX": "1",
    ]) { $1 }
  }

  /// The error for a layout that was ended by a signal.
  private static func failure(by signal: Int32, _ message: String, _ limits: Limits) -> any Error {
    let name = String(cString: strsignal(signal))
    switch signal {
    case SIGXCPU: return tooSlow(limits)
    // `run` has thrown already if this process sent SIGKILL.
    case SIGKILL:
      return Failure(
        "The layout process was killed, probably because memory ran out. Show less with --focus, or close other programs."
      )
    case SIGSEGV, SIGBUS, SIGABRT, SIGILL, SIGFPE, SIGTRAP, SIGSYS:
      if mentionsMemory(message) { return outOfMemory(limits) }
      return LayoutTooLarge(
        description:
          "libgraphviz crashed while laying out the graph (\(name))\(message.isEmpty ? "" : ": \(message)"). \(smaller(limits))"
      )
    default: return Failure("The layout process was killed (\(name)). Try again.")
    }
  }

  /// Whether libraries report a lack of memory: for their data, or for a thread.
  private static func mentionsMemory(_ message: String) -> Bool {
    ["memory", "allocat", "creating thread"].contains { message.lowercased().contains($0) }
  }

  private static func outOfMemory(_ limits: Limits) -> LayoutTooLarge {
    LayoutTooLarge(description: "The layout ran out of memory. \(smaller(limits))")
  }

  private static func tooSlow(_ limits: Limits) -> LayoutTooLarge {
    let more = limits.areOptions ? ", or raise --time-limit" : ""
    return LayoutTooLarge(
      description: "The layout took longer than \(limits.seconds) s. Show less with --focus\(more).")
  }

  private static func smaller(_ limits: Limits) -> String {
    limits.megabytes == 0 || !limits.areOptions
      ? "Show less with --focus."
      : "Show less with --focus, or raise --memory-limit (now \(limits.megabytes) MB)."
  }
}
