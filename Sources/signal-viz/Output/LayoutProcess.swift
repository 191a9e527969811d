import Dispatch
import Foundation
import SignalRendering

/// Runs the layout in a child process (this program, as `layout-child`) that may fail without harm.
enum LayoutProcess {
  struct Limits {
    var seconds: Int
    /// Of address space; 0 for no limit.
    var megabytes: Int
  }

  /// Lays out a plan and writes the picture to `output`.
  ///
  /// - Returns: How much smaller the picture is than its layout; 1 if it is as large.
  @discardableResult
  static func run(_ plan: LayoutPlan, limits: Limits, into output: FileHandle) throws -> Double {
    try run(plan.dot, plan.engine, format: plan.format.rawValue, limits: limits, into: output)
  }

  /// Lays out a graph in Graphviz's language, and writes what `layout-child` makes of it to `output`.
  ///
  /// - Returns: How much smaller the picture is than its layout; 1 if it is as large, or not painted.
  @discardableResult
  static func run(
    _ dot: String, _ engine: Graphviz.Engine, format: String, limits: Limits, into output: FileHandle
  ) throws -> Double {
    guard let executable = Bundle.main.executableURL else {
      throw Failure("signal-viz cannot find its own program file to start the layout; start it by its full path.")
    }
    let messages = try ScratchFile()
    let child = Process()
    child.executableURL = executable
    child.arguments = [
      "layout-child", "--format", format, "--engine", engine.rawValue,
      "--seconds", "\(limits.seconds)", "--megabytes", "\(limits.megabytes)",
    ]
    // What libgraphviz says is told; pages of addresses below it help nobody.
    child.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
    child.standardInput = try ScratchFile(Data(dot.utf8)).handle
    child.standardOutput = output
    child.standardError = messages.handle
    let ended = DispatchSemaphore(value: 0)
    child.terminationHandler = { _ in ended.signal() }
    do {
      try child.run()
    } catch {
      throw Failure("signal-viz cannot start the layout process `\(executable.path)`: \(error.localizedDescription).")
    }
    if ended.wait(timeout: .now() + .seconds(limits.seconds)) == .timedOut {
      kill(child.processIdentifier, SIGKILL)
      ended.wait()
      throw tooSlow(limits)
    }
    let lines = String(decoding: try messages.contents(), as: UTF8.self).split(whereSeparator: \.isNewline)
    let scale = lines.lazy.compactMap { line in
      line.hasPrefix(LayoutCommand.scaleMark) ? Double(line.dropFirst(LayoutCommand.scaleMark.count)) : nil
    }.first
    let said = lines.filter { !$0.hasPrefix(LayoutCommand.scaleMark) }.map {
      $0.hasPrefix("Error: ") ? $0.dropFirst(7) : $0
    }.joined(separator: "; ")
    if child.terminationReason == .uncaughtSignal {
      let signal = child.terminationStatus
      if signal == SIGXCPU || signal == SIGKILL { throw tooSlow(limits) }
      throw Failure(
        "libgraphviz crashed while laying out the graph (\(String(cString: strsignal(signal))))"
          + "\(said.isEmpty ? "" : ": \(said)"). \(smaller(limits))")
    }
    if child.terminationStatus == LayoutCommand.unwritten { throw WriteError(number: Int32(said) ?? EIO) }
    guard child.terminationStatus == 0 else {
      if said.lowercased().contains("memory") { throw Failure("The layout ran out of memory. \(smaller(limits))") }
      throw Failure(said.isEmpty ? "libgraphviz ended the layout without a word. \(smaller(limits))" : said)
    }
    guard try output.offset() > 0 else {
      throw Failure("libgraphviz made an empty picture. `signal-viz doctor` checks the installation.")
    }
    return scale ?? 1
  }

  private static func tooSlow(_ limits: Limits) -> Failure {
    Failure("The layout took longer than \(limits.seconds) s. Show less with --focus, or raise --time-limit.")
  }

  private static func smaller(_ limits: Limits) -> String {
    limits.megabytes == 0
      ? "Show less with --focus."
      : "Show less with --focus, or raise --memory-limit (now \(limits.megabytes) MB)."
  }
}
