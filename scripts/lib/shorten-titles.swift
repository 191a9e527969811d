// Removes the call site, `fileID: StaticString, line: UInt, function: StaticString`, from names of functions with such default arguments in the built
// documentation: in titles, lists and the navigator. The declaration on the function's page keeps it.
//
//   swift scripts/lib/shorten-titles.swift DIRECTORY     DIRECTORY contains the built documentation

import Foundation

let folder = URL(fileURLWithPath: CommandLine.arguments[1])
let labels: Set<Substring> = ["fileID", "filePath", "line", "column", "function"]
let place = "(?:\(labels.joined(separator: "|"))): (?:StaticString|UInt)"
let laterPlaces = try Regex("(?:, \(place))+")
let firstPlaces = try Regex("\\((?:\(place)(?:, )?)+")

func read(_ file: URL) throws -> Any {
  try JSONSerialization.jsonObject(with: Data(contentsOf: file))
}

func write(_ json: Any, to file: URL) throws {
  try JSONSerialization.data(withJSONObject: json, options: [.sortedKeys, .withoutEscapingSlashes]).write(to: file)
}

/// The ranges of parameters to remove from a declaration such as `func map(fileID: StaticString, line: UInt, (Value) -> Output)`.
func unwanted(in declaration: String) -> [Range<String.Index>] {
  declaration.ranges(of: laterPlaces)
    + declaration.ranges(of: firstPlaces).map { declaration.index(after: $0.lowerBound)..<$0.upperBound }
}

func wanted(_ range: Range<String.Index>, of declaration: String, without unwanted: [Range<String.Index>]) -> String {
  String(
    declaration[range].indices.filter { index in !unwanted.contains { $0.contains(index) } }.map { declaration[$0] })
}

/// A declaration, or a name such as `debounce(for:on:fileID:line:function:)`, in its short form.
func shortened(_ title: String) -> String {
  if title.contains(": ") {
    return wanted(title.startIndex..<title.endIndex, of: title, without: unwanted(in: title))
  }
  guard let opening = title.firstIndex(of: "("), title.hasSuffix(":)") else { return title }
  let names = title[title.index(after: opening)...].dropLast().split(separator: ":").filter { !labels.contains($0) }
  return title[...opening] + names.map { "\($0):" }.joined() + ")"
}

/// Tokens without the characters that do not belong to the short form.
func shortened(_ tokens: [[String: Any]]) -> [[String: Any]] {
  let texts = tokens.map { $0["text"] as? String ?? "" }
  let whole = texts.joined()
  let unwanted = unwanted(in: whole)
  guard !unwanted.isEmpty else { return tokens }
  var position = whole.startIndex
  return zip(tokens, texts).compactMap { token, text in
    let end = whole.index(position, offsetBy: text.count)
    defer { position = end }
    let kept = wanted(position..<end, of: whole, without: unwanted)
    return kept.isEmpty ? nil : token.merging(["text": kept]) { $1 }
  }
}

func shorten(_ entry: inout [String: Any]) {
  if let title = entry["title"] as? String { entry["title"] = shortened(title) }
  for key in ["fragments", "navigatorTitle"] {
    if let tokens = entry[key] as? [[String: Any]] { entry[key] = shortened(tokens) }
  }
}

let pages = folder.appending(path: "data/documentation")
let files = (FileManager.default.enumerator(at: pages, includingPropertiesForKeys: nil)?.allObjects as? [URL] ?? [])
  .filter { $0.pathExtension == "json" }

// The functions with a default call site, according to their declarations.
var shortPaths: Set<String> = []
var contents: [(file: URL, page: [String: Any], path: String)] = []
for file in files {
  guard let page = try read(file) as? [String: Any] else { continue }
  let path = (page["variants"] as? [[String: Any]])?.first.flatMap { ($0["paths"] as? [String])?.first } ?? ""
  let sections = page["primaryContentSections"] as? [[String: Any]] ?? []
  let declarations = sections.flatMap { $0["declarations"] as? [[String: Any]] ?? [] }
  let tokens = declarations.flatMap { $0["tokens"] as? [[String: Any]] ?? [] }
  let text = tokens.compactMap { $0["text"] as? String }.joined()
  if text.contains("= #fileID") { shortPaths.insert(path.lowercased()) }
  contents.append((file, page, path.lowercased()))
}

for (file, var page, path) in contents {
  if shortPaths.contains(path), var metadata = page["metadata"] as? [String: Any] {
    shorten(&metadata)
    page["metadata"] = metadata
  }
  if var references = page["references"] as? [String: [String: Any]] {
    for (key, var reference) in references {
      guard let url = reference["url"] as? String, shortPaths.contains(url.lowercased()) else { continue }
      shorten(&reference)
      references[key] = reference
    }
    page["references"] = references
  }
  try write(page, to: file)
}

/// The navigator's entries, which are nested.
func shortenedEntries(_ entries: [[String: Any]]) -> [[String: Any]] {
  entries.map { entry in
    var entry = entry
    if let path = entry["path"] as? String, shortPaths.contains(path.lowercased()) { shorten(&entry) }
    if let children = entry["children"] as? [[String: Any]] { entry["children"] = shortenedEntries(children) }
    return entry
  }
}

let indexFile = folder.appending(path: "index/index.json")
if var index = try read(indexFile) as? [String: Any] {
  if let languages = index["interfaceLanguages"] as? [String: [[String: Any]]] {
    index["interfaceLanguages"] = languages.mapValues(shortenedEntries)
  }
  try write(index, to: indexFile)
}
print("\(shortPaths.count) functions are named without their call site.")
