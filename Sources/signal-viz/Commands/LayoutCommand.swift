import ArgumentParser
import Foundation
import SignalRendering

/// The child process in which libgraphviz runs: reads a graph from standard input and writes a drawing to standard
/// output. Whatever the library does to its process affects only this one.
struct LayoutCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "layout-child", abstract: "Lays out one graph.", shouldDisplay: false)

  @Option var format: String
  @Option var engine: String
  @Option var seconds: Int
  @Option var megabytes: Int
  /// The process that started this one and waits for the drawing.
  @Option var parent: Int32

  /// The prefix of the line on standard error with the width and height of the layout in points.
  static let sizeMark = "size="
  /// The format that outputs positions only, without painting.
  static let places = "places"

  /// The exit status if the drawing cannot be written; standard error then has the system's error number.
  static let unwritten: Int32 = 74

  func run() throws {
    let picture = PictureFormat(rawValue: format)
    guard picture != nil || format == Self.places, let engine = Graphviz.Engine(rawValue: engine) else {
      throw ValidationError("layout-child knows no format `\(format)` or engine `\(engine)`.")
    }
    // The parent may ignore these signals; this process ends on them all the same.
    Unfinished.letThrough(Unfinished.signals + [SIGXCPU])
    ParentWatch.start(parent)
    // Fontconfig and cairo may write to standard output; the drawing keeps a descriptor of its own.
    let output = dup(STDOUT_FILENO)
    guard output >= 0, dup2(STDERR_FILENO, STDOUT_FILENO) >= 0 else {
      throw Failure("The layout process cannot copy its output: \(SystemMessage.last).")
    }
    let graph = try FileHandle.standardInput.readToEnd() ?? Data()
    try limit()
    let dot = String(decoding: graph, as: UTF8.self)
    let bytes: [UInt8]
    if let format = picture {
      let drawn = try Graphviz.draw(dot: dot, engine: engine, format: format)
      // The parent reads the size, and reports it to the user.
      Terminal.note("\(Self.sizeMark)\(drawn.size.width),\(drawn.size.height)")
      bytes = drawn.bytes
    } else {
      bytes = try Graphviz.places(dot: dot, engine: engine)
    }
    do {
      try Data(bytes).write(to: output)
    } catch let error as WriteError {
      // The parent knows the name of the file.
      Terminal.note("\(error.number)")
      throw ExitCode(Self.unwritten)
    }
  }

  private func limit() throws {
    // At the first time limit SIGXCPU arrives, which has no other cause; SIGKILL, at the second, may have others.
    var limits = [(RLIMIT_CPU, UInt64(seconds), UInt64(seconds) + 10)]
    if megabytes > 0 { limits.append((RLIMIT_AS, UInt64(megabytes) * 1_048_576, UInt64(megabytes) * 1_048_576)) }
    for (resource, amount, largest) in limits {
      var value = rlimit(rlim_cur: rlim_t(amount), rlim_max: rlim_t(largest))
      #if canImport(Glibc)
        let status = setrlimit(__rlimit_resource_t(resource.rawValue), &value)
      #else
        let status = setrlimit(resource, &value)
      #endif
      #if !canImport(Darwin)
        // Darwin refuses an RLIMIT_AS below what the process has mapped already; the time limits still apply.
        guard status == 0 else { throw Failure("The layout process cannot limit itself: \(SystemMessage.last).") }
      #endif
    }
    // A crash of the layout is expected to be reported, not to leave a core file behind.
    var none = rlimit(rlim_cur: 0, rlim_max: 0)
    #if canImport(Glibc)
      _ = setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
    #else
      _ = setrlimit(RLIMIT_CORE, &none)
    #endif
  }
}
