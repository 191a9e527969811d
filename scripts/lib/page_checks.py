"""Checks of scripts/test-page: legibility, keyboard control, and hostile input."""

import os
import re
import signal
import socket
import subprocess
import time
import urllib.parse

from fake_program import FakeProgram, churning, hostile, mixed

# The smallest font size of the drawn text, in pixels; and the parts of the page that exceed the window.
LETTERS = """(() => {
  const scale = Number(document.querySelector('.root').style.transform.match(/scale\\((.*)\\)/)[1]);
  const texts = [...document.querySelectorAll('.boxes .box > text')].filter((text) => text.textContent && getComputedStyle(text).display !== 'none');
  return texts.length ? Math.min(...texts.map((text) => parseFloat(getComputedStyle(text).fontSize) * scale)) : 0;
})()"""
OVERFLOW = """[...document.querySelectorAll('header > *, aside')].filter((part) => part.getBoundingClientRect().width > 0)
  .filter((part) => part.getBoundingClientRect().right > innerWidth + 1 || part.scrollWidth > part.clientWidth + 1 && getComputedStyle(part).overflowX !== 'visible')
  .map((part) => part.id || part.className || part.tagName).join(' ')"""
HIDDEN_BY_BANNER = """(() => {
  const banner = document.getElementById('banner').getBoundingClientRect();
  return [...document.querySelectorAll('.box .ground')].map((box) => box.getBoundingClientRect()).some((box) => box.bottom > banner.top + 1
    && box.top < banner.bottom && box.right > banner.left && box.left < banner.right);
})()"""
# The number of links whose tip is inside a box.
TIPS = """(() => {
  const boxes = [...document.querySelectorAll('.boxes .box')].map((box) => {
    const [x, y] = box.style.transform.match(/[-0-9.]+(?=px)/g).map(Number), ground = box.querySelector('.ground');
    return { x, y, right: x + Number(ground.getAttribute('width')), bottom: y + Number(ground.getAttribute('height')) };
  });
  return [...document.querySelectorAll('.links .link')].filter((link) => {
    const points = link.getAttribute('d').match(/[-0-9.]+/g).map(Number), [fromX, fromY, toX, toY] = points.slice(-4);
    const length = Math.hypot(toX - fromX, toY - fromY) || 1, x = toX + 9 * (toX - fromX) / length, y = toY + 9 * (toY - fromY) / length;
    return boxes.some((box) => x > box.x + 1.2 && x < box.right - 1.2 && y > box.y + 1.2 && y < box.bottom - 1.2);
  }).length;
})()"""
FOCUSED = """(() => {
  const part = document.activeElement;
  if (part === document.body) return null;
  const style = getComputedStyle(part);
  return [part.id || part.textContent, style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2];
})()"""
BANNER = "(document.getElementById('banner').hidden ? '' : document.getElementById('banner').textContent)"
HEADING = "document.querySelector('aside h2')?.textContent"
# Stores the connection to the server, so that a check can inject events.
KEEP_SOURCES = "window.sources = []; window.EventSource = class extends EventSource { constructor(...all) { super(...all); window.sources.push(this); } };"


def box(words):
    return f"[...document.querySelectorAll('.boxes .box')].find((box) => box.textContent.includes({words!r}))"


def click(page, words):
    page.wait(f"!!{box(words)}", f"there is a box with {words}")
    page.run(f"{box(words)}.dispatchEvent(new MouseEvent('click', {{ bubbles: true }}))")


def show(page, name):
    """Clicks the box of a node until the panel shows it: in the drawing for a small window the box has other nodes as well."""
    for isLast in [False] * 9 + [True]:
        click(page, f"“{name}”")
        try:
            return page.wait(f"{HEADING} === {name!r}", "the node is shown", 60 if isLast else 3)
        except AssertionError:
            if isLast:
                raise


