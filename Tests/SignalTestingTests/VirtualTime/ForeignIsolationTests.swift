import SignalTesting
import Signals
import Testing

/// A test on an actor other than the main actor: its tasks wait for the test itself.
@Suite struct ForeignIsolationTests {
  @globalActor actor TestActor {
    static let shared = TestActor()
  }

  private func expectRejection(_ issues: [Issue], actor: String = "TestActor", line: Int) {
    #expect(issues.count == 1, "\(issues)")
    #expect(issues.first?.sourceLocation?.line == line)
    let message = issues.first?.comments.first?.rawValue ?? ""
    #expect(message.contains(actor), "\(message)")
    #expect(message.contains("@MainActor"), "\(message)")
  }

  @Test @TestActor func synchronousForm() {
    let issues = issuesOf {
      withVirtualTime { time in
        Task { Issue.record("unreachable") }
        try? time.advance()
      }
    }
    expectRejection(issues, line: #line - 5)
  }

  @Test @TestActor func asynchronousForm() {
    let issues = issuesOf {
      try? withVirtualTime { time in try await time.sleep(for: .seconds(1)) }
    }
    expectRejection(issues, line: #line - 2)
  }

  @Test @TestActor func marbleTest() {
    let issues = issuesOf {
      marbles { m in
        let source = m.hot("-a-")
        m.at(.milliseconds(2)) { Task { Issue.record("unreachable") } }
        m.expect(source.signal, "-a-")
      }
    }
    expectRejection(issues, line: #line - 6)
  }

  private actor Bench {
    private func fail() { Issue.record("unreachable") }

    func synchronousForm() -> (issues: [Issue], line: Int) {
      let issues = issuesOf {
        withVirtualTime { time in
          Task { fail() }
          try? time.advance()
        }
      }
      return (issues, #line - 5)
    }

    func marbleTest() -> (issues: [Issue], line: Int) {
      let issues = issuesOf {
        marbles { m in
          let source = m.hot("-a-")
          m.at(.milliseconds(2)) { Task { self.fail() } }
          m.expect(source.signal, "-a-")
        }
      }
      return (issues, #line - 6)
    }
  }

  @Test func synchronousFormInAnActor() async {
    let (issues, line) = await Bench().synchronousForm()
    expectRejection(issues, actor: "Bench", line: line)
  }

  @Test func marbleTestInAnActor() async {
    let (issues, line) = await Bench().marbleTest()
    expectRejection(issues, actor: "Bench", line: line)
  }

  private func inVirtualTime(_ body: (VirtualTimeScheduler) -> Void) {
    withVirtualTime { time in
      body(time)
      try? time.advance(by: .seconds(1))
    }
  }

  @Test @TestActor func functionWithoutIsolation() {
    let issues = issuesOf {
      inVirtualTime { _ in Task { @TestActor in Issue.record("unreachable") } }
    }
    expectRejection(issues, line: #line - 10)
  }

  @Test @MainActor func functionWithoutIsolationOnTheMainActor() {
    var didRun = false
    inVirtualTime { _ in Task { @MainActor in didRun = true } }
    #expect(didRun)
  }
}
