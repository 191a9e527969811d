import Foundation
import SignalTesting
import Signals
import Testing

@testable import SignalSystem

/// Reads descriptors.
@Suite("bytes, readable and writable")
struct BytesTests {
  @Test("everything that is written, and the end when the other side closes")
  func pipe() async throws {
    let pipe = Pipe()
    let received = Received<[UInt8]>()
    let subscription = Signal.bytes(from: pipe.reading).receive(into: received)
    pipe.send("one")
    try await eventually("the first piece") { received.values.joined().count == 3 }
    #expect(!received.isFinished)
    pipe.send(" two")
    pipe.closeWriting()
    try await eventually("the end") { received.isFinished }
    #expect(String(decoding: received.values.joined(), as: UTF8.self) == "one two")
    subscription.dispose()
  }

  @Test("a value is no longer than the limit, and nothing is lost at the end")
  func limit() async throws {
    let pipe = Pipe()
    let received = Received<[UInt8]>()
    pipe.send(String(repeating: "abc", count: 1_000))
    pipe.closeWriting()
    let subscription = Signal.bytes(from: pipe.reading, atMost: 7).receive(into: received)
    try await eventually("the end") { received.isFinished }
    #expect(received.values.joined().count == 3_000)
    #expect(received.values.allSatisfy { $0.count <= 7 })
    subscription.dispose()
    let none = Received<[UInt8]>()
    let few = Pipe()
    few.send("ab")
    few.closeWriting()
    let one = Signal.bytes(from: few.reading, atMost: -3).receive(into: none)
    try await eventually("the end") { none.isFinished }
    #expect(none.values.count == 2)
    one.dispose()
  }

  @Test(
    "a byte that another reader has taken is not waited for, nor is the next one taken after disposal",
    arguments: [false, true])
  func anotherReader(isSocket: Bool) async throws {
    let pipe = Pipe()
    var (reading, writing) = (pipe.reading, pipe.writing)
    if isSocket { (reading, writing) = try socketPair() }
    defer {
      if isSocket {
        close(reading)
        close(writing)
      }
    }
    // Two subscriptions race for each byte, so that one of them often finds that it was ready in vain.
    for round in 0..<300 {
      let received = [Received<[UInt8]>(), Received<[UInt8]>()]
      let subscriptions = received.map { Signal.bytes(from: reading).receive(into: $0) }
      var byte = UInt8(truncatingIfNeeded: round)
      write(writing, &byte, 1)
      try await eventually("the byte") { received.contains { !$0.values.isEmpty } }
      for subscription in subscriptions { subscription.dispose() }
      #expect(received.flatMap(\.values).joined().count == 1)
      // What comes now is for the caller alone.
      var last: UInt8 = 200
      write(writing, &last, 1)
      var question = pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
      #expect(poll(&question, 1, 10_000) == 1, "round \(round)")
      var next: UInt8 = 0
      // The caller's own read must not wait either, so a byte that was taken fails the test.
      let flags = fcntl(reading, F_GETFL)
      _ = fcntl(reading, F_SETFL, flags | O_NONBLOCK)
      #expect(read(reading, &next, 1) == 1 && next == 200, "round \(round)")
      _ = fcntl(reading, F_SETFL, flags)
    }
  }

  @Test("a read that has not begun before the disposal takes no byte", arguments: [false, true])
  func readAfterDisposal(isSocket: Bool) throws {
    let pipe = Pipe()
    let (reading, writing) = isSocket ? try socketPair() : (pipe.reading, pipe.writing)
    let descriptor = try Descriptor(copyOf: reading)
    var byte: UInt8 = 7
    write(writing, &byte, 1)
    let end = ReadingEnd()
    end.note()
    guard case .nothing = descriptor.read(atMost: 1, unless: end) else {
      Issue.record("the byte was taken")
      return
    }
    guard case .bytes(let bytes) = descriptor.read(atMost: 1), bytes == [7] else {
      Issue.record("the byte is gone")
      return
    }
    close(descriptor.number)
    if isSocket {
      close(reading)
      close(writing)
    }
  }

  @Test("the descriptor stays the caller's: it may be closed, and it is open after the end")
  func ownership() async throws {
    let pipe = Pipe()
    let received = Received<[UInt8]>()
    let copy = dup(pipe.reading)
    let subscription = Signal.bytes(from: copy).receive(into: received)
    close(copy)
    pipe.send("on")
    try await eventually("what came after closing") { received.values.joined().count == 2 }
    subscription.dispose()
    #expect(fcntl(pipe.reading, F_GETFD) >= 0)
  }

  @Test("the duplicate is closed when the subscription ends: whoever writes learns that nobody reads")
  func release() async throws {
    let pipe = Pipe()
    let ends = Received<[UInt8]>()
    let copy = dup(pipe.writing)
    let subscription = Signal.writable(copy).prefix(1).receive(into: Received<Void>())
    close(copy)
    let reader = Signal.bytes(from: pipe.reading).receive(into: ends)
    pipe.closeWriting()
    // The end of the file comes only when no duplicate of the writing end is open.
    try await eventually("the end") { ends.isFinished }
    subscription.dispose()
    reader.dispose()
  }

