/// Two or more threads that meet and do the things that race with each other, again and again.
struct Meeting: Sendable {
  let name: String
  /// Makes what one encounter races over.
  let prepare: @Sendable (inout Random, Judge) -> Encounter

  init(_ name: String, _ prepare: @escaping @Sendable (inout Random, Judge) -> Encounter) {
    self.name = name
    self.prepare = prepare
  }
}

/// One time that threads meet.
struct Encounter: Sendable {
  /// How many events it is about, for the statistics.
  var events = 1
  var subscriptions = 1
  /// What the threads do, begun together.
  var acts: [@Sendable () -> Void]
  /// Looks at the result, when all have ended.
  var check: @Sendable () -> Void
}

/// Every meeting. A new one is one entry.
let meetings: [Meeting] = [
  .hopPlace, .delayPlace, .longBurst, .openedAndClosed, .subscribeOnDispose,
  .connectingInside, .connectingBeside,
  .shareThrowDispose, .shareLastAndFirst,
  .raceFirst, .autoconnectLastAndFirst, .connectTogether, .keepsRunningLastAndFirst, .keepsRunningEnd,
  .disposeTwice, .bagTwice, .disposeWhileDelivering, .silencedWhileDelivering,
  .departedWhileWaiting, .churn,
  .oneByOne, .timeoutFallback,
  .ownerGone, .ownerGoneWhileSending, .ownerGoneAfterDisposal, .boundTargetGone,
  .endAndFirst, .newcomers, .behindOwnValue, .oneOrder, .propertyLast,
  .busyNewcomer, .busyTracing,
  .twoWay, .derived, .listeners,
  .values, .mapAsync, .handlerTasks,
]
