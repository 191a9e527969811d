import SignalGraph
import SignalLocks
import Synchronization

/// The causes recorded at a source while they are tracked.
struct SourceCauses: Sendable {
  /// A value that was sent, or is about to be.
  struct Send: Sendable {
    let number: UInt64
    let beginning: CauseBeginning?
    let moment = secondsSince1970()
    let thread: String
    /// The time of the send on the clock of events; 0 without a recording.
    var began: UInt64 = 0
    var isNoted = false
    /// The handler that sends it, if one does.
    var handler: SendingHandler?
  }

  /// The maximum number of stored waiting sends; the cause of further ones is not known.
  static let largestWaiting = 1_024

  var ring = CauseRing()
  /// The cause of the value that was delivered last.
  var latest: UInt64 = 0
  /// Whether anything delivers to the source, as below `share`.
  var hasInputs = false
  /// The send by the thread inside the source, if it entered to send.
  var entry: Send?
  /// The number of values sent before it entered.
  var sentBefore: UInt64 = 0
  /// The sends enqueued for it, by their numbers in the source.
  var waiting: [UInt64: Send] = [:]

  /// Notes that a value was sent by a source.
  mutating func note(_ send: Send, by source: UInt64) {
    let cause = Cause(send.number, at: send.moment, on: send.thread, send.beginning)
    ring.add(cause, from: send.beginning == nil ? RecentStarts.find(send.number) : nil)
    if send.beginning != nil { RecentStarts.note(cause, at: source) }
    latest = send.number
  }
}

extension SourceCauses {
  /// Whether the thread inside the source has sent its own value, and not only enqueued ones.
  func hasSent(_ sentCount: UInt64) -> Bool { sentCount > sentBefore + UInt64(waiting.count) }

  /// Stores events for the sends of the thread that leaves the source, including those enqueued for it, whose cost is
  /// part of that.
  func record(in events: EventLog, by source: UInt64, _ sentCount: UInt64) {
    if let entry, entry.began > 0, entry.isNoted || sentCount > sentBefore {
      events.add(
        GraphEvent(
          .sent, node: source, cause: entry.number, since: entry.began, thread: entry.thread, entry.beginning))
    }
    for send in waiting.values where send.began > 0 {
      var event = GraphEvent(
        .sent, node: source, cause: send.number, since: send.began, thread: send.thread, send.beginning)
      event.duration = 0
      events.add(event)
    }
  }
}

extension SourceNode.Counters {
  /// Makes each thread that enters the source record it.
  ///
  /// - Returns: False if the source's lock was not free, without which that bit may get lost.
  func beginTracing() -> Bool {
    guard let trace, let gate else { return true }
    return trace.set(trace.lock, gate)
  }

  /// Stops that. It needs no lock, see the description of the gate's state.
  func endTracing() { gate?.pointee.bitwiseAnd(~Self.tracedBit, ordering: .relaxed) }
}

extension SourceNode {
  /// Tracks sends if the recorder tracks causes; else stops that, and discards the notes. Not under the source's lock.
  func updateTracing() {
    // If both are needed, the source's lock is taken before this node's, so this does not wait for it under this
    // node's.
    while !updateTracingUnlessLocked() { yieldThread() }
  }

  /// - Returns: False if the source's lock was not free.
  private func updateTracingUnlessLocked() -> Bool {
    state.withLock { state in
      // Read here, so that the last caller sees the latest state.
      let isOn = isTraced
      if isOn {
        guard state.counters?.beginTracing() ?? true else { return false }
      } else {
        state.counters?.endTracing()
      }
      if state.isTraced != isOn { state.keepCauses(isOn) }
      return true
    }
  }

  /// Stops tracking, as the recorder no longer lists this, and discards the notes.
  func forgetCauses() {
    state.withLock { state in
      guard state.isTraced else { return }
      state.counters?.endTracing()
      state.keepCauses(false)
    }
  }

  /// Notes that something delivers to the source.
  func noteInput() {
    state.withLock { _ = $0.change { causes, _ in causes.hasInputs = true } }
  }

