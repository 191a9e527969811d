import Measuring

/// What the live graph costs a whole program.
package struct ProgramResult: Codable {
  package var machine: Machine
  package var rounds: Int
  package var ratios: [ProgramRatio]
  package var clients: [ClientCost]
  package var memory: [ProgramMemory]
  package var recording: RecordingCost?
  /// Whether nothing was left out.
  package var isComplete: Bool

  package init(
    machine: Machine, rounds: Int, ratios: [ProgramRatio], clients: [ClientCost], memory: [ProgramMemory],
    recording: RecordingCost? = nil, isComplete: Bool
  ) {
    self.machine = machine
    self.rounds = rounds
    self.ratios = ratios
    self.clients = clients
    self.memory = memory
    self.recording = recording
    self.isComplete = isComplete
  }
}

/// One kind of work, with the graph off and on.
package struct ProgramRatio: Codable {
  package var name: String
  /// Processor time of one operation.
  package var nanosecondsOff: Double
  package var nanosecondsOn: Double
  /// The throughput with the graph on, as a share of that without it: the median of the ratios within each round.
  package var share: Double
  package var goal: Double

  package init(name: String, nanosecondsOff: Double, nanosecondsOn: Double, share: Double, goal: Double) {
    self.name = name
    self.nanosecondsOff = nanosecondsOff
    self.nanosecondsOn = nanosecondsOn
    self.share = share
    self.goal = goal
  }

  package var isReached: Bool { share >= goal - 0.005 }
}

/// What a client costs that asks an inspected program again and again.
package struct ClientCost: Codable {
  package var name: String
  package var nodes: Int
  /// The processor time of the program with the client, as a multiple of that without it.
  package var times: Double
  /// How many snapshots the client got in a second.
  package var answersPerSecond: Double
  package var goal = 1.03

  package init(name: String, nodes: Int, times: Double, answersPerSecond: Double) {
    self.name = name
    self.nodes = nodes
    self.times = times
    self.answersPerSecond = answersPerSecond
  }

  package var isReached: Bool { times < goal + 0.005 }
}

/// What the graph keeps on the heap for each node.
package struct ProgramMemory: Codable {
  package var name: String
  package var bytesPerNode: Double
  package var goal = 150.0

  package init(name: String, bytesPerNode: Double) {
    self.name = name
    self.bytesPerNode = bytesPerNode
  }

  package var isReached: Bool { bytesPerNode < goal + 0.5 }
}

/// What it costs a program that does nothing but send when it is recorded. Times are those of a value in the thread that sends.
package struct RecordingCost: Codable {
  package var nanosecondsOff: Double
  package var nanosecondsOn: Double
  package var nanosecondsRecorded: Double
  /// While it is recorded, with the answers to who records.
  package var nanosecondsOfProcess: Double
  /// The time of a value while it is recorded, as a multiple of that with the graph on: the median of the ratios within each round.
  package var times: Double
  /// The share of the events that were read before they were overwritten.
  package var shareRead: Double
  /// How much memory was added.
  package var megabytes: Double

  package init(
    nanosecondsOff: Double, nanosecondsOn: Double, nanosecondsRecorded: Double, nanosecondsOfProcess: Double,
    times: Double, shareRead: Double, megabytes: Double
  ) {
    self.nanosecondsOff = nanosecondsOff
    self.nanosecondsOn = nanosecondsOn
    self.nanosecondsRecorded = nanosecondsRecorded
    self.nanosecondsOfProcess = nanosecondsOfProcess
    self.times = times
    self.shareRead = shareRead
    self.megabytes = megabytes
  }
}
