import Foundation

/// Everything one run measured.
struct BenchReport: Codable {
  var machine: Machine
  var rounds: Int
  var scale: Double
  var rows: [RowResult]
  var memory: MemoryResult?
}

/// Results in files, so that pages and pictures are made of them later.
enum ResultFile {
  static func write(_ value: some Encodable, to path: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    let url = URL(fileURLWithPath: path)
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try encoder.encode(value).write(to: url, options: .atomic)
  }

  static func read<Value: Decodable>(_ type: Value.Type, from path: String) throws -> Value {
    try JSONDecoder().decode(type, from: Data(contentsOf: URL(fileURLWithPath: path)))
  }
}
