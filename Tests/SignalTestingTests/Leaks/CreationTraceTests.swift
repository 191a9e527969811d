import Signals
import Testing

@testable import SignalTesting

#if canImport(Runtime) && !canImport(Darwin)
  import Runtime
#endif

/// How the program came to make what leaks.
@Suite struct CreationTraceTests {
  private let keeper = LeakKeeper()
  private let keys = Emitter<Int>()

  private func leaks(tracing: Bool = true, _ body: () throws -> Void) rethrows -> [Leak] {
    let check = LeakCheck(patience: .brief, tracesCreation: tracing)
    defer { check.recorder.close() }
    try check.recorder.record(body)
    return check.leaks()
  }

  @inline(never) private func show() { Screen(keys, keeper).watch() }

  @Test func aSubscriptionIsToldWithTheCallsThatMadeIt() {
    let leaks = leaks { show() }
    #expect(leaks.count == 1)
    let lines = leaks.first?.trace?.lines ?? []
    #expect(lines.first?.contains("Screen.watch()") == true, "\(lines)")
    #expect(lines.first?.hasPrefix("created by: ") == true)
    #expect(lines.contains { $0.hasPrefix("  called by: ") && $0.contains("CreationTraceTests.show()") }, "\(lines)")
    #expect(leaks.first?.message.contains("\n  created by: ") == true)
    #expect(lines.count <= 9)
  }

  @Test func anotherWayToTheSameLineIsAnotherLeak() {
    let leaks = leaks {
      show()
      show()
      Screen(keys, keeper).watch()
    }
    #expect(leaks.map(\.count).reduce(0, +) == 3)
    #expect(leaks.count > 1)
  }

  @Test func workIsToldWithTheCallsThatMadeIt() {
    let scheduler = VirtualTimeScheduler()
    let leaks = leaks { keeper.keep(scheduler.schedule(after: .seconds(1)) {}) }
    #expect(leaks.first?.trace?.lines.first?.contains("workIsToldWithTheCallsThatMadeIt()") == true, "\(leaks)")
  }

  @Test func nothingIsCapturedUnlessItIsAskedFor() {
    let leaks = leaks(tracing: false) { show() }
    #expect(leaks.count == 1)
    #expect(leaks.first?.trace == nil)
    #expect(!CreationTrace.isRequested)
  }

  @Test(.enabled(if: TaskHooks.areThere)) func aTaskThatNobodyControlsIsToldWithItsPlace() throws {
    try withVirtualTime { time in
      let leaks = try leaks {
        time.background { Task { try await time.sleep(for: .seconds(1)) } }
        try time.advance()
      }
      #expect(leaks.first?.chain == "Task { } CreationTraceTests.swift:\(#line - 3)", "\(leaks)")
    }
  }

  #if canImport(Runtime) && !canImport(Darwin)
    @Test func singleFramesAreThoseOfTheWholeBacktrace() throws {
      #expect(FrameLookup.isFormatKnown)
      let backtrace = try Backtrace.capture(limit: 8, top: 0, images: FrameLookup.images)
      let calls = backtrace.frames.flatMap(FrameLookup.calls)
      #expect(calls == FrameLookup.calls(of: backtrace))
      #expect(calls.contains { $0.text.hasSuffix("CreationTraceTests.swift:\(#line - 3)") }, "\(calls)")
    }
  #endif

  @Test func modulesAreReadFromTheCompilersNames() {
    #expect(CreationTrace.module(rawName: "$s7MyTests3fooyyF", demangled: nil) == "MyTests")
    #expect(CreationTrace.module(rawName: "_$s7MyTests3fooyyF", demangled: nil) == "MyTests")
    #expect(CreationTrace.module(rawName: "$sSa6appendyyxnF", demangled: nil) == "Swift")
    #expect(CreationTrace.module(rawName: "main", demangled: nil) == nil)
    let name = "$s7Signals6SignalV7MyTestsE5debugyyF"
    #expect(CreationTrace.module(rawName: name, demangled: CreationTrace.demangled(name)) == "MyTests")
  }

  @Test func linesOfTheSystemAreRead() {
    let apple = "3   MyTests             0x0000000104a1c2d0 $s7MyTests3fooyyF + 44"
    #expect(CreationTrace.rawName(in: apple) == "$s7MyTests3fooyyF")
    let linux = "/a/MyTests.xctest($s7MyTests3fooyyF+0x2c) [0x55d0]"
    #expect(CreationTrace.rawName(in: linux) == "$s7MyTests3fooyyF")
    #expect(CreationTrace.rawName(in: "4   libc    0x1 main + 1") == nil)
    let call = CreationTrace.call(rawName: "$s7MyTests3fooyyF", path: nil, line: 0)
    #expect(call?.text == "foo()")
  }

  @Test func whatTheCompilerHasPutInBetweenIsLeftOut() {
    #expect(CreationTrace.call(rawName: "$s7MyTests3fooyyFTA", path: nil, line: 0) == nil)
  }
}

private final class Screen: Sendable {
  private let keys: Emitter<Int>
  private let keeper: LeakKeeper

  init(_ keys: Emitter<Int>, _ keeper: LeakKeeper) {
    self.keys = keys
    self.keeper = keeper
  }

  @inline(never) func watch() {
    keys.signal.map { $0 + 1 }.subscribe { _ in }.store(in: keeper.bag)
  }
}
