import SignalGraph

extension NodeReference {
  /// Notes that an attempt of the node, which subscribes again after failures, has failed.
  ///
  /// - Parameter delay: The delay before the next one, if there is one and the delay is known.
  package func noteFailedAttempt(_ error: any Error, waiting delay: Duration?) {
    // Here, and not under the lock: both are the program's code.
    let text = record.words(of: error)
    let now = secondsSince1970()
    record.changeAttempts(of: identifier) { known in
      known = Attempts(
        failed: (known?.failed ?? 0) + 1, lastFailure: text, failedAt: now, delay: delay.map { $0 / .seconds(1) })
    }
  }

  /// Notes that an attempt of the node begins.
  package func noteAttempt() {
    record.changeKnownAttempts(of: identifier) { $0?.delay = nil }
  }
}
