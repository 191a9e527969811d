import Signals

extension Departure.Cause {
  /// A description of the failure and its remedy.
  ///
  /// - Parameters:
  ///   - departures: All with this reason and one origin.
  ///   - use: How the test uses virtual time.
  func explanation(of departures: [Departure], in use: Departure.Use) -> String {
    switch self {
    case .unfinishedDeclaration:
      return "It waits for an event that never comes, or for something outside virtual time."
    case .realScheduler:
      return
        "Work was scheduled in real time, on a queue of the system, where the test does not wait for it. Pass the test's scheduler to the operator."
    case .realTimeRead:
      return
        "The time of a scheduler of the system was read, which does not advance with the test. Pass the test's scheduler to the operator or the emitter."
    case .realSleep:
      return "A task slept in real time" + Self.listed(departures.map(\.sleepWords), after: " ")
        + ". Let the code take a clock, and pass the test's scheduler as that clock"
        + (VirtualSystem.isThere ? ", or let the system's time be virtual: `systemTime: .virtual`." : ".")
    case .realTimer:
      return "A timer of a dispatch source was set, which fires in real time"
        + Self.listed(departures.map(\.placeWords), after: " ")
        + ". Replace it with `Signal.interval` or a clock, on the test's scheduler."
    case .mainActor:
      return
        "A task switched to the main actor, which is outside this virtual time. Run the test on the main actor: @MainActor @Test func …"
    case .offMainActor:
      return "Code that has to run on the main actor ran outside of it"
        + Self.listed(departures.map(\.placeWords), after: " ")
        + ", which ends a program. Call it with `await`, in a function of the main actor or in `MainActor.run`."
    case .dispatched:
      return
        "A task or another work item submitted work to a dispatch queue, where it runs at an unpredictable time. Let the code take a scheduler, a clock or a closure instead of the queue, "
        + "and pass it one of the test's."
    case .mainQueue:
      return
        "Work was submitted to the main queue, which is outside this virtual time. Run the test on the main actor: @MainActor @Test func …"
    case .blocked:
      let waits = departures.map { departure -> String? in
        let object = departure.details.first ?? "something"
        return "for \(object)" + (departure.placeWords.map { " \($0)" } ?? "")
      }
      return "A thread waited" + Self.listed(waits, after: " ")
        + ", and no work is left in virtual time that could end the wait. "
        + (departures.lazy.compactMap { $0.details.dropFirst().first }.first
          ?? "Let a task or a queue that the test started end it, pass a timeout, or wait in `withRealTime { }` for a thread outside.")
    case .nestedTooDeeply:
      return
        "A thread that waits runs other work meanwhile, on the same stack, and so much of that work waits too that the stack is full"
        + Self.listed(departures.map(\.placeWords), after: " ")
        + ". Start less work that waits at once, let it sleep in tasks (`await Task.sleep`), or wait in `withRealTime { }`."
    case .otherTest:
      return
        "A task ran in another test, which uses the same actor at the same time, so tasks run in no fixed order. Give each test its own actor, or put the "
        + "tests that share a global actor into one suite with the trait .serialized."
    case .cameBack:
      return
        "A task was resumed by another thread: it waited for something outside virtual time. " + use.replacement
    case .scheduledElsewhere:
      return
        "Another thread scheduled work in this virtual time, at an unpredictable moment. Send values and subscribe on the test's own thread "
        + "or in tasks that it starts."
    case .scheduledInside:
      return "Work in an inner virtual time was scheduled on the scheduler of this outer one"
        + Self.listed(departures.map(\.placeWords), after: " ")
        + ", whose time does not pass meanwhile. Use the scheduler of the inner one."
    case .eventElsewhere:
      return
        "An expectation, a probe or a recorder received an event from another thread, at an unpredictable moment. Send values on the test's own thread or in tasks that it starts."
    case .neverDue:
      return
        "Advance time with `try time.advance(by:)`, or use the asynchronous form, in which `try await time.sleep(for:)` advances it."
        + Self.listed(departures.flatMap(\.details), after: " Work left: ")
    case .asleep:
      let tasks = Self.listed(departures.map(\.taskWords), after: ": ")
      return
        "A task is asleep at the end of the test\(tasks). The code after the sleep never runs. Let time pass until the task ends, cancel it, or start "
        + "it \(use.background) if it has no end."
    case .endless where departures.allSatisfy { $0.trace == nil && !$0.details.isEmpty }:
      return "Work reschedules itself endlessly at the end of the test"
        + Self.listed(departures.flatMap(\.details), after: ": ") + ". Schedule it again after a delay."
    case .endless:
      let tasks = Self.listed(departures.map(\.taskWords), after: ": ")
      return
        "A task keeps running after its cancellation\(tasks). End its loop when `Task.isCancelled` or when `sleep` throws."
    case .unfinished:
      let tasks = Self.listed(departures.map(\.taskWords), after: ": ")
      return
        "A task is still waiting after the end of the test, although it was cancelled\(tasks). It waits for a continuation that nothing resumes, or for "
        + "something outside virtual time."
    }
  }

