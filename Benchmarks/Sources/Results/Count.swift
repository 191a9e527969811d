/// What was counted for one operation of a row, by one contender. Neither number depends on how busy the machine is.
package struct Count: Codable, Sendable {
  /// Part of the row's name, enough to tell it from others.
  package var row: String
  package var contender: String
  /// Instructions, without those of starting up; nil where they are not counted, as counting takes long.
  package var instructions: Int?
  /// Heap blocks, to the hundredth; nil where they are not counted.
  package var blocks: Double?

  package init(row: String, contender: String, instructions: Int?, blocks: Double?) {
    self.row = row
    self.contender = contender
    self.instructions = instructions
    self.blocks = blocks
  }
}

extension RowResult {
  /// Adds what was counted for this row.
  package mutating func add(_ counts: [Count]) {
    for count in counts where name.contains(count.row) {
      if let instructions = count.instructions { measurements[count.contender]?.instructions = Double(instructions) }
    }
  }
}