def tab(page, back=False):
    page.key("Tab", number=9, shift=back)
    return page.run(FOCUSED)


def tryWidths(check, page):
    """SearchBox: at any window width, text is legible and nothing is clipped."""
    # Boxes may be moving at this moment.
    page.wait(f"{TIPS} === 0", "no box hides the tip of a link", 20)
    check("no box hides the tip of a link", True)
    for width, height in ((2000, 1100), (1280, 800), (800, 700), (390, 800)):
        page.size(width, height)
        page.wait(f"innerWidth === {width}", "the window has its width")
        page.run("document.getElementById('fit').click()")
        time.sleep(0.5)
        letters = page.run(LETTERS)
        check(f"at {width} pixels text is legible, or hidden", letters == 0 or letters >= 6, letters)
        cut = page.run(OVERFLOW)
        check(f"at {width} pixels nothing is clipped", cut == "", cut)
        check(f"at {width} pixels the keys are explained", page.run("document.getElementById('help').getBoundingClientRect().width > 0"))
    page.size(1400, 860)
    page.run("document.getElementById('fit').click()")


def tryPanel(check, page):
    """SearchBox: the text of the panel, which is updated in place."""
    show(page, "pause in typing")
    facts = page.wait("[...document.querySelectorAll('aside dt')].find((term) => term.textContent === 'Works on')?.nextSibling.textContent", "its queue is told")
    check("a queue has the same label as in drawings", facts == "user-initiated queue", facts)
    # The window was narrow before, and is redrawn.
    leaked = page.wait("document.querySelector('.box.leaked .site')?.textContent", "a box that has leaked has a place")
    check("a leaked box shows its location", leaked.startswith("App.swift:"), leaked)
    counted = page.run("document.getElementById('facts').textContent")
    check("node counts have the format of the commands", bool(re.match(r"[\d,]+ (live )?nodes?(, [\d,]+ ended)? · ", counted)), counted)
    show(page, "results")
    waits = page.wait("[...document.querySelectorAll('aside dt')].find((term) => term.textContent === 'Waits')?.nextSibling.textContent", "waits are told")
    check("waits are shown as measured", "for main: " in waits and " on average, " in waits and " measured" in waits, waits)
    page.wait("document.querySelectorAll('aside .path li').length > 2", "the way is shown")
    page.run("window.kept = document.querySelector('aside .path li:nth-child(2) button'); window.kept.focus();")
    beats = page.run("window.beats = 0; new MutationObserver(() => { window.beats += 1; }).observe(document.getElementById('panel'), { childList: true, subtree: true, characterData: true }); 0")
    page.wait(f"window.beats > {beats} + 3", "the panel changes")
    check("the panel is updated in place and keeps the focus", page.run("document.activeElement === window.kept"))
    page.key("Escape", number=27)
    page.wait(f"{HEADING} === 'SearchBox'", "Escape shows the program again")
    check("Escape returns from the panel to the graph", page.run("document.activeElement.id") == "graph")


