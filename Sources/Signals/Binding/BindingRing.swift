/// A binding target with its own signal: a property or an emitter.
@usableFromInline
protocol BindingTarget: AnyObject {
  /// The source of its signal.
  var source: any BindingSource { get }
  /// Whether it drops a value that equals the one before, so that a ring of bindings settles.
  var dropsEqualValues: Bool { get }
}

extension Property: BindingTarget {
  @usableFromInline var source: any BindingSource { core }
  @usableFromInline var dropsEqualValues: Bool { isDuplicate != nil }
}

extension Emitter: BindingTarget {
  @usableFromInline var source: any BindingSource { core }
  @usableFromInline var dropsEqualValues: Bool { false }
}

/// The source of the values of a property or an emitter, type-erased.
@usableFromInline
protocol BindingSource: AnyObject {
  /// The targets that its values are bound to without an operator in between.
  func boundTargets() -> [any BindingTarget]
}

extension EmitterCore: BindingSource {
  @usableFromInline
  func boundTargets() -> [any BindingTarget] {
    listeners.compactMap { listener in
      guard let bond = listener.tag?.unnamed as? OwnerBond, bond.isBinding else { return nil }
      return bond.reachableOwner as? any BindingTarget
    }
  }
}

/// A binding that would pass values round for ever.
struct BindingRing: Error, CustomStringConvertible {
  var description: String {
    "this binding would close a ring in which values go round for ever, so it is not made. Use bindTwoWay(with:), or a property made with removingDuplicates: in the ring"
  }

  /// Reports a binding that would close a ring of properties and emitters, in a debug build.
  ///
  /// Rings with an operator in them are not detected: it may make them settle.
  ///
  /// - Returns: Whether it would.
  /// - Complexity: O(*n*) in the number of subscribers downstream of the target, in a debug build.
  static func isClosed(
    binding source: any BindingSource, to target: any BindingTarget, at site: SubscriptionSite
  ) -> Bool {
    if source === target.source { return true }
    #if DEBUG
      var seen: Set<ObjectIdentifier> = []
      var next: [any BindingTarget] = [target]
      while let target = next.popLast() {
        if target.dropsEqualValues || !seen.insert(ObjectIdentifier(target)).inserted { continue }
        if target.source === source {
          UnhandledFailure.endHandler(at: site, .current)(.failed(BindingRing()))
          return true
        }
        next += target.source.boundTargets()
      }
    #endif
    return false
  }
}

extension Signal {
  /// Whether binding this signal to a target would pass values round for ever; reports it, unless both are the same.
  @usableFromInline
  func closesRing(with target: any BindingTarget, at site: SubscriptionSite) -> Bool {
    guard case .emitter(let source) = storage else { return false }
    return BindingRing.isClosed(binding: source, to: target, at: site)
  }
}
