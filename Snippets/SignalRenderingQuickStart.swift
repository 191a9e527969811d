import Foundation
import SignalGraph
import SignalRendering

let snapshot = try GraphSnapshot(json: Data(contentsOf: URL(fileURLWithPath: "out/live.json")))
let options = DrawingOptions(direction: .right, clustersByFile: true)
let picture = try snapshot.rendered(as: .svg, options: options)
try Data(picture).write(to: URL(fileURLWithPath: "feed.svg"))