def tryKeys(check, page):
    """SearchBox: every control works by keyboard, and has a name."""
    page.run("document.activeElement.blur()")
    stops, seen = [], set()
    for _ in range(80):
        focused = tab(page)
        # After the last one the focus moves to the browser's own controls.
        if focused is None:
            continue
        if stops and focused == stops[0]:
            break
        seen.add(focused[0])
        stops.append(focused)
    wanted = ["program", "search", "ended", "all", "trace", "svg", "json", "smaller", "fit", "larger", "help", "graph", "panel"]
    missing = [name for name in wanted if name not in seen]
    check("Tab reaches every control", not missing, missing)
    unseen = [name for name, isSeen in stops if not isSeen]
    check("the focused element is visible", not unseen, unseen)
    nameless = [role for role, name in page.names() if not name and role not in ("RootWebArea", "generic")]
    check("every focusable element has a name", not nameless, nameless)
    page.run("document.getElementById('graph').focus()")
    page.key("ArrowDown", number=40)
    chosen = "document.getElementById(document.getElementById('graph').getAttribute('aria-activedescendant') ?? '')"
    page.wait(f"!!{chosen}", "an arrow key selects a node")
    spoken = page.run(f"{chosen}.getAttribute('aria-label')")
    check("a selected node is announced to screen readers, with its counts", page.run(f"{chosen}.getAttribute('aria-selected')") == "true" and " value" in spoken, spoken)
    page.key("?", text="?", code="Slash")
    page.wait("document.getElementById('keys').open", "the keys are explained")
    page.key("Escape", number=27)
    page.wait("!document.getElementById('keys').open", "Escape closes the explanation")
    check("Escape closes the help for keys", page.run("!!document.querySelector('.box.selected')"))
    page.key("Escape", number=27)
    page.wait("!document.querySelector('.box.selected')", "Escape gives up the node")
    # Both keys before the server can respond about the node.
    page.run("for (const key of ['ArrowDown', 'o']) document.getElementById('graph').dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))")
    page.wait("!!document.querySelector('#chips .chip')", "O shows only what belongs to the node")
    page.key("Escape", number=27)
    page.wait("!document.querySelector('.box.selected') && !!document.querySelector('#chips .chip')", "Escape selects nothing")
    page.key("Escape", number=27)
    page.wait("!document.querySelector('#chips .chip')", "Escape shows all again")
    check("Escape undoes one choice after the other", True)
    page.key("/", text="/", code="Slash")
    page.type("no such thing")
    page.wait("!document.getElementById('hits').hidden", "nothing is found")
    tab(page)
    check("Tab closes the list of search results", page.run("document.getElementById('hits').hidden"))
    page.run("document.getElementById('search').value = ''")


def tryGoing(check, page):
    """SearchBox: a selected node ends, even before the page knows more than its box."""
    said = f"{BANNER}.includes('“until the next key” has finished')"
    for isQuick in (False, True):
        if isQuick:
            page.wait(f"!{said}", "what is said goes after some seconds")
            page.run("window.plainFetch = fetch; window.fetch = (path, ...more) => String(path).includes('/node') "
                     "? new Promise((go) => { window.goOn = go; }).then(() => window.plainFetch(path, ...more)) : window.plainFetch(path, ...more); 0")
        click(page, "until the next key")
        if isQuick:
            chosen = page.run("document.querySelector('.box.selected').dataset.id")
            page.wait(f"({box('until the next key')}?.dataset.id ?? {chosen!r}) !== {chosen!r}", "another node replaces it", 60)
            page.run("window.fetch = window.plainFetch; window.goOn(); 0")
        page.wait(f"{HEADING} === 'until the next key'", "the node is shown")
        page.wait(said, "the page shows that the node has ended", 60)
        page.wait("document.querySelector('.state').textContent === 'finished'", "the panel shows it too")
        check("a selected node that ends " + ("at once " if isQuick else "") + "is labelled so", "is not drawn" in page.run("document.querySelector('aside').textContent"))
        page.key("Escape", number=27)


def tryEnd(check, trial, page):
    """SearchBox is killed while the page shows it."""
    page.run("document.getElementById('fit').click()")
    click(page, "“results”")
    page.wait(f"{HEADING} === 'results' && document.querySelectorAll('.box.lit').length > 3", "the program is at work", 60)
    trial.end("SearchBox")
    page.wait(f"{BANNER}.includes('has ended')", "the page shows that the program has ended")
    check("no box of an exited program is lit", page.run("document.querySelectorAll('.box.lit, .link.lit').length") == 0)
    page.wait("document.querySelector('.state').textContent === 'was live'", "the panel does not show a node as live")
    check("a node of an exited program is shown as was live", True)
    page.wait(f"!{HIDDEN_BY_BANNER}", "the banner hides no box")
    check("the banner hides no box", True)
    page.key("Escape", number=27)


