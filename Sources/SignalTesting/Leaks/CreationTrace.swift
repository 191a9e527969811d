import Foundation
import Synchronization

#if canImport(Runtime) && !canImport(Darwin)
  import Runtime
#endif

/// The backtrace of an object's creation, captured if `SIGNALS_TRACE_CREATION=1` is set.
///
/// Capturing takes addresses only. They are symbolicated for a report.
struct CreationTrace: Hashable, Sendable {
  /// A call.
  struct Call: Hashable, Sendable {
    /// The module of the function; nil if unknown.
    let module: String?
    /// The function: `Screen.show()`.
    let function: String
    /// The file's path and the line, if the program has debug information.
    let path: String?
    let line: Int

    /// Whether it is the program's own code, and not this library's or the system's.
    var isOwn: Bool { module.map { !hiddenModules.contains($0) } ?? false }

    /// `Screen.show() Screen.swift:12`.
    var text: String {
      guard let path else { return function }
      return "\(function) \(path.split(separator: "/").last ?? ""):\(line)"
    }
  }

  /// Whether the environment variable is set.
  static let isRequested = ProcessInfo.processInfo.environment["SIGNALS_TRACE_CREATION"] == "1"

  /// The maximum number of captured frames, and of shown ones.
  private static let depth = 64
  private static let shownCount = 8
  /// The maximum number of captured frames if only the location matters.
  private static let innermostDepth = 24
  /// The symbolicated ones: symbolication takes long in a large program.
  private static let ownCalls = Mutex<[CreationTrace: Call?]>([:])
  /// The modules that create everything.
  private static let hiddenModules: Set<String> = [
    "Signals", "SignalRecording", "SignalGraph", "SignalTesting", "Swift", "_Concurrency", "Testing", "XCTest",
    "Foundation",
    "Dispatch",
  ]

  #if canImport(Runtime) && !canImport(Darwin)
    private let backtrace: Backtrace?

    /// Takes functions of a suspended task, the innermost first: the task resumes in each.
    init(waitingIn calls: [UInt]) {
      backtrace = try? FrameLookup.backtrace(of: calls.map { .asyncResumePoint(Backtrace.Address(UInt64($0))) })
    }

    private init(backtrace: Backtrace?) { self.backtrace = backtrace }

    static func capture() -> CreationTrace {
      CreationTrace(backtrace: try? Backtrace.capture(limit: depth, images: FrameLookup.images))
    }

    /// Captures the innermost frames only.
    static func captureInnermost() -> CreationTrace {
      CreationTrace(backtrace: try? Backtrace.capture(limit: innermostDepth, top: 0, images: FrameLookup.images))
    }

    /// The calls, the innermost first: with their lines where they are the program's own, or where none is.
    private var calls: [Call] {
      guard let backtrace else { return [] }
      guard FrameLookup.isFormatKnown else { return FrameLookup.calls(of: backtrace) }
      let named = FrameLookup.names(of: backtrace)
      guard named.contains(where: { $0.call?.isOwn ?? false }) else {
        return backtrace.frames.flatMap(FrameLookup.calls)
      }
      return named.flatMap { frame, call -> [Call] in
        guard let call else { return [] }
        return call.isOwn ? FrameLookup.calls(at: frame) : [call]
      }
    }

    /// The innermost call of the program with a known line.
    private var innermostOwnCall: Call? {
      guard let backtrace, FrameLookup.isFormatKnown else { return calls.first { $0.isOwn && $0.path != nil } }
      for (frame, call) in FrameLookup.names(of: backtrace) where call?.isOwn ?? false {
        if let own = FrameLookup.calls(at: frame).first(where: { $0.isOwn && $0.path != nil }) { return own }
      }
      return nil
    }

    private var addresses: [String] { backtrace?.frames.map(\.description) ?? [] }
  #else
    private let symbols: [String]

    /// Functions of a suspended task are not known here.
    init(waitingIn calls: [UInt]) { symbols = [] }

    private init(symbols: [String]) { self.symbols = symbols }

    static func capture() -> CreationTrace {
      CreationTrace(symbols: Array(Thread.callStackSymbols.prefix(depth)))
    }

    /// Captures the innermost frames only.
    static func captureInnermost() -> CreationTrace {
      CreationTrace(symbols: Array(Thread.callStackSymbols.prefix(innermostDepth)))
    }

    private var calls: [Call] {
      symbols.compactMap { Self.rawName(in: $0).flatMap { Self.call(rawName: $0, path: nil, line: 0) } }
    }

    private var innermostOwnCall: Call? { calls.first { $0.isOwn && $0.path != nil } }

    private var addresses: [String] { symbols }
  #endif

  static func == (left: Self, right: Self) -> Bool { left.addresses == right.addresses }

  func hash(into hasher: inout Hasher) { hasher.combine(addresses) }

  // MARK: Telling

  /// The program's own calls, without those of this library and of the system.
  private var ownCalls: [Call] {
    let all = calls
    let own = all.filter(\.isOwn)
    var seen: Set<Call> = []
    return (own.isEmpty ? all : own).filter { seen.insert($0).inserted }
  }

