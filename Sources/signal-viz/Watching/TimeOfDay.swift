import Foundation

/// The time of day, for log lines.
enum TimeOfDay {
  /// The time in a form such as `09:41:00`.
  static var words: String {
    var (time, parts) = (time(nil), tm())
    localtime_r(&time, &parts)
    return [parts.tm_hour, parts.tm_min, parts.tm_sec].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
  }
}
