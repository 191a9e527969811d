// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, NeverForceUnwrap, DontRepeatTypeInStaticProperties, NoLeadingUnderscores
// Apple's documentation tells what these are; see scripts/check-apple.

@_exported import Foundation

@MainActor open class UIResponder: NSObject {}

extension UIResponder {
  public nonisolated class var keyboardWillShowNotification: Notification.Name { .init("") }
  public nonisolated class var keyboardDidShowNotification: Notification.Name { .init("") }
  public nonisolated class var keyboardWillHideNotification: Notification.Name { .init("") }
  public nonisolated class var keyboardDidHideNotification: Notification.Name { .init("") }
  public nonisolated class var keyboardWillChangeFrameNotification: Notification.Name { .init("") }
  public nonisolated class var keyboardDidChangeFrameNotification: Notification.Name { .init("") }
  public nonisolated class var keyboardFrameBeginUserInfoKey: String { "" }
  public nonisolated class var keyboardFrameEndUserInfoKey: String { "" }
  public nonisolated class var keyboardAnimationDurationUserInfoKey: String { "" }
  public nonisolated class var keyboardAnimationCurveUserInfoKey: String { "" }
  public nonisolated class var keyboardIsLocalUserInfoKey: String { "" }
}

@MainActor public class UIEvent: NSObject {}

@MainActor open class UIApplication: UIResponder {
  open class var shared: UIApplication { UIApplication() }
  open func sendAction(_ action: Selector, to target: Any?, from sender: Any?, for event: UIEvent?) -> Bool { true }
}

@MainActor open class UIView: UIResponder {
  public struct AnimationOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
  }
}

@MainActor open class UIControl: UIView {
  public struct Event: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static var touchUpInside: UIControl.Event { .init(rawValue: 1 << 6) }
    public static var valueChanged: UIControl.Event { .init(rawValue: 1 << 12) }
    public static var editingChanged: UIControl.Event { .init(rawValue: 1 << 17) }
    public static var editingDidEnd: UIControl.Event { .init(rawValue: 1 << 18) }
  }

  open func addTarget(_ target: Any?, action: Selector, for controlEvents: UIControl.Event) {}
  open func removeTarget(_ target: Any?, action: Selector?, for controlEvents: UIControl.Event) {}
}

@MainActor open class UIButton: UIControl {}
@MainActor open class UITextField: UIControl { open var text: String? }
@MainActor open class UISwitch: UIControl { open var isOn = false }
@MainActor open class UISlider: UIControl { open var value: Float = 0 }
@MainActor open class UIStepper: UIControl { open var value: Double = 0 }
@MainActor open class UIDatePicker: UIControl { open var date = Date() }

@MainActor open class UISegmentedControl: UIControl {
  public nonisolated class var noSegment: Int { -1 }
  open var selectedSegmentIndex = 0
}

@MainActor open class UILabel: UIView { open var text: String? }

@MainActor open class UIGestureRecognizer: NSObject {
  public enum State: Int, Sendable { case possible, began, changed, ended, cancelled, failed }
  open var state: UIGestureRecognizer.State { .possible }
  open func addTarget(_ target: Any, action: Selector) {}
  open func removeTarget(_ target: Any?, action: Selector?) {}
}

@MainActor open class UIBarItem: NSObject {}

@MainActor open class UIBarButtonItem: UIBarItem {
  open weak var target: AnyObject?
  open var action: Selector?
}

extension IndexPath {
  public init(item: Int, section: Int) { self.init() }
}

@MainActor open class UITableView: UIView {
  public enum RowAnimation: Int, Sendable { case automatic }
  open func reloadData() {}
  open func performBatchUpdates(_ updates: (() -> Void)?, completion: ((Bool) -> Void)? = nil) {}
  open func insertSections(_ sections: IndexSet, with animation: UITableView.RowAnimation) {}
  open func deleteSections(_ sections: IndexSet, with animation: UITableView.RowAnimation) {}
  open func reloadSections(_ sections: IndexSet, with animation: UITableView.RowAnimation) {}
  open func moveSection(_ section: Int, toSection newSection: Int) {}
  open func insertRows(at indexPaths: [IndexPath], with animation: UITableView.RowAnimation) {}
  open func deleteRows(at indexPaths: [IndexPath], with animation: UITableView.RowAnimation) {}
  open func reloadRows(at indexPaths: [IndexPath], with animation: UITableView.RowAnimation) {}
  open func moveRow(at indexPath: IndexPath, to newIndexPath: IndexPath) {}
}

@MainActor open class UICollectionView: UIView {
  open func reloadData() {}
  open func performBatchUpdates(_ updates: (() -> Void)?, completion: ((Bool) -> Void)? = nil) {}
  open func insertSections(_ sections: IndexSet) {}
  open func deleteSections(_ sections: IndexSet) {}
  open func reloadSections(_ sections: IndexSet) {}
  open func moveSection(_ section: Int, toSection newSection: Int) {}
  open func insertItems(at indexPaths: [IndexPath]) {}
  open func deleteItems(at indexPaths: [IndexPath]) {}
  open func reloadItems(at indexPaths: [IndexPath]) {}
  open func moveItem(at indexPath: IndexPath, to newIndexPath: IndexPath) {}
}