def tryLate(check, trial, page):
    """A program that does not respond for a while."""
    program = trial.programs["many-nodes"]
    program.send_signal(signal.SIGSTOP)
    try:
        # When a response counts as late depends on the previous ones; in the end it is reported as missing.
        page.wait(f"/is late|did not respond/.test({BANNER})", "the page shows that it waits", 60)
        check("the page shows the age of its data", "ago" in page.run("document.getElementById('facts').textContent"))
    finally:
        program.send_signal(signal.SIGCONT)
    page.wait(f"!/is late|did not respond/.test({BANNER})", "the page goes on", 60)
    check("a late response is reported, and the page continues", True)


def tryBundles(check, page):
    """many-nodes: the label of a group is legible, and a change of the display options shows the whole graph."""
    page.run("document.getElementById('fit').click()")
    page.run("document.querySelectorAll('.boxes .box.bundle')[0].dispatchEvent(new MouseEvent('click', { bubbles: true }))")
    page.wait("!!document.querySelector('.box.selected')", "a group is selected")
    page.run("document.getElementById('graph').focus()")
    page.key("Enter", text="\r", number=13)
    page.wait("document.querySelectorAll('.boxes .box').length > 80 && !!document.querySelector('.box.selected')", "Enter opens it")
    page.wait(f"{LETTERS} >= 6", "letters can be read")
    check("the label of a group is legible", True)
    page.key("Escape", number=27)
    page.key("Escape", number=27)
    page.wait("document.querySelectorAll('.boxes .box').length <= 80", "Escape closes the group")
    page.wheel(400, 400, -600)
    page.run("document.getElementById('ended').click()")
    page.run("document.getElementById('all').click()")
    page.wait("document.querySelectorAll('.boxes .box').length > 2000", "all nodes are drawn", 60)
    seen = """(() => { const stage = document.getElementById('stage').getBoundingClientRect(), boxes = document.querySelector('.boxes').getBoundingClientRect();
      return boxes.left >= stage.left - 1 && boxes.right <= stage.right + 1 && boxes.top >= stage.top - 1 && boxes.bottom <= stage.bottom + 1; })()"""
    page.wait(seen, "all of what is drawn is seen")
    check("all nodes are visible after a redraw", True)
    page.run("document.getElementById('ended').click()")
    page.run("document.getElementById('all').click()")


def connect(address, path, items):
    """A connection that requests a path, and reads nothing."""
    parts = urllib.parse.urlsplit(address)
    token = urllib.parse.parse_qs(parts.query)["token"][0]
    connection = socket.create_connection((parts.hostname, parts.port))
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    connection.sendall(f"GET {path}?token={token}{items} HTTP/1.1\r\nHost: {parts.netloc}\r\n\r\n".encode())
    return connection


def tryCrowd(check, trial, address):
    """More clients than the limit, and more windows than a browser has connections for."""
    page = trial.browser.page(address, before=KEEP_SOURCES)
    page.wait("document.querySelectorAll('#program option').length > 0", "the page is answered")
    # Its connection is given to others, without the page noticing.
    page.run("window.sources.at(-1).close()")
    crowd = []
    deadline = time.monotonic() + 20
    while len(crowd) < 32 and time.monotonic() < deadline:
        connection = connect(address, "/events", "")
        if b" 200 " in connection.recv(64):
            crowd.append(connection)
        else:
            connection.close()
    page.run("document.getElementById('trace').click()")
    page.wait(f"{BANNER}.includes('which is the maximum')", "a rejected page shows the reason", 60)
    for connection in crowd:
        connection.close()
    page.wait(f"{BANNER} === '' && document.getElementById('pulse').dataset.state === 'well'", "it goes on when others have left", 60)
    page.close()
    check("a rejected page shows the reason, and continues by itself", True)

    windows = [trial.browser.page(address, window=True) for _ in range(8)]
    # Each in its own window: none is hidden.
    said = [window.wait(f"{BANNER}.includes('as many as can') ? 'waits' : document.querySelectorAll('#program option').length > 0 && 'shows'", "every window loads", 30)
            for window in windows]
    check("windows beyond the fourth show that they wait", said.count("shows") <= 4 and said.count("waits") >= 4, said)
    waiting = [window for window, words in zip(windows, said) if words == "waits"][0]
    for window, words in zip(windows, said):
        if words == "shows":
            window.close()
    waiting.wait("document.querySelectorAll('#program option').length > 0", "a waiting window continues when others are closed", 20)
    check("a waiting window continues when others are closed", True)
    for window in list(trial.browser.pages):
        if window in windows:
            window.close()


