import Signals

// The cure: keep the count in a `Property`, or in an object.
func countNames() -> Subscription {
  var count = 0
  return users.signal
    .map(\.name)
    .subscribe { _ in count += 1 }  // error: mutation of captured var 'count' in concurrently-executing code
}
