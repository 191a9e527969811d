#if canImport(ObjectiveC)
  import Foundation
  import ObjectiveC

  /// Makes a relay a target with an action. Its sender carries it.
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

    /// The target that was made of a relay.
    static func of(_ relay: EventRelay, carriedBy sender: AnyObject) -> TargetAction? {
      objc_getAssociatedObject(sender, key(relay)) as? TargetAction
    }

    /// Lets go of the target that was made of a relay.
    static func drop(_ relay: EventRelay, carriedBy sender: AnyObject) {
      objc_setAssociatedObject(sender, key(relay), nil, .OBJC_ASSOCIATION_RETAIN)
    }

    /// The address of the relay, which lives as long as its target: nobody reads or writes through it.
    private static func key(_ relay: EventRelay) -> UnsafeRawPointer {
      UnsafeRawPointer(Unmanaged.passUnretained(relay).toOpaque())
    }
  }

  /// The target of an object that has room for one only. It takes that place for all relays, and hands each action on to the target that was there.
  @MainActor
  final class SoleTarget: NSObject {
    static let selector = #selector(SoleTarget.fire(_:))
    private static let key = UnsafeRawPointer(Unmanaged.passUnretained(SoleTarget.self as AnyObject).toOpaque())
    let relays = RelayList()
    /// Who had the place before.
    private(set) weak var previousTarget: AnyObject?
    let previousAction: Selector?
    private let forward: @MainActor (Selector, AnyObject?, AnyObject) -> Void

    init(
      _ target: AnyObject?, _ action: Selector?, forward: @escaping @MainActor (Selector, AnyObject?, AnyObject) -> Void
    ) {
      previousTarget = target
      previousAction = action
      self.forward = forward
      super.init()
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

  /// An object that has room for one target.
  @MainActor
  protocol SoleTargetSender: AnyObject {
    var target: AnyObject? { get set }
    var action: Selector? { get set }
  }

  extension SoleTargetSender {
    /// Takes the place of the target for a relay.
    ///
    /// - Parameter forward: Hands an action on to the target that was there.
    func takeTarget(
      for relay: EventRelay, forward: @escaping @MainActor (Selector, AnyObject?, AnyObject) -> Void
    ) {
      let place = SoleTarget.carried(by: self) ?? SoleTarget(target, action, forward: forward)
      SoleTarget.set(place, carriedBy: self)
      place.relays.add(relay)
      target = place
      action = SoleTarget.selector
    }

    /// Puts the target back that was there, with the last relay.
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
