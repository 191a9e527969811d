import Foundation
import SignalAttach
import SignalGraph
import Testing

@testable import SignalInspector

@Suite struct BoundsTests {
  @Test func fifthClientIsTold() async throws {
    try await withInspector { path, _ in
      let four = try (0..<4).map { _ in try RawClient(path) }
      for client in four {
        try client.get("/stream")
        _ = try client.readUntil("content")
      }
      let fifth = try RawClient.get(path, "/summary")
      #expect(fifth.statusCode == "503")
      #expect(fifth.body.contains("4 clients"))
      four[0].hangUp()
      eventually("a place is free again") { (try? RawClient.get(path, "/summary").statusCode) == "200" }
    }
  }

  @Test func clientThatNeverWritesLosesItsPlace() async throws {
    var limits = InspectorLimits()
    limits.client.requestTime = .milliseconds(50)
    limits.client.clients = 1
    try await withInspector(limits: limits) { path, _ in
      let silent = try RawClient(path)
      #expect(try silent.readToEnd().statusCode == "408")
      eventually("its place is free") { (try? RawClient.get(path, "/summary").statusCode) == "200" }
    }
  }

  @Test func clientThatNeverReadsLosesItsPlace() async throws {
    var limits = InspectorLimits()
    limits.client.writeTime = .milliseconds(50)
    limits.client.clients = 1
    try await withInspector(.fixed(20_000), limits: limits) { path, _ in
      let deaf = try RawClient(path)
      try deaf.get("/snapshot")
      eventually("its place is free") { (try? RawClient.get(path, "/summary").statusCode) == "200" }
      // What it gets when it reads at last is cut off.
      #expect(try !deaf.readToEnd().hasSuffix("0\r\n\r\n"))
    }
  }

  @Test func disconnectInMidAnswerDoesNotEndTheProcess() async throws {
    try await withInspector(.fixed(20_000)) { path, _ in
      for _ in 0..<8 {
        let client = try RawClient(path)
        try client.get("/snapshot")
        _ = try client.readSome()
        client.hangUp()
      }
      eventually("it answers") { (try? RawClient.get(path, "/summary").statusCode) == "200" }
    }
  }

  @Test func slowClientIsToldWhatItMissedBeforeItIsDropped() async throws {
    var limits = InspectorLimits()
    limits.missedUpdates = 1
    // Nobody waits for what the lines take.
    limits.share = 1_000
    let gate = GraphProvider(
      snapshot: {
        // A line that takes longer than an interval, as a slow reader makes it.
        let end = ContinuousClock.now + .milliseconds(250)
        while ContinuousClock.now < end {}
        return GraphProvider.fixed(1).snapshot()
      }, observe: { _ in nil })
    try await withInspector(gate, limits: limits) { path, _ in
      let lines = try RawClient.get(path, "/stream?interval=100").body.split(separator: "\n")
      let last = try JSONDecoder().decode(SnapshotLine.self, from: Data(try #require(lines.last).utf8))
      #expect(last.missed >= 1)
      #expect(last.ended?.contains("too slow") == true)
    }
  }
}
