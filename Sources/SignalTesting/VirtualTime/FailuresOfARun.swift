/// The failures of a closure, with their lines, outside of a test: for code that runs repeatedly.
package func failuresOfARun(_ body: () -> Void) -> [(message: String, line: Int?)] {
  let capture = FailureCapture()
  capture.hold(body)
  return capture.take().map { ($0.message, $0.source?.line) }
}