  /// A few lines for a report.
  var lines: [String] {
    let calls = ownCalls
    if calls.isEmpty { return ["created by: functions whose names are unknown"] }
    let rest = calls.count - Self.shownCount
    return calls.prefix(Self.shownCount).enumerated().map { ($0 == 0 ? "created by: " : "  called by: ") + $1.text }
      + (rest > 0 ? ["  … and \(rest) more calls"] : [])
  }

  /// The innermost call of the program with a known location.
  var ownCall: Call? {
    if let known = Self.ownCalls.withLock({ $0[self] }) { return known }
    let found = innermostOwnCall
    Self.ownCalls.withLock { $0[self] = .some(found) }
    return found
  }

  /// The innermost known location of the program.
  var source: MarbleSource? {
    guard let call = ownCall, let path = call.path else { return nil }
    let file = path.split(separator: "/").last.map(String.init) ?? path
    return MarbleSource(fileID: "\(call.module ?? "Tests")/\(file)", filePath: path, line: call.line, column: 1)
  }

  /// The same, for a report: `Feed.swift:12`.
  var place: String? { source.map { "\($0.fileName):\($0.line)" } }

  // MARK: Names

  /// The call of a function with a mangled name; nil for compiler- and macro-generated functions.
  ///
  /// - Parameter name: The demangled function, if already known.
  static func call(rawName: String, name: String? = nil, path: String?, line: Int) -> Call? {
    if rawName.contains("fMp_") || rawName.contains("fMu") { return nil }
    let full = demangled(rawName)
    if let full,
      ["partial apply", "reabstraction thunk", "protocol witness", "outlined"].contains(where: full.hasPrefix)
        || full.contains("thunk for")
    {
      return nil
    }
    let module = module(rawName: rawName, demangled: full)
    let words = name ?? full.map { shortened($0, module) } ?? rawName
    return Call(module: module, function: words, path: path, line: line)
  }

  /// The module of a function: the first name in the mangled name; for an extension, from the demangled one.
  static func module(rawName: String, demangled: String?) -> String? {
    if let demangled, let start = demangled.range(of: "(extension in ") {
      return String(demangled[start.upperBound...].prefix { $0 != ")" })
    }
    guard let start = ["$s", "$S", "_$s"].first(where: rawName.hasPrefix) else { return nil }
    let rest = rawName.dropFirst(start.count)
    let digits = rest.prefix { $0.isASCII && $0.isNumber }
    // The standard library has letters instead of a length.
    guard let count = Int(digits) else { return "Swift" }
    return String(rest.dropFirst(digits.count).prefix(count))
  }

  /// A function without its modules, generic arguments and result types.
  private static func shortened(_ name: String, _ module: String?) -> String {
    var name = name
    // `(1) suspend resume partial function for`, `(2) await resume partial function for`.
    if let end = name.range(of: "partial function for ") { name = String(name[end.upperBound...]) }
    if let end = name.range(of: "generic specialization <"), let of = name.range(of: "> of "),
      end.lowerBound < of.lowerBound
    {
      name = String(name[of.upperBound...])
    }
    // `(show in _7466C1C4…)` of a private declaration.
    name = name.replacing(/\(([^() ]+) in _[0-9A-F]{32}\)/) { String($0.output.1) }
    for module in (module.map { [$0] } ?? []) + hiddenModules { name = name.replacing("\(module).", with: "") }
    if let module { name = name.replacing("(extension in \(module)):", with: "") }
    // The type of a closure: `closure #1 (Int) -> () in show()`.
    name = name.replacing(/(closure #\d+) .*? in (?=[^()]*\(|[^ ]+$)/) { "\($0.output.1) in " }
    // The result: `show() -> ()`.
    if let arrow = name.range(of: " -> ", options: .backwards), !name[arrow.lowerBound...].contains(" in ") {
      name = String(name[..<arrow.lowerBound])
    }
    for word in [" async throws", " async", " throws"] where name.hasSuffix(word) { name.removeLast(word.count) }
    return name
  }

  /// The mangled name in a line of `Thread.callStackSymbols`: the word with the prefix of mangled names.
  static func rawName(in symbol: String) -> String? {
    symbol.split { $0 == " " || $0 == "(" || $0 == "+" || $0 == ")" }.first {
      $0.hasPrefix("$s") || $0.hasPrefix("_$s")
    }
    .map(String.init)
  }

  /// The demangled name, as in source code; nil if the name is not mangled.
  static func demangled(_ rawName: String) -> String? {
    guard let text = runtimeDemangle(rawName, rawName.utf8.count, nil, nil, 0) else { return nil }
    defer { free(text) }
    return String(cString: text)
  }
}

/// The runtime's function that demangles a name.
@_silgen_name("swift_demangle")
private func runtimeDemangle(
  _ name: UnsafePointer<CChar>, _ length: Int, _ buffer: UnsafeMutablePointer<CChar>?,
  _ size: UnsafeMutablePointer<Int>?,
  _ flags: UInt32
) -> UnsafeMutablePointer<CChar>?
