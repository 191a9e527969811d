"""The checks of scripts/test-page."""

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback
import urllib.error
import urllib.request

sys.dont_write_bytecode = True
import page_checks
from browser import Browser
from page_costs import printCosts


class Trial:
    """signal-viz, the programs and the browser of one run."""

    def __init__(self, chromium, binaries, pictures):
        self.binaries = binaries
        self.pictures = pictures
        self.folder = tempfile.mkdtemp(prefix="signals-page.", dir="/tmp")
        sockets = os.path.join(self.folder, "sockets")
        os.mkdir(sockets, 0o700)
        self.environment = dict(os.environ, SIGNAL_VIZ_DIRECTORY=sockets, SIGNALS_INSPECT="1")
        self.programs = {}
        self.browser = None
        self.chromium = chromium
        self.checks = 0

    def start(self, name, *arguments):
        """Starts a program; it exits when this one closes its input, or kills it."""
        program = subprocess.Popen([os.path.join(self.binaries, name), *arguments], env=self.environment,
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.programs[name] = program
        return program

    def end(self, name):
        program = self.programs.pop(name)
        program.kill()
        program.wait()

    def check(self, words, isRight, seen=""):
        if not isRight:
            raise AssertionError(f"{words} {seen}".rstrip())
        self.checks += 1
        print(f"ok: {words}", flush=True)

    def close(self):
        if self.browser:
            self.browser.close()
        for name in list(self.programs):
            self.end(name)
        shutil.rmtree(self.folder, ignore_errors=True)


BOXES = "document.querySelectorAll('.boxes .box').length"
OPTIONS = "[...document.querySelectorAll('#program option')].map((option) => option.textContent)"
HEADING = "document.querySelector('aside h2')?.textContent"
SCALE = "Number(document.querySelector('.root').style.transform.match(/scale\\((.*)\\)/)[1])"
SELECTED = f"""(() => {{
  const box = document.querySelector('.box.selected .ground').getBoundingClientRect();
  return [{SCALE}, box.x + box.width / 2, box.y + box.height / 2];
}})()"""
MIDDLE = """(() => {
  const box = document.querySelector('.box.selected').getBoundingClientRect(), stage = document.getElementById('stage').getBoundingClientRect();
  return Math.hypot(box.x + box.width / 2 - stage.x - stage.width / 2, box.y + box.height / 2 - stage.y - stage.height / 2);
})()"""
COUNT_BEATS = """window.beats = 0;
new MutationObserver(() => { window.beats += 1; }).observe(document.getElementById('facts'), { childList: true });"""


def status(address, **headers):
    try:
        return urllib.request.urlopen(urllib.request.Request(address, headers=headers), timeout=10).status
    except urllib.error.HTTPError as error:
        return error.code


def choose(page, name):
    page.run(f"""(() => {{
      const chooser = document.getElementById('program');
      chooser.value = [...chooser.options].find((option) => option.textContent.startsWith({name!r}) && !option.textContent.includes('ended')).value;
      chooser.dispatchEvent(new Event('change'));
    }})()""")


def tryPage(trial):
    tool = trial.start("signal-viz", "serve")
    said = tool.stdout.readline()
    address = re.search(r"http://127\.0\.0\.1:[0-9]+/\?token=[0-9a-f]+", said)
    trial.check("the address is printed", address, said)
    address = address.group()
    bare = address.split("?")[0]
    trial.check("the token is required", [status(bare), status(f"{bare}events"), status(address)] == [403, 403, 200])
    trial.check("another host name is rejected", status(address, Host="signals.example") == 403)

    trial.browser = Browser(trial.chromium)
    page = trial.browser.page(address, 1400, 860)
    page.wait("!document.getElementById('empty').hidden", "the page shows that no program runs")
    trial.check("without a program the page shows instructions", "SIGNALS_INSPECT=1" in page.run("document.getElementById('empty').textContent"))

    trial.start("SearchBox")
    page.wait(f"{BOXES} > 8", "the graph of a program that starts is drawn")
    trial.check("a program that starts is drawn", page.run(OPTIONS)[0].startswith("SearchBox"))

    typing = "[...document.querySelectorAll('.boxes .box')].find((box) => box.textContent.includes('typing speed')).querySelector('.count').textContent"
    before = int(page.wait(typing, "the count of a source is shown").replace(",", ""))
    page.wait(f"Number({typing}.replaceAll(',', '')) > {before} + 5", "a live count changes")
    page.wait("!!document.querySelector('.box.lit')", "a node with new values lights up")
    trial.check("a live count changes, and its node lights up", True)

    page.key("/", text="/", code="Slash")
    page.wait("document.activeElement.id === 'search'", "the key / goes to the search")
    page.type("pause typing")
    page.wait("document.querySelectorAll('#hits .hit:not(.only)').length === 1", "one node is found by its name")
    page.key("Enter", text="\r", number=13)
    page.wait(f"{HEADING} === 'pause in typing'", "the found node is shown")
    page.wait("document.querySelectorAll('.box.selected').length === 1", "the found node is selected")
    feeding = page.run("document.querySelectorAll('.box.feeds').length")
    trial.check("a node is found and selected, with its upstream", 2 <= feeding < page.run(BOXES), feeding)
    panel = page.run("document.querySelector('aside').textContent")
    trial.check("the panel shows location, scheduler and explanation", all(words in panel for words in ["SearchBox/App.swift:33", "user-initiated queue", "Why "]), panel)

    everything = page.run(BOXES)
    page.run("document.getElementById('search').value = ''")
    page.key("/", text="/", code="Slash")
    page.type("SearchBox/App.swift debounce")
    page.wait("!document.getElementById('hits').hidden && document.querySelectorAll('#hits .hit.only').length === 1", "search results can be shown alone")
    page.run("document.querySelector('#hits .hit.only').click()")
    page.wait(f"{BOXES} >= 1 && {BOXES} < 4 && !!document.querySelector('#chips .chip')", "only search results are shown")
    saved = page.run("""Promise.all(['svg', 'json'].map(async (kind) => {
      let address; const click = HTMLAnchorElement.prototype.click;
      HTMLAnchorElement.prototype.click = function () { address = this.href; };
      document.getElementById(kind).click(); HTMLAnchorElement.prototype.click = click;
      const answer = await fetch(address); return [answer.status, answer.headers.get('content-disposition'), (await answer.text()).includes('debounce')];
    })).then(JSON.stringify)""")
    trial.check("a search filters the graph, and the shown part is saved as SVG and JSON", saved.count("200") == 2 and saved.count("true") == 2 and "SearchBox.svg" in saved, saved)
    page.run("document.querySelector('#chips .chip button').click()")
    page.wait(f"{BOXES} === {everything}", "all is shown again")
    page.run("document.getElementById('search').value = ''")
    page.run("document.getElementById('graph').focus()")

    page.key("f", text="f")
    page.wait(f"{MIDDLE} < 30", "a followed node is centred")
    page.key("ArrowDown", number=40)
    page.wait(f"{HEADING} === 'new search text'", "an arrow goes to the next node")
    page.wait(f"{MIDDLE} < 30", "the next node is centred too")
    trial.check("a node is followed, and keys move from node to node", True)

    page.key("f", text="f")
    page.run(COUNT_BEATS)
    before = page.run(SCALE)
    page.wheel(500, 400, -300)
    page.wait(f"{SCALE} > {before} && window.beats >= 1", "the wheel zooms, and counts tick")
    # The animation to the centre has ended by now.
    (scale, x, y), beats = page.run(SELECTED), page.run("window.beats")
    page.wait(f"window.beats >= {beats} + 3", "counts tick on")
    page.run("document.getElementById('trace').click()")
    page.wait(f"window.beats >= {beats} + 6", "counts tick after another connection")
    page.wait(f"(([scale, x, y]) => scale === {scale} && Math.hypot(x - {x}, y - {y}) < 5)({SELECTED})",
              "zoom survives updates, and the selected node stays where it is", 60)
    page.run("document.getElementById('trace').click()")
    page.key("Escape", number=27)
    page.wait("!document.querySelector('.box.selected')", "Escape selects nothing")
    trial.check("zoom, position and selection survive updates", True)
    page.run("document.getElementById('fit').click()")

    light = page.run("getComputedStyle(document.body).backgroundColor")
    page.prefer(True)
    page.wait(f"getComputedStyle(document.body).backgroundColor !== {light!r}", "dark mode differs")
    page.wait("getComputedStyle(document.querySelector('.box .ground')).fill !== 'rgb(230, 241, 250)'", "boxes differ in dark mode")
    trial.check("dark mode differs", True)
    page.prefer(False)
    if trial.pictures:
        takePictures(trial, page)
    page_checks.tryWidths(trial.check, page)
    page_checks.tryPanel(trial.check, page)
    page_checks.tryKeys(trial.check, page)
    page_checks.tryGoing(trial.check, page)

    trial.start("Faults")
    page.wait(f"{OPTIONS}.length === 2", "a second program appears")
    choose(page, "Faults")
    page.wait(f"{HEADING} === 'Faults' && document.querySelectorAll('.finding').length > 0", "its findings are listed")
    trial.check("a second program appears, with findings and remedies",
                page.run("[...document.querySelectorAll('.finding')].every((finding) => finding.querySelector('.remedy').textContent.length > 10)"))
    page.run("[...document.querySelectorAll('.finding button')].find((button) => button.textContent.endsWith('node')).click()")
    page.wait("!!document.querySelector('.box.selected .badge circle')", "a finding leads to its node")
    page.key("Escape", number=27)
    trial.end("Faults")
    page.wait("document.getElementById('banner').textContent.includes('has ended')", "an exited program is reported")
    again = trial.start("Faults")
    page.wait(f"document.querySelector('aside').textContent.includes('pid {again.pid}')", "a restarted program is shown")
    trial.check("an exited program is reported, and shown again after a restart", True)

    trial.start("many-nodes", "2000")
    page.wait(f"{OPTIONS}.some((words) => words.startsWith('many-nodes'))", "a third program appears")
    choose(page, "many-nodes")
    page.wait(f"{HEADING} === 'many-nodes' && {BOXES} > 0 && !!document.querySelector('.box.bundle')", "a large graph is grouped")
    trial.check("2,002 nodes are grouped", page.run(BOXES) <= 80)
    page.run("document.querySelector('.boxes .box.bundle').dispatchEvent(new MouseEvent('dblclick', { bubbles: true }))")
    page.wait(f"{BOXES} > 80 && !!document.querySelector('#chips .chip')", "a group opens by a double click")
    page.run("document.querySelector('#chips button').click()")
    page.wait(f"{BOXES} <= 80", "a group closes again")
    page.run("document.getElementById('all').click()")
    page.wait(f"{BOXES} === 2002", "all nodes are drawn", 60)
    page.run(COUNT_BEATS)
    began = time.monotonic()
    page.wait("window.beats >= 6", "counts of all nodes tick")
    trial.check("a group opens and closes, and 2,002 boxes tick", time.monotonic() - began < 12, "less than once in two seconds")

    page.run("document.getElementById('all').click()")
    page.wait(f"{BOXES} <= 80", "groups are drawn again")
    page_checks.tryBundles(trial.check, page)
    page_checks.tryLate(trial.check, trial, page)
    page.call("Page.reload")
    page.wait(f"{HEADING} === 'many-nodes'", "after a reload the same program is shown")
    others = [request for request in page.requests if not request.startswith(bare)]
    trial.check("nothing is loaded from other servers", not others, others)
    choose(page, "SearchBox")
    page_checks.tryEnd(trial.check, trial, page)
    trial.check("the console has no errors", not page.complaints, page.complaints)
    program = page.run("document.getElementById('program').value")
    page.close()

    page_checks.tryFirstView(trial.check, trial, address)
    page_checks.tryChurn(trial.check, trial, address)
    page_checks.tryHostile(trial.check, trial, address)
    page_checks.trySlowReaders(trial.check, trial, address, program)
    page_checks.tryMemory(trial.check, trial, address)
    page_checks.tryCrowd(trial.check, trial, address)
    page_checks.tryOldAddress(trial.check, trial)

    tool.send_signal(signal.SIGINT)
    tool.wait(timeout=20)
    trial.check("Ctrl-C ends the server with status 0", tool.returncode == 0, tool.returncode)
    trial.programs.pop("signal-viz")


AT_WORK = """['prefix(untilOutputFrom:)', 'page turner'].every((words) => document.querySelector('.boxes').textContent.includes(words))
  && document.querySelectorAll('.box.lit').length > 9"""


def snap(page, path):
    """Takes a screenshot at a moment at which the whole program is at work, before and after boxes and links have arrived."""
    for _ in range(30):
        page.wait(AT_WORK, "the whole program is at work", 120)
        time.sleep(0.8)
        page.shot(path)
        if page.run(AT_WORK):
            return
    raise AssertionError("the whole program is at work for a second")


def takePictures(trial, page):
    """Light with the overview, and dark with a node, as soon as both show the program at work."""
    os.makedirs(trial.pictures, exist_ok=True)
    page.size(1280, 800)
    page.run("document.getElementById('search').value = ''; document.activeElement.blur(); document.getElementById('fit').click()")
    snap(page, os.path.join(trial.pictures, "live-page.png"))
    page.prefer(True)
    page.run("[...document.querySelectorAll('.boxes .box')].find((box) => box.textContent.includes('“search”')).dispatchEvent(new MouseEvent('click', { bubbles: true }))")
    page.wait("document.querySelectorAll('.marble').length > 60", "marbles of the last seconds", 60)
    snap(page, os.path.join(trial.pictures, "live-page-dark.png"))
    page.prefer(False)
    page.size(1400, 860)
    page.key("Escape", number=27)


def main():
    chromium, binaries, *options = sys.argv[1:]
    if options and options != ["--costs"] and (options[0] != "--pictures" or len(options) != 2):
        sys.exit("error: the only options are --pictures DIRECTORY and --costs")
    began = time.monotonic()
    trial = Trial(chromium, binaries, options[1] if len(options) == 2 else None)
    try:
        if options == ["--costs"]:
            trial.browser = Browser(chromium)
            return printCosts(trial)
        tryPage(trial)
        version = subprocess.run([chromium, "--version"], capture_output=True, text=True).stdout.split()
        number = next((word for word in version if word[0].isdigit()), "")
        print(f"The live page passes {trial.checks} checks in Chromium {number} ({time.monotonic() - began:.0f} s).")
    except Exception as error:
        if not isinstance(error, AssertionError):
            traceback.print_exc()
        if trial.browser:
            for page in trial.browser.pages:
                try:
                    os.makedirs("out", exist_ok=True)
                    page.shot("out/test-page.png")
                    print(f"The page at the failure: out/test-page.png; console errors: {page.complaints}", file=sys.stderr)
                except Exception:
                    pass
        sys.exit(f"error: the live page failed: {error}")
    finally:
        trial.close()


main()