def trySlowReaders(check, trial, address, program):
    """Clients that read nothing do not delay others."""
    readers = [connect(address, "/events", f"&program={program}&all=1") for _ in range(16)]
    page = trial.browser.page(address)
    page.wait("document.querySelectorAll('.boxes .box').length > 0 && document.getElementById('facts').textContent !== ''", "a page is answered beside readers that read nothing", 60)
    for reader in readers:
        reader.close()
    page.close()
    check("clients that read nothing do not delay others", True)


DETACHED = """(() => {
  const boxes = [...document.querySelectorAll('.boxes .box')].map((box) => {
    const [x, y] = box.style.transform.match(/[-0-9.]+(?=px)/g).map(Number), ground = box.querySelector('.ground');
    return { x, y, right: x + Number(ground.getAttribute('width')), bottom: y + Number(ground.getAttribute('height')) };
  });
  const isAt = (x, y, slack) => boxes.some((box) => x > box.x - slack && x < box.right + slack && y > box.y - slack && y < box.bottom + slack);
  return [...document.querySelectorAll('.links .link')].filter((link) => {
    const points = link.getAttribute('d').match(/[-0-9.]+/g).map(Number);
    return !isAt(...points.slice(0, 2), 4) || !isAt(...points.slice(-2), 14) || getComputedStyle(link.parentNode).opacity !== '1';
  }).length;
})()"""
# Records for each drawing how many boxes remained and how many of these moved; and for each frame how many links are detached.
WATCH_MOVES = """(() => {
  window.moves = []; window.detached = 0;
  let last = null;
  window.sources.at(-1).addEventListener('picture', ({ data }) => {
    const boxes = new Map(JSON.parse(data).boxes.map((box) => [box.key, box]));
    const both = last ? [...boxes.keys()].filter((key) => last.has(key)) : [];
    if (last) window.moves.push([both.length, both.filter((key) => boxes.get(key).x !== last.get(key).x || boxes.get(key).y !== last.get(key).y).length]);
    last = boxes;
  });
  const look = () => { window.detached = Math.max(window.detached, DETACHED); requestAnimationFrame(look); };
  requestAnimationFrame(look);
})()""".replace("DETACHED", DETACHED)


def showFake(trial, address, program, *size):
    """A page that shows a program."""
    page = trial.browser.page(address, *size, before=KEEP_SOURCES)
    page.wait(f"!!document.querySelector('#program option[value=\"{program.id}\"]')", "the program is listed")
    page.run(f"(() => {{ const chooser = document.getElementById('program'); chooser.value = {program.id!r}; chooser.dispatchEvent(new Event('change')); }})()")
    page.wait(f"{HEADING} === {program.process['name']!r} && document.querySelectorAll('.boxes .box').length > 0", "the graph is drawn")
    return page


