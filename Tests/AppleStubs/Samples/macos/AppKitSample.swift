import AppKit
import SignalCocoa
import Signals

/// A window as a user of AppKit writes it.
@MainActor final class Window {
  private let bag = DisposeBag()
  private let name = Property("")

  func connect(_ field: NSTextField, _ button: NSControl) {
    field.values(of: \.stringValue, on: ()).bind(to: name)
    button.events().subscribeOnMain { print("clicked") }.store(in: bag)
    NSGestureRecognizer().states().filter { $0 == .ended }.subscribe { _ in }.store(in: bag)
    field.signal(for: \.stringValue).bind(to: name)
  }
}