  /// Notes that this thread enters the source, perhaps to send. Called under the source's lock.
  package func entered() {
    guard isTraced else { return }
    let thread = CauseTracing.thread
    var send = newSend(thread)
    send.handler = SendingHandler.current
    let isNoted: Void? = state.withLock { state in
      state.change { causes, counters in
        causes.entry = send
        causes.sentBefore = counters?.sentCount ?? 0
        causes.waiting = [:]
      }
    }
    if isNoted != nil { thread.push(CauseFrame(place: .source(self), number: send.number)) }
  }

  /// Notes that this thread leaves the source. Called under the source's lock.
  package func left() {
    CauseTracing.thread.pop(self)
    let events = events
    let handler: SendingHandler?? = state.withLock { state in
      state.change { causes, counters in
        // Once, whatever the number of subscribers. A thread that entered for another reason may have delivered
        // enqueued values.
        let handler = causes.hasSent(counters?.sentCount ?? 0) ? causes.entry?.handler : nil
        if events.isOn { causes.record(in: events, by: identifier, counters?.sentCount ?? 0) }
        if let entry = causes.entry, !entry.isNoted, counters?.sentCount ?? 0 > causes.sentBefore {
          causes.note(entry, by: identifier)
        }
        for number in causes.waiting.keys.sorted() {
          if let send = causes.waiting[number], !send.isNoted { causes.note(send, by: identifier) }
        }
        causes.entry = nil
        causes.waiting = [:]
        return handler
      }
    }
    if case let handler?? = handler { recorder?.noteSend(from: handler, to: identifier) }
  }

  /// Notes that a value is about to be enqueued for the thread inside.
  func noteWaiting() {
    let send = newSend(CauseTracing.thread)
    state.withLock { state in
      _ = state.change { causes, counters in
        guard let number = counters?.nextWaitingNumber else { return }
        if causes.waiting.count < SourceCauses.largestWaiting { causes.waiting[number] = send }
      }
    }
  }

  /// The send made here and now: it continues the cause of its upstream, or begins one.
  private func newSend(_ thread: CauseThread) -> SourceCauses.Send {
    var send = sendWithCause(thread)
    if events.isOn { send.began = EventLog.now }
    return send
  }

  /// Whether the thread that entered with a cause is still inside.
  func isEntered(with number: UInt64) -> Bool {
    state.withLock { $0.change { causes, _ in causes.entry?.number == number } ?? false }
  }

  private func sendWithCause(_ thread: CauseThread) -> SourceCauses.Send {
    let frame = CauseTracing.top
    if let frame, let number = number(cameWith: frame) {
      return SourceCauses.Send(number: number, beginning: nil, thread: thread.words)
    }
    let number = CauseTracing.nextNumber()
    if frame == nil { CauseWatch.note(number) }
    return SourceCauses.Send(
      number: number, beginning: frame?.beginning ?? CauseBeginning(.program), thread: thread.words)
  }

  private func number(cameWith frame: CauseFrame) -> UInt64? {
    let number: UInt64? =
      switch frame.place {
      case .way(to: identifier): frame.number
      case .way(let node), .work(let node), .task(let node): node == upstream?.identifier ? frame.number : nil
      case .source(let source):
        source !== self && (upstream != nil || hasInputs) ? source.currentNumber : nil
      case .left: upstream != nil || hasInputs ? frame.number : nil
      case .handler: nil
      }
    return number == 0 ? nil : number
  }

  private var hasInputs: Bool { state.withLock { $0.change { causes, _ in causes.hasInputs } ?? false } }

  /// The cause of the value that the source delivers right now, or of the last one when it delivers its end; 0 if
  /// unknown. On the thread that delivers.
  var currentNumber: UInt64 {
    state.withLock { state in
      state.change { causes, counters in
        guard let counters else { return 0 }
        let begun = counters.lastBegunNumber
        if let send = causes.waiting[begun] {
          if !send.isNoted { causes.note(send, by: identifier) }
          causes.waiting[begun]?.isNoted = true
          return send.number
        }
        guard let entry = causes.entry, counters.sentCount > causes.sentBefore else { return causes.latest }
        if !entry.isNoted { causes.note(entry, by: identifier) }
        causes.entry?.isNoted = true
        return entry.number
      } ?? 0
    }
  }

  /// The cause of the value that was sent last; 0 if unknown.
  var latestNumber: UInt64 {
    state.withLock { $0.change { causes, _ in causes.latest } ?? 0 }
  }
}