  /// Whether the reason may be an escape that cannot be detected.
  var mayBeUndetected: Bool { [.unfinishedDeclaration, .cameBack, .unfinished].contains(self) }

  /// A few of the strings, each once.
  private static func listed(_ texts: [String?], after prefix: String) -> String {
    var all: [String] = []
    for case let text? in texts where !all.contains(text) { all.append(text) }
    guard !all.isEmpty else { return "" }
    return prefix + all.prefix(5).joined(separator: ", ") + (all.count > 5 ? " and \(all.count - 5) more" : "")
  }
}

extension Departure {
  fileprivate var placeWords: String? { trace?.place.map { "at \($0)" } }

  /// `for 300 ms at Oven.swift:13, in the task started at Oven.swift:12`.
  fileprivate var sleepWords: String? {
    let sleep = [duration.map { "for \(ProbeText.spoken($0))" }, wait?.place.map { "at \($0)" }].compactMap(\.self)
    let start = trace?.place.map { "in the task started at \($0)" }
    let parts = [sleep.isEmpty ? nil : sleep.joined(separator: " "), start].compactMap(\.self)
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  /// `started at Oven.swift:12, until 1 min`; `at Oven.swift:13, until 1 min` if the start is not known.
  fileprivate var taskWords: String? {
    let place = trace?.place.map { "started at \($0)" } ?? wait?.place.map { "at \($0)" }
    let parts = [place, moment.map { "until \(ProbeText.spoken($0.sinceOrigin))" }].compactMap(\.self)
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }
}

extension Duration {
  /// The requested duration, of which a little has passed: rounded up to the coarsest decimal unit that adds at most 1
  /// % and 20 ms, or on a slow machine, at most the time that may have passed and 10 %. `nil` if all of it has passed.
  ///
  /// - Parameters:
  ///   - remaining: The remaining nanoseconds.
  ///   - elapsed: The nanoseconds that may have passed since the request.
  init?(askedFor remaining: Int64, elapsed: Int64) {
    guard remaining > 0 else { return nil }
    let slack = max(50_000, min(20_000_000, remaining / 100), min(elapsed, remaining / 10))
    var unit: Int64 = 3_600_000_000_000
    while unit > 1_000 {
      let (sum, isTooLong) = remaining.addingReportingOverflow(unit - 1)
      let rounded = isTooLong ? .max : sum / unit * unit
      if rounded > 0, rounded - remaining <= slack {
        self = .nanoseconds(rounded)
        return
      }
      unit = unit == 3_600_000_000_000 ? 60_000_000_000 : unit == 60_000_000_000 ? 10_000_000_000 : unit / 10
    }
    self = .nanoseconds(remaining)
  }
}
