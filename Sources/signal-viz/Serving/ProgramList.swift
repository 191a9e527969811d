import Foundation
import SignalAttach
import SignalGraph
import SignalPicture
import Synchronization

/// The programs that can be inspected, updated by a thread of its own, and for a while those that have ended.
final class ProgramList: Sendable {
  struct Entry: Sendable {
    /// The identifier, taken from the socket's name.
    var id: String
    var identity: ProcessIdentity
    var hasEnded = false
    var feed: ProgramFeed
  }

  struct State {
    var version = 0
    var entries: [Entry] = []
    /// The sockets whose programs are being identified, and those that did not respond, with the time of the next
    /// attempt.
    var asked: [String: ContinuousClock.Instant] = [:]

    /// Returns the sockets to query now, and delays the next attempt at each of them. The others follow with the next
    /// poll.
    ///
    /// - Parameters:
    ///   - found: The paths of all sockets, by identifier.
    ///   - now: The current time.
    mutating func takeDue(of found: [String: String], at now: ContinuousClock.Instant) -> [(id: String, path: String)] {
      let limit = min(ProgramList.largestBatch, max(0, ProgramList.largest - entries.count))
      let due = found.filter { id, _ in
        !entries.contains { $0.id == id } && (asked[id].map { $0 <= now } ?? true)
      }.prefix(limit)
      for (id, _) in due { asked[id] = now + .seconds(10) }
      return due.map { (id: $0.key, path: $0.value) }
    }
  }

  private let state = Mutex(State())
  /// The number of ended programs retained.
  private static let keptEnded = 10
  /// The maximum number of programs listed.
  private static let largest = 500
  /// The maximum number of programs queried in one poll.
  private static let largestBatch = 16

  /// Starts updating the list twice a second.
  func run() {
    lookAround()
    Thread.detachNewThread { [self] in
      while true {
        // Safe: this is the interval at which the directories are polled.
        Thread.sleep(forTimeInterval: 0.5)
        lookAround()
      }
    }
  }

  /// The programs in the order of their starts, and a version that changes with them.
  var all: (version: Int, entries: [Entry]) { state.withLock { ($0.version, $0.entries) } }

  /// The feed of a program.
  func feed(_ id: String) -> ProgramFeed? { state.withLock { $0.entries.first { $0.id == id }?.feed } }

  private func lookAround() {
    var found: [String: String] = [:]
    for directory in (try? SocketDirectory.searchList()) ?? [] {
      for socket in (try? directory.sockets()) ?? [] {
        found[String(socket.fileName.dropLast(5))] = socket.path
      }
    }
    let now = ContinuousClock.now
    let due = state.withLock { state -> [(id: String, path: String)] in
      for index in state.entries.indices {
        let entry = state.entries[index]
        if entry.hasEnded || entry.feed.current.isOver, entry.isServed(at: found[entry.id]) {
          // It had stopped inspection for a while.
          entry.feed.revive()
          guard entry.hasEnded else { continue }
          state.entries[index].hasEnded = false
          state.version += 1
        } else if !entry.hasEnded {
          let isGone = found[entry.id] == nil || kill(entry.identity.pid, 0) != 0 && errno == ESRCH
          // One in another container has no process with that number here.
          guard isGone, !entry.isServed(at: found[entry.id]) else { continue }
          state.entries[index].hasEnded = true
          state.version += 1
        }
      }
      let ended = state.entries.filter(\.hasEnded).map(\.id)
      if ended.count > Self.keptEnded {
        let dropped = Set(ended.dropLast(Self.keptEnded))
        state.entries.removeAll { dropped.contains($0.id) }
        state.version += 1
      }
      state.asked = state.asked.filter { found[$0.key] != nil }
      return state.takeDue(of: found, at: now)
    }
    for (id, path) in due {
      // A suspended program does not delay the others.
      Thread.detachNewThread { [self] in
        guard let hello = try? ProgramConnection(socketPath: path).hello(within: .seconds(3)) else { return }
        state.withLock { state in
          guard !state.entries.contains(where: { $0.id == id }) else { return }
          state.entries.append(Entry(id: id, identity: hello.process, feed: ProgramFeed(socketPath: path)))
          state.entries.sort { ($0.identity.startedAt, $0.id) < ($1.identity.startedAt, $1.id) }
          state.asked[id] = nil
          state.version += 1
        }
      }
    }
  }
}

extension ProgramList.Entry {
  /// Whether a process listens at the socket.
  fileprivate func isServed(at path: String?) -> Bool {
    path.map { !ProgramConnection(socketPath: $0).isGone } ?? false
  }
}