def tryFirstView(check, trial, address):
    """260 nodes in small windows: their names can be read without zooming."""
    program = FakeProgram(trial.environment["SIGNAL_VIZ_DIRECTORY"], "mixed", mixed())
    try:
        for width, height in ((1280, 800), (800, 600)):
            page = showFake(trial, address, program, width, height)
            glyphs, boxes = page.run(LETTERS), page.run("document.querySelectorAll('.boxes .box').length")
            check(f"at {width} x {height} names of 260 nodes are readable at the first view", glyphs >= 7 and boxes > 6, [glyphs, boxes])
            page.close()
        page = showFake(trial, address, program, 1280, 800)
        before = page.run("document.querySelectorAll('.boxes .box').length")
        click(page, "“root”")
        page.wait(f"{HEADING} === 'root' && location.hash.includes('node=')", "the address contains the selected node")
        page.call("Page.reload")
        page.wait(f"{HEADING} === 'root' && !!document.querySelector('.box.selected')", "the node is selected again")
        check("the address contains the selected node", True)
        page.key("Escape", number=27)
        page.size(800, 600)
        page.wait(f"document.querySelectorAll('.boxes .box').length < {before}", "a smaller window shows fewer boxes")
        page.wait(f"{LETTERS} >= 7", "names are readable in the smaller window")
        check("a window that becomes smaller shows fewer boxes", True)
        page.close()
    finally:
        program.end()


def tryChurn(check, trial, address):
    """Chains begin and end in each refresh: remaining boxes do not move, and links stay attached to moving boxes."""
    program = FakeProgram(trial.environment["SIGNAL_VIZ_DIRECTORY"], "churn", churning(0), next=churning)
    try:
        page = showFake(trial, address, program, 1280, 800)
        page.run(WATCH_MOVES)
        page.wait("window.moves.length >= 24", "24 pictures", 120)
        moves = page.run("window.moves")
        check("under churn at most a tenth of the remaining boxes move in a refresh", all(moved * 10 <= remaining for remaining, moved in moves), moves)
        check("under churn every link is attached to its boxes", page.run("window.detached") == 0, page.run("window.detached"))
        # A window of another size has another layout, to which the boxes move.
        program.next = None
        positions = "[...document.querySelectorAll('.boxes .box')].map((box) => box.style.transform).join()"
        before = page.run(positions)
        page.size(800, 1000)
        page.wait(f"{positions} !== {before!r}", "the boxes move")
        page.run("new Promise((done) => setTimeout(done, 400))")
        check("links stay attached to moving boxes", page.run("window.detached") == 0, page.run("window.detached"))
        page.close()
    finally:
        program.end()


HOSTILE = ["<img src=x onerror=window.hurt=1>", "</script><script>window.hurt=1</script>", "\u202eevil\u2066 \u2028", "`${window.hurt=1}`", "a\u0000b\u001b[31m",
           "'\"><svg onload=window.hurt=1>", "W" * 300, "é\u0301" + "\u0301" * 200, "javascript:window.hurt=1", "line\nend\r\n\r\nevent: evil\ndata: {}"]


def tryHostile(check, trial, address):
    """Names with markup, scripts, direction marks, or excessive length."""
    program = FakeProgram(trial.environment["SIGNAL_VIZ_DIRECTORY"], HOSTILE[0] + "\u202e", hostile(HOSTILE))
    page = trial.browser.page(address)
    try:
        page.wait("[...document.querySelectorAll('#program option')].some((option) => option.textContent.startsWith('<img'))", "the program is listed")
        page.run("""(() => { const chooser = document.getElementById('program');
          chooser.value = [...chooser.options].find((option) => option.textContent.startsWith('<img')).value; chooser.dispatchEvent(new Event('change')); })()""")
        page.wait(f"document.querySelectorAll('.boxes .box').length > 0 && {HEADING}?.startsWith('<img')", "the graph is drawn")
        for key in ("ArrowDown", "ArrowDown", "ArrowRight"):
            page.key(key, number=40)
            page.wait(f"!!{HEADING}", "a node is shown")
        page.run("document.getElementById('search').focus()")
        page.type("e")
        page.wait("document.querySelectorAll('.hit').length > 0", "nodes are found")
        strange = page.run("document.querySelectorAll('#stage img, #stage script, aside img, aside script, #hits img, #program img').length")
        marks = page.run(r"/[\u0000-\u0008\u000b-\u001f\u202a-\u202e\u2066-\u2069]/.test(document.body.textContent)")
        check("names of programs and nodes are plain text", strange == 0 and not page.run("!!window.hurt") and not marks, [strange, marks])
        wide = page.run("[...document.querySelectorAll('.boxes .box')].every((box) => box.getBBox().width < 400)")
        check("names are truncated to the width of their boxes", wide)
        cut = page.run(OVERFLOW)
        check("no name makes the page wider", cut == "", cut)
        check("names cause no console errors", not page.complaints, page.complaints)
    finally:
        page.close()
        program.end()


