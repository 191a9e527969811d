import SignalGraph
import Testing

@testable import SignalRecording

@Suite("An owner of what a task makes")
struct GraphOwnerTests {
  private struct Broken: Error {}

  private let recorder = GraphRecorder()

  @Test("is that of whatever is made in it, also in child tasks, and of the innermost")
  func owners() async {
    await recorder.record {
      await withGraphOwner("outer") {
        let step = GraphReporter("step", named: "outer step")
        await withGraphOwner("inner") {
          await withTaskGroup { group in
            group.addTask { GraphReporter("step", named: "inner step").finish() }
          }
        }
        let task = Task { GraphReporter("step", named: "task's step").finish() }
        await task.value
        step.finish()
      }
      GraphReporter("step", named: "step outside").finish()
    }
    let owners = recorder.snapshot().nodes.map { "\($0.name ?? ""): \($0.owner ?? "-")" }
    #expect(owners == ["outer step: outer", "inner step: inner", "task's step: outer", "step outside: -"])
  }

  @Test("is gone when the closure has returned or thrown: what still lives has leaked")
  func leaks() async throws {
    var kept: [GraphReporter] = []
    _ = await recorder.record {
      await withGraphOwner("service") {
        kept.append(GraphReporter("step"))
        #expect(recorder.snapshot().nodes[0].findings == [])
      }
      await #expect(throws: Broken.self) {
        try await withGraphOwner("broken service") {
          kept.append(GraphReporter("step"))
          throw Broken()
        }
      }
    }
    #expect(recorder.snapshot().nodes.map(\.findings) == [[.leaked], [.leaked]])
    for step in kept { step.cancel() }
    #expect(recorder.snapshot().nodes.map(\.findings) == [[], []])
  }

  @MainActor @Test("runs the closure where it is called")
  func isolation() async {
    await withGraphOwner("main") { MainActor.assertIsolated() }
  }
}
