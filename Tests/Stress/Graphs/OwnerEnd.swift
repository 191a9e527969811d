import Signals

/// Notes the end of a receiver's subscription when its owner is deallocated: no further call of its handler may begin.
final class OwnerEnd: Sendable {
  private let receiver: Receiver

  init(of receiver: Receiver) { self.receiver = receiver }

  deinit { receiver.noteDisposal() }
}

/// An owner without a bag.
final class PlainOwner: Sendable {
  private let end: OwnerEnd

  init(_ end: OwnerEnd) { self.end = end }
}

/// An owner with a bag of its own.
final class BagOwner: DisposeBagOwner {
  let disposeBag = DisposeBag()
  private let end: OwnerEnd

  init(_ end: OwnerEnd) { self.end = end }
}

/// An owner on which the handler runs.
actor ActorOwner {
  private let end: OwnerEnd

  init(_ end: OwnerEnd) { self.end = end }
}