SPEED_UP = """new Promise((done) => {
  const source = window.sources.at(-1);
  const boxes = document.querySelectorAll('.boxes .box').length;
  const tell = (name, data) => source.dispatchEvent(new MessageEvent(name, { data: JSON.stringify(data) }));
  let round = 0;
  const step = () => {
    for (let i = 0; i < 5; i += 1) {
      round += 1;
      tell('counts', { at: Date.now() / 1000, nodes: boxes, ended: 0, words: `${boxes} nodes`, rate: round, notes: [], boxes: Array.from({ length: boxes }, (_, index) => [index, round * 7 + index, round % 9, round % 3, 0, 0]) });
      tell('findings', round % 2 ? [] : [{ rule: 'leak', severity: 'error', message: `finding ${round}`, remedy: 'none', nodes: ['1'], boxes: [], place: { file: 'A.swift', line: round, function: 'f' } }]);
    }
    if (round < ROUNDS) requestAnimationFrame(step); else done(round);
  };
  step();
})"""


def tryMemory(check, trial, address):
    """A long-lived page: 15 minutes of updates in some seconds. Other pages of the browser are counted too."""
    page = trial.browser.page(address, before=KEEP_SOURCES)
    page.wait("document.querySelectorAll('.boxes .box').length > 0", "a graph is drawn")
    page.key("ArrowDown", number=40)
    page.run(SPEED_UP.replace("ROUNDS", "100"))
    before = page.memory()
    page.run(SPEED_UP.replace("ROUNDS", "1800"))
    # The browser frees elements at any time: a leak of one in each box would be 40,000.
    end = time.monotonic() + 30
    while True:
        after = page.memory()
        isFree = after[0] - before[0] < 1_500_000 and after[1] - before[1] < 6_000
        if isFree or time.monotonic() > end:
            break
        page.run("new Promise((done) => setTimeout(done, 500))")
    page.close()
    check("1,800 updates leak no memory", isFree, f"{before} {after}")
    print(f"    after 100 updates {before[0] / 1e6:.2f} MB and {before[1]} elements, after 1,800 more {after[0] / 1e6:.2f} MB and {after[1]}", flush=True)


def tryOldAddress(check, trial):
    """signal-viz is started again at the same port: the page's token is an old one."""
    port = 0
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    binary = os.path.join(trial.binaries, "signal-viz")
    start = lambda: subprocess.Popen([binary, "serve", "--port", str(port)], env=trial.environment, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True)
    first = start()
    try:
        page = trial.browser.page(first.stdout.readline().split(" ")[5])
        page.wait("document.getElementById('pulse').dataset.state !== undefined && document.readyState === 'complete'", "the page is loaded")
        first.kill()
        first.wait()
        page.wait(f"{BANNER}.includes('does not answer')", "the page shows that the server does not respond", 60)
        first = start()
        first.stdout.readline()
        page.wait(f"{BANNER}.includes('an earlier signal-viz serve')", "the page shows that its address is outdated", 60)
        page.close()
        check("a page with an outdated address shows that", True)
    finally:
        first.kill()
        first.wait()
