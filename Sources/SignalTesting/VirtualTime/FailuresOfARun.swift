/// What a closure lets fail, and in which lines, outside of a test: for what is run again and again.
package func failuresOfARun(_ body: () -> Void) -> [(message: String, line: Int?)] {
  let capture = FailureCapture()
  capture.hold(body)
  return capture.take().map { ($0.message, $0.source?.line) }
}
