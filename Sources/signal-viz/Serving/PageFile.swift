/// The files of the page, which are in `Page` and become a part of the program: so it works wherever it is moved to.
struct PageFile: Sendable {
  var type: String
  var bytes: @Sendable () -> [UInt8]

  static let page = PageFile(type: "text/html; charset=utf-8") { PackageResources.page_html }

  /// What the page loads, by path.
  static let files: [String: PageFile] = [
    "/page.css": PageFile(type: "text/css; charset=utf-8") { PackageResources.page_css },
    "/page.js": script { PackageResources.page_js },
    "/graph.js": script { PackageResources.graph_js },
    "/camera.js": script { PackageResources.camera_js },
    "/finder.js": script { PackageResources.finder_js },
    "/pace.js": script { PackageResources.pace_js },
    "/panel.js": script { PackageResources.panel_js },
    "/patch.js": script { PackageResources.patch_js },
    "/stream.js": script { PackageResources.stream_js },
    "/words.js": script { PackageResources.words_js },
    "/icon.svg": PageFile(type: "image/svg+xml") { PackageResources.icon_svg },
  ]

  private static func script(_ bytes: @escaping @Sendable () -> [UInt8]) -> PageFile {
    PageFile(type: "text/javascript; charset=utf-8", bytes: bytes)
  }
}
