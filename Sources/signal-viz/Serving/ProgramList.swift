import Foundation
import SignalAttach
import SignalGraph
import SignalPicture
import Synchronization

/// The programs that can be looked at, kept up to date by a thread of its own; and for a while those that have ended.
final class ProgramList: Sendable {
  struct Entry: Sendable {
    /// As the socket's name tells.
    var id: String
    var identity: ProcessIdentity
    var hasEnded = false
    var feed: ProgramFeed
  }

  private struct State {
    var version = 0
    var entries: [Entry] = []
    /// The sockets that are being asked who serves them, and those that did not say, with the moment to ask again.
    var asked: [String: ContinuousClock.Instant] = [:]
  }

  private let state = Mutex(State())
  /// So many that have ended are kept.
  private static let keptEnded = 10
  /// At most so many programs are listed.
  private static let largest = 500

  /// Begins to look, once a second.
  func run() {
    lookAround()
    Thread.detachNewThread { [self] in
      while true {
        // Safe: it is how often a folder is looked at.
        Thread.sleep(forTimeInterval: 0.5)
        lookAround()
      }
    }
  }

  /// The programs in the order of their starts, and a number that changes with them.
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
    let new = state.withLock { state -> [(String, String)] in
      for index in state.entries.indices where !state.entries[index].hasEnded {
        let entry = state.entries[index]
        let isGone = found[entry.id] == nil || kill(entry.identity.pid, 0) != 0 && errno == ESRCH
        guard isGone, !entry.isServedByOther(found[entry.id]) else { continue }
        state.entries[index].hasEnded = true
        state.version += 1
      }
      let ended = state.entries.filter(\.hasEnded).map(\.id)
      if ended.count > Self.keptEnded {
        let dropped = Set(ended.dropLast(Self.keptEnded))
        state.entries.removeAll { dropped.contains($0.id) }
        state.version += 1
      }
      state.asked = state.asked.filter { found[$0.key] != nil }
      let new = found.filter { id, _ in
        !state.entries.contains { $0.id == id } && (state.asked[id].map { $0 <= now } ?? true)
      }.prefix(max(0, Self.largest - state.entries.count))
      for (id, _) in new { state.asked[id] = now + .seconds(10) }
      return Array(new)
    }
    for (id, path) in new.prefix(16) {
      // A program that is stopped keeps nobody else waiting.
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
  /// Whether its socket is served though no process has its number: by one in another container, or by a test.
  fileprivate func isServedByOther(_ path: String?) -> Bool {
    path.map { !ProgramConnection(socketPath: $0).isGone } ?? false
  }
}
