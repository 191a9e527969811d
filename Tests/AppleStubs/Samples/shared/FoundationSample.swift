import Combine
import Foundation
import SignalCocoa
import SignalCombine
import Signals

final class Download: NSObject, Sendable {
  let fraction = 0.0
}

func watch(_ download: Download, _ bag: DisposeBag) {
  download.signal(for: \.fraction).subscribe { print($0) }.store(in: bag)
}

/// Not `Sendable`, and used on the main actor.
final class Player: NSObject {
  var rate = 0.0
}

@MainActor func watch(_ player: Player, _ bag: DisposeBag) {
  player.signal(for: \.rate).subscribe { print($0) }.store(in: bag)
}

func bridge(_ numbers: Signal<Int>) -> Signal<Int> {
  numbers.publisher(buffering: .newest(10)).signal()
}
