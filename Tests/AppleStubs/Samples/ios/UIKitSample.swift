import SignalCocoa
import Signals
import UIKit

/// A form as a user of UIKit writes it.
@MainActor final class Form {
  private let bag = DisposeBag()
  private let name = Property("")
  private let isOn = Property(false)
  private let label = UILabel()

  func connect(_ field: UITextField, _ button: UIButton, _ toggle: UISwitch, _ item: UIBarButtonItem) {
    field.texts().map { "Hello, \($0)" }.bind(to: \.text, on: label)
    toggle.bindTwoWay(\.isOn, on: .valueChanged, with: isOn)
    button.events(.touchUpInside).subscribeOnMain { [weak self] in self?.save() }.store(in: bag)
    item.events().subscribeOnMain { [weak self] in self?.save() }.store(in: bag)
    UISlider().values(of: \.value, on: .valueChanged).subscribe { print($0) }.store(in: bag)
    UIGestureRecognizer().states().filter { $0 == .ended }.subscribe { _ in }.store(in: bag)
    field.signal(for: \.text).map { $0 ?? "" }.bind(to: name)
    Keyboard.states(of: [.willShow, .willHide])
      .subscribeOnMain { [weak self] state in self?.makeRoom(state.coveredHeight(of: state.endFrame)) }
      .store(in: bag)
  }

  func show(_ changes: Signal<CollectionChange<ItemSection<String>>>, in table: UITableView) {
    let content = SectionedContent<ItemSection<String>>(of: table, showing: [["tea"]])
    content.follow(changes)
  }

  private func save() {}
  private func makeRoom(_ height: Double) {}
}
