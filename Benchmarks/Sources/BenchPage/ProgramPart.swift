import ArgumentParser
import Measuring
import Results

/// The generated part of the page about whole programs.
struct ProgramPart {
  private let result: ProgramResult

  init(_ result: ProgramResult) { self.result = result }

  var text: String {
    let machine = result.machine
    let ratios = MarkdownTable.text(
      ["a whole program", "ns, graph off", "graph on", "throughput on, of that off", "goal", "goals"],
      result.ratios.map(ProgramTable.cells), leftColumns: [0, 5])
    let clients = MarkdownTable.text(
      ["with a client", "x processor time", "goal", "answers a second", "goals"],
      result.clients.map(ProgramTable.cells), leftColumns: [0, 4])
    let memory = MarkdownTable.text(
      ["memory with the graph on", "bytes a node more", "goal", "goals"],
      result.memory.map(ProgramTable.cells), leftColumns: [0, 3])
    let recording = result.recording.map { recording in
      MarkdownTable.text(
        [
          "while it is recorded", "ns, graph off", "graph on", "recorded", "with the answers", "recorded, x graph on",
          "MB more", "events read",
        ], [ProgramTable.cells(recording)], leftColumns: [0])
    }
    return [
      ratios, clients, memory, recording,
      "Measured on \(machine.date): \(machine.processor), \(machine.cores) cores, Swift \(machine.swift); "
        + "medians of \(result.rounds) rounds.",
    ].compactMap(\.self).joined(separator: "\n\n")
  }

  /// What is missed, by name.
  var missed: [(name: String, what: [String])] {
    result.ratios.filter { !$0.isReached }.map {
      ($0.name, ["\(Figures.short($0.share)) of the throughput with the graph on, goal \(Figures.short($0.goal))"])
    }
      + result.clients.filter { !$0.isReached }.map {
        ($0.name, ["\(Figures.short($0.times)) x the processor time, goal \(Figures.short($0.goal))"])
      }
      + result.memory.filter { !$0.isReached }.map {
        ($0.name, ["\(Figures.short($0.bytesPerNode)) bytes a node more, goal \(Figures.short($0.goal))"])
      }
  }
}

/// What was measured of whole programs, by itself.
struct PrintProgramPart: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "program", abstract: "Prints what was measured of whole programs, as the page has it.")

  @Option(help: "The results of whole programs.")
  var programs = "out/program.json"

  func run() throws { print(ProgramPart(try ResultFile.read(ProgramResult.self, from: programs)).text) }
}
