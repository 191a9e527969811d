#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#elseif canImport(WASILibc)
  import WASILibc
#else
  #error("SignalGraph asks the system for the process: it knows Darwin, Glibc, Musl, Android and WASI.")
#endif

/// The process of a snapshot.
public struct ProcessIdentity: Codable, Hashable, Sendable {
  /// The program's name, without its directory.
  public var name: String
  /// The process identifier.
  public var pid: Int32
  /// The start time of the process, in seconds since 1 January 1970 UTC.
  public var startedAt: Double

  /// Creates an identity from its parts.
  ///
  /// - Parameters:
  ///   - name: The program's name, without its directory.
  ///   - pid: The process identifier.
  ///   - startedAt: The start time of the process, in seconds since 1 January 1970 UTC.
  public init(name: String, pid: Int32, startedAt: Double) {
    self.name = name
    self.pid = pid
    self.startedAt = startedAt
  }
}

extension ProcessIdentity {
  /// This process. Read once, so that every use in one process gives the same start time.
  public static let current = ProcessIdentity(
    name: ProcessInfo.processInfo.processName, pid: getpid(),
    startedAt: startOfThisProcess() ?? Date().timeIntervalSince1970)

  #if canImport(Darwin)
    private static func startOfThisProcess() -> Double? {
      var info = kinfo_proc()
      var size = MemoryLayout<kinfo_proc>.stride
      var name = [CTL_KERN, KERN_PROC, KERN_PROC_PID, getpid()]
      guard sysctl(&name, u_int(name.count), &info, &size, nil, 0) == 0, size > 0 else { return nil }
      let start = info.kp_proc.p_un.__p_starttime
      return Double(start.tv_sec) + Double(start.tv_usec) / 1_000_000
    }
  #else
    private static func startOfThisProcess() -> Double? {
      guard let process = try? String(contentsOfFile: "/proc/self/stat", encoding: .utf8),
        let system = try? String(contentsOfFile: "/proc/stat", encoding: .utf8),
        // The second field is the program's name in parentheses and may hold anything; the rest follows its last
        // parenthesis.
        let afterName = process.lastIndex(of: ")"),
        let boot = system.split(separator: "\n").first(where: { $0.hasPrefix("btime ") }),
        let bootTime = Double(boot.dropFirst("btime ".count))
      else { return nil }
      let fields = process[process.index(after: afterName)...].split(separator: " ")
      // Field 22 of the line is the start in clock ticks since boot; `fields` begins with field 3.
      let ticksPerSecond = Double(sysconf(Int32(_SC_CLK_TCK)))
      guard fields.count > 19, let ticks = Double(fields[19]), ticksPerSecond > 0 else { return nil }
      return bootTime + ticks / ticksPerSecond
    }
  #endif
}
