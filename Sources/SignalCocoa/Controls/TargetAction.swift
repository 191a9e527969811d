#if canImport(ObjectiveC)
  import Foundation
  import ObjectiveC

  /// Creates a target with an action from a relay. It is attached to its sender.
  @MainActor
  final class TargetAction: NSObject {
    static let selector = #selector(TargetAction.fire)
    private let relay: EventRelay

    init(_ relay: EventRelay, carriedBy sender: AnyObject) {
      self.relay = relay
      super.init()
      objc_setAssociatedObject(sender, Self.key(relay), self, .OBJC_ASSOCIATION_RETAIN)
    }

    @objc func fire() { relay.fire() }

    /// The target of a relay.
    static func of(_ relay: EventRelay, carriedBy sender: AnyObject) -> TargetAction? {
      objc_getAssociatedObject(sender, key(relay)) as? TargetAction
    }

    /// Releases the target of a relay.
    static func drop(_ relay: EventRelay, carriedBy sender: AnyObject) {
      objc_setAssociatedObject(sender, key(relay), nil, .OBJC_ASSOCIATION_RETAIN)
    }

    /// The address of the relay, which lives as long as its target: it is never dereferenced.
    private static func key(_ relay: EventRelay) -> UnsafeRawPointer {
      UnsafeRawPointer(Unmanaged.passUnretained(relay).toOpaque())
    }
  }

  /// The target of an object that supports only one. It replaces the previous target for all relays, and forwards each
  /// action to it.
  @MainActor
  final class SoleTarget: NSObject {
    static let selector = #selector(SoleTarget.fire(_:))
    private static let key = UnsafeRawPointer(Unmanaged.passUnretained(SoleTarget.self as AnyObject).toOpaque())
    let relays = RelayList()
    /// The replaced target.
    private(set) weak var previousTarget: AnyObject?
    private(set) var previousAction: Selector?
    private let forward: @MainActor (Selector, AnyObject?, AnyObject) -> Void

    init(
      _ target: AnyObject?, _ action: Selector?, forward: @escaping @MainActor (Selector, AnyObject?, AnyObject) -> Void
    ) {
      previousTarget = target
      previousAction = action
      self.forward = forward
      super.init()
    }

    /// Notes a target that the program has set in the meantime.
    func replacePrevious(_ target: AnyObject?, _ action: Selector?) {
      previousTarget = target
      previousAction = action
    }

    @objc func fire(_ sender: AnyObject) {
      if let previousAction { forward(previousAction, previousTarget, sender) }
      relays.fire()
    }

    static func carried(by sender: AnyObject) -> SoleTarget? { objc_getAssociatedObject(sender, key) as? SoleTarget }

    static func set(_ target: SoleTarget?, carriedBy sender: AnyObject) {
      objc_setAssociatedObject(sender, key, target, .OBJC_ASSOCIATION_RETAIN)
    }
  }

  /// An object that supports one target.
  @MainActor
  protocol SoleTargetSender: AnyObject {
    var target: AnyObject? { get set }
    var action: Selector? { get set }
  }

  extension SoleTargetSender {
    /// Replaces the target for a relay.
    ///
    /// - Parameter forward: Forwards an action to the previous target.
    func takeTarget(
      for relay: EventRelay, forward: @escaping @MainActor (Selector, AnyObject?, AnyObject) -> Void
    ) {
      let place = SoleTarget.carried(by: self) ?? SoleTarget(target, action, forward: forward)
      if target !== place {
        place.replacePrevious(target, action == SoleTarget.selector ? place.previousAction : action)
      }
      SoleTarget.set(place, carriedBy: self)
      place.relays.add(relay)
      target = place
      action = SoleTarget.selector
    }

    /// Restores the previous target, with the last relay.
    func leaveTarget(for relay: EventRelay) {
      guard let place = SoleTarget.carried(by: self) else { return }
      place.relays.remove(relay)
      guard place.relays.isEmpty else { return }
      if target === place {
        target = place.previousTarget
        action = place.previousAction
      }
      SoleTarget.set(nil, carriedBy: self)
    }
  }
#endif
