import Testing

@testable import SignalPicture

@Suite struct MarblePageTests {
  private func picture(_ title: String, values: Int) -> MarblePicture {
    let moments = (0..<values).map { index in
      MarblePicture.Moment(nanoseconds: Int64(index) * 1_000_000, events: [.value("\(index)")])
    }
    return MarblePicture(title: title, rows: [.line(MarblePicture.Line("source", moments: moments))])
  }

  @Test func onePictureStaysAsItIs() {
    let page = MarblePage([picture("one", values: 2)], options: MarbleDrawingOptions())
    #expect(page.svg == picture("one", values: 2).svg())
    #expect(page.svg.contains("width=\"\(page.width)\" height=\"\(page.height)\""))
  }

  @Test func picturesStandBelowEachOther() {
    let pictures = [picture("one", values: 2), picture("two", values: 20)]
    let pages = pictures.map { MarblePage([$0], options: MarbleDrawingOptions()) }
    let page = MarblePage(pictures, options: MarbleDrawingOptions())
    #expect(page.width == max(pages[0].width, pages[1].width))
    #expect(page.height == pages[0].height + 12 + pages[1].height)
    #expect(page.svg.contains("<svg y=\"0\" xmlns"))
    #expect(page.svg.contains("<svg y=\"\(pages[0].height + 12)\" xmlns"))
    for title in ["one", "two"] { #expect(page.svg.contains("<title>\(title)</title>")) }
  }
}