  /// libdispatch, which watches descriptors, followed freed memory at some of these moments.
  @Test("the other end may be closed at any moment, on any number of threads")
  func hangUps() async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          for number in 0..<200 {
            let pipe = Pipe()
            let received = Received<[UInt8]>()
            let room = Signal.writable(pipe.writing).prefix(1).receive(into: Received<Void>())
            let subscription = Signal.bytes(from: pipe.reading).receive(into: received)
            if number % 2 == 0 { pipe.send("on") }
            pipe.closeWriting()
            try await eventually("the end") { received.isFinished }
            subscription.dispose()
            room.dispose()
          }
        }
      }
      try await group.waitForAll()
    }
  }

  @Test("nothing is read before the handler has returned")
  func backPressure() async throws {
    let pipe = Pipe()
    let (entered, gate) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let received = Received<[UInt8]>()
    let subscription = Signal.bytes(from: pipe.reading, atMost: 4).subscribeToEvents { event in
      received.append(event)
      if received.events.count == 1 {
        entered.signal()
        gate.wait()
      }
    }
    pipe.send("abcdefgh")
    #expect(wait(for: entered))
    var waiting: Int32 = 0
    _ = ioctl(pipe.reading, UInt(FIONREAD), &waiting)
    #expect(waiting == 4)
    gate.signal()
    try await eventually("the rest") { received.values.joined().count == 8 }
    subscription.dispose()
  }

  private func wait(for semaphore: DispatchSemaphore) -> Bool { semaphore.wait(timeout: .now() + 30) == .success }

  @Test("a file is read to its end")
  func file() async throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("signals-\(UUID().uuidString)")
    try Data(repeating: 7, count: 100_000).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let descriptor = open(file.path, O_RDONLY)
    defer { close(descriptor) }
    let received = Received<[UInt8]>()
    let subscription = Signal.bytes(from: descriptor).receive(into: received)
    try await eventually("the end") { received.isFinished }
    #expect(received.values.joined().count == 100_000)
    subscription.dispose()
  }

  @Test("a descriptor that is not open, and one that cannot be read, fail")
  func failures() async throws {
    let closed = Received<[UInt8]>()
    let first = Signal.bytes(from: -1).receive(into: closed)
    #expect(closed.failure as? SystemCallError == SystemCallError("fcntl", code: EBADF))
    #expect(closed.failure.map { "\($0)" }?.hasPrefix("fcntl: ") == true)
    first.dispose()
    let folder = open("/", O_RDONLY)
    defer { close(folder) }
    let unreadable = Received<[UInt8]>()
    let second = Signal.bytes(from: folder).receive(into: unreadable)
    try await eventually("the failure") { unreadable.failure != nil }
    #expect(unreadable.failure as? SystemCallError == SystemCallError("read", code: EISDIR))
    second.dispose()
  }

  @Test("a descriptor that can never be read fails at once")
  func neverReadable() {
    let pipe = Pipe()
    expectFailure(of: pipe.writing, EBADF)
    #if !canImport(Darwin)
      let listening = socket(AF_INET, streamType, 0)
      defer { close(listening) }
      // On a port that the system chooses.
      #expect(listen(listening, 1) == 0)
      expectFailure(of: listening, ENOTCONN)
    #endif
  }

  private func expectFailure(of descriptor: Int32, _ code: Int32) {
    let received = Received<[UInt8]>()
    let subscription = Signal.bytes(from: descriptor).receive(into: received)
    #expect(received.failure as? SystemCallError == SystemCallError("read", code: code))
    subscription.dispose()
  }

  @Test("a file of several gigabytes is read in large parts")
  func largeFile() async throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("signals-\(UUID())").path
    let file = open(path, O_RDWR | O_CREAT, 0o600)
    defer { close(file) }
    unlink(path)
    // Sparse: it takes no room.
    try #require(ftruncate(file, 3 << 30) == 0)
    let received = Received<[UInt8]>()
    let subscription = Signal.bytes(from: file).prefix(2).receive(into: received)
    try await eventually("two parts") { received.isFinished }
    #expect(received.values.map(\.count) == [65_536, 65_536])
    subscription.dispose()
  }

  #if os(Linux)
    @Test("a file without a size is read as a whole")
    func fileOfTheSystem() async throws {
      let file = open("/proc/sys/kernel/pid_max", O_RDONLY)
      defer { close(file) }
      let received = Received<[UInt8]>()
      let subscription = Signal.bytes(from: file).receive(into: received)
      try await eventually("the end") { received.isFinished }
      let text = String(decoding: received.values.joined(), as: UTF8.self)
      #expect(try text == String(contentsOfFile: "/proc/sys/kernel/pid_max", encoding: .utf8))
      subscription.dispose()
    }

    @Test("two readers of a socket get whole messages")
    func twoReaders() async throws {
      let (reading, writing) = try socketPair(Int32(SOCK_DGRAM.rawValue))
      defer { for end in [reading, writing] { close(end) } }
      let received = (0..<2).map { _ in Received<[UInt8]>() }
      let subscriptions = received.map { Signal.bytes(from: reading).receive(into: $0) }
      let (message, count) = ([UInt8](repeating: 97, count: 1_000), 2_000)
      for number in 0..<count { send(writing, message, number.isMultiple(of: 2) ? 10 : 1_000, 0) }
      try await eventually("all messages") { received.reduce(0) { $0 + $1.values.count } == count }
      #expect(received.flatMap { $0.values.map(\.count) }.reduce(0, +) == count / 2 * 1_010)
      for subscription in subscriptions { subscription.dispose() }
    }

    @Test("a message may be as long as the limit")
    func longMessage() async throws {
      let (reading, writing) = try socketPair(Int32(SOCK_DGRAM.rawValue))
      defer { for end in [reading, writing] { close(end) } }
      let received = Received<[UInt8]>()
      let subscription = Signal.bytes(from: reading, atMost: 200_000).receive(into: received)
      let message = [UInt8](repeating: 97, count: 100_000)
      #expect(send(writing, message, message.count, 0) == message.count)
      try await eventually("the message") { received.values.map(\.count) == [message.count] }
      subscription.dispose()
    }

    @Test("an empty message is not the end; that comes when the socket is shut down")
    func emptyMessage() async throws {
      let (reading, writing) = try socketPair(Int32(SOCK_DGRAM.rawValue))
      defer { for end in [reading, writing] { close(end) } }
      let received = Received<[UInt8]>()
      let subscription = Signal.bytes(from: reading).receive(into: received)
      var byte: UInt8 = 97
      for count in [1, 0, 1] { send(writing, &byte, count, 0) }
      try await eventually("three messages") { received.values.count == 3 }
      #expect(received.values == [[97], [], [97]])
      #expect(!received.isFinished)
      shutdown(reading, Int32(SHUT_RD))
      try await eventually("the end") { received.isFinished }
      subscription.dispose()
    }

    @Test("an empty message of a connection is not its end")
    func emptyMessageOfAConnection() async throws {
      let (reading, writing) = try socketPair(Int32(SOCK_SEQPACKET.rawValue))
      let received = Received<[UInt8]>()
      var byte: UInt8 = 97
      for count in [1, 0, 1] { send(writing, &byte, count, 0) }
      let subscription = Signal.bytes(from: reading).receive(into: received)
      try await eventually("three messages") { received.values.count == 3 }
      #expect(received.values == [[97], [], [97]])
      #expect(!received.isFinished)
      close(writing)
      try await eventually("the end") { received.isFinished }
      #expect(received.values.count == 3)
      subscription.dispose()
      close(reading)
    }
  #endif

  @Test("readable comes as long as something is left; whoever has read it waits")
  func readable() async throws {
    let pipe = Pipe()
    let received = Received<UInt8>()
    let reading = pipe.reading
    let subscription = Signal.readable(reading)
      .map { () -> UInt8 in
        var byte: UInt8 = 0
        _ = read(reading, &byte, 1)
        return byte
      }
      .receive(into: received)
    #expect(received.values.isEmpty)
    pipe.send("ab")
    try await eventually("both") { received.values.count == 2 }
    #expect(received.values == [97, 98])
    subscription.dispose()
    let none = Received<Void>()
    let failed = Signal.readable(-1).receive(into: none)
    #expect(none.failure is SystemCallError)
    failed.dispose()
  }

  @Test("writable waits for room")
  func writable() async throws {
    let pipe = Pipe()
    _ = fcntl(pipe.writing, F_SETFL, O_NONBLOCK)
    let filler = [UInt8](repeating: 0, count: 4_096)
    while write(pipe.writing, filler, filler.count) > 0 {}
    let room = Received<Void>()
    let subscription = Signal.writable(pipe.writing).prefix(1).receive(into: room)
    #expect(room.events.isEmpty)
    let reader = Signal.bytes(from: pipe.reading).receive(into: Received<[UInt8]>())
    try await eventually("room") { room.isFinished }
    #expect(room.values.count == 1)
    subscription.dispose()
    reader.dispose()
  }
}

private var streamType: Int32 {
  #if canImport(Darwin)
    SOCK_STREAM
  #else
    Int32(SOCK_STREAM.rawValue)
  #endif
}

private func socketPair(_ type: Int32 = streamType) throws -> (Int32, Int32) {
  var ends: [Int32] = [-1, -1]
  try #require(socketpair(AF_UNIX, type, 0, &ends) == 0)
  return (ends[0], ends[1])
}
