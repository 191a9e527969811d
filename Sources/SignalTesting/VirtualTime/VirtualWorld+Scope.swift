import Signals

extension VirtualWorld {
  /// Runs a closure inside, where operators that leave virtual time can be named: unless somebody records already, they are recorded for this.
  func scope<Result>(_ body: () throws -> Result) rethrows -> Result {
    guard GraphRecorder.current == nil else { return try inside(body) }
    let recorder = GraphRecorder(endedLimit: 0)
    defer { recorder.close() }
    return try recorder.record { try inside(body) }
  }
}
