import Foundation

/// The time of day, for lines that say when something happened.
enum TimeOfDay {
  /// Such as `09:41:00`.
  static var words: String {
    var (time, parts) = (time(nil), tm())
    localtime_r(&time, &parts)
    return [parts.tm_hour, parts.tm_min, parts.tm_sec].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
  }
}
