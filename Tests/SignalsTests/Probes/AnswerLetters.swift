import SignalTesting
import Signals

extension Signal where Value == Bool {
  /// `true` as t and `false` as f, for diagrams.
  var asLetters: Signal<String> { map { $0 ? "t" : "f" } }
}

extension MarbleInput where Value == String {
  /// The letter t as `true`, any other one as `false`.
  var answers: Signal<Bool> { signal.map { $0 == "t" } }
}
