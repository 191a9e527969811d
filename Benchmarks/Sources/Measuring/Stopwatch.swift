import Dispatch

/// Times work that is repeated.
package enum Stopwatch {
  /// The nanoseconds of one repetition. One more, with the index `count`, warms up; work that is done only once goes without.
  package static func nanoseconds(repeating count: Int, _ body: (Int) -> Void) -> Double {
    if count > 1 { body(count) }
    let start = DispatchTime.now().uptimeNanoseconds
    for index in 0..<count { body(index) }
    return Double(DispatchTime.now().uptimeNanoseconds - start) / Double(count)
  }
}
