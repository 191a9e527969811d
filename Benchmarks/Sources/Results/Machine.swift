import Foundation

/// Where and when something was measured.
package struct Machine: Codable {
  package var processor: String
  package var cores: Int
  package var swift: String
  package var system: String
  package var date: String

  package static func current(swift: String) -> Machine {
    let lines = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8))?.split(separator: "\n") ?? []
    let model = lines.first { $0.hasPrefix("model name") }?.split(separator: ":").last
    return Machine(
      processor: model.map { $0.trimmingCharacters(in: .whitespaces) } ?? "unknown",
      cores: ProcessInfo.processInfo.activeProcessorCount, swift: swift,
      system: ProcessInfo.processInfo.operatingSystemVersionString,
      date: Date().formatted(.iso8601.year().month().day()))
  }
}
