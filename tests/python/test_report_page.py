"""The report's page in headless Chromium, with the data of real runs."""

import base64
import copy
import csv
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import expect, sync_playwright
from report_payloads import PAGE, ROOT, body_of, encoded, human_run, page_with, samples, spine_run

MODELS = ["CervicalSpine"]
WIDE, PHONE = {"width": 1300, "height": 900}, {"width": 360, "height": 740}
# WebGL is drawn by the processor
CHROMIUM = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
SOFTWARE = "GPU stall due to ReadPixels"  # what drawing without a graphics card complains about
WEBGL = ["--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]


@pytest.fixture(scope="module", autouse=True)
def built():
    if not PAGE.is_file():
        pytest.fail("the report's page is not built: scripts/setup does it", pytrace=False)


@pytest.fixture(scope="module")
def playwright():
    with sync_playwright() as started:
        yield started


def launched(playwright, options):
    chromium = shutil.which("chromium")
    assert chromium, "chromium is missing: scripts/setup installs it"
    return playwright.chromium.launch(executable_path=chromium, args=CHROMIUM + options)


@pytest.fixture(scope="module")
def browser(playwright):
    started = launched(playwright, WEBGL)
    yield started
    started.close()


@pytest.fixture(scope="module")
def whiplash():
    return spine_run()


@pytest.fixture(scope="module")
def harder_whiplash():
    return spine_run("whiplash-12g", pulse_peak=117.7)


@pytest.fixture(scope="module")
def fall():
    return human_run()


@pytest.fixture
def opened(browser, tmp_path):
    """A function that shows runs; the browser must not complain about anything, nor ask the network."""
    contexts, complaints = [], []

    def open_(*runs, title="A report", browser=browser, viewport=WIDE, **options):
        contexts.append(browser.new_context(viewport=viewport, **options))
        page = contexts[-1].new_page()
        page.on("console", lambda message: complaints.append(message.text) if SOFTWARE not in message.text else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("request", lambda request: complaints.append(request.url) if request.url.startswith("http") else None)
        page.goto(page_with({"title": title, "runs": list(runs)}, tmp_path / "report.html").as_uri())
        return page

    yield open_
    for context in contexts:
        context.close()
    assert complaints == []


def head_place(page):
    return page.locator(".figure.first ellipse").first.get_attribute("transform")


def seconds(page):
    return float(page.locator(".scrub").input_value())


def values(page, channel):
    """What the legend of the first plot with the channel shows, as numbers."""
    line = page.locator(".line", has_text=channel).first
    return [float(text.replace("−", "-").split()[0].rstrip("°")) for text in line.locator(".value").all_inner_texts()]


def test_page_is_one_small_file_without_outside_references():
    page = PAGE.read_text(encoding="utf-8")
    assert len(page.encode()) < 1.2e6
    assert "<link rel=stylesheet" not in page and "src=" not in page.split("<script>")[0]


def test_playing_moves_the_body_and_pausing_holds_it(opened, whiplash):
    page = opened(whiplash)
    start = head_place(page)
    page.get_by_role("button", name="Play").click()
    page.wait_for_function("Number(document.querySelector('.scrub').value) > 0.02")
    page.get_by_role("button", name="Pause").click()
    held, time = head_place(page), seconds(page)
    assert held != start
    page.wait_for_timeout(100)
    assert (head_place(page), seconds(page)) == (held, time)


def test_body_stands_where_the_run_says(opened, whiplash):
    """Displacement of the head on paper over the length of the scale bar: as in the channels."""
    page = opened(whiplash)

    def centre():
        box = page.locator(".stage .figure.first ellipse").bounding_box()
        return np.array([box["x"] + box["width"] / 2, -box["y"] - box["height"] / 2])

    start = centre()
    page.locator(".scrub").press("End")
    moved = centre() - start
    ruler = page.locator(".stage .ruler path").evaluate("bar => bar.getBBox().width * bar.getScreenCTM().a")
    length = float(page.locator(".stage .ruler text").text_content().split()[0]) / 1e3
    # the circle is drawn about the skull's centre, not the centre of mass: turn about +y leans forward
    skull = body_of(whiplash, "head")["shapes"][0]["centre"]
    angles = np.radians(samples(whiplash, "head_angle"))
    cosine, sine = np.cos(angles), np.sin(angles)
    places = np.stack([samples(whiplash, f"head_position_{axis}") / 1e3 for axis in "xz"], 1)  # shown in mm
    places += np.stack([cosine * skull[0] + sine * skull[2], cosine * skull[2] - sine * skull[0]], 1)
    assert moved * length / ruler == pytest.approx(places[-1] - places[0], abs=5e-4)
    assert np.linalg.norm(places[-1] - places[0]) > 0.05


def test_keys_play_step_and_jump(opened, whiplash):
    page = opened(whiplash)
    page.keyboard.press("ArrowRight")
    assert seconds(page) == pytest.approx(0.003, abs=1e-3)
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    scrub = page.get_by_role("slider", name="Time")
    scrub.press("End")
    assert seconds(page) == pytest.approx(0.3)
    assert scrub.get_attribute("aria-valuetext") == "300 ms"
    plot = page.locator(".canvas").first
    plot.focus()
    plot.press("Home")
    assert seconds(page) == 0
    plot.press("+")
    expect(page.get_by_role("button", name="Show all of the time")).to_be_visible()
    plot.press("0")
    expect(page.get_by_role("button", name="Show all of the time")).to_be_hidden()


def test_everything_is_reached_by_the_tabulator_and_shows_its_focus(opened, whiplash):
    page = opened(whiplash)
    wanted = page.locator("button:visible, input:visible, select, summary, .canvas").count()
    seen = set()
    for _ in range(wanted + 5):
        page.keyboard.press("Tab")
        state = page.evaluate(
            "(() => { const e = document.activeElement, all = [...document.querySelectorAll('*')];"
            "return [all.indexOf(e), e === document.body || getComputedStyle(e).outlineStyle !== 'none'] })()"
        )
        assert state[1]
        seen.add(state[0])
    assert len(seen) >= wanted


def test_hover_shows_the_values_of_that_time_in_all_plots(opened, whiplash):
    page = opened(whiplash)
    over = page.locator(".u-over").nth(1)
    box = over.bounding_box()
    over.hover(position={"x": box["width"] / 2, "y": 20})
    assert values(page, "head_angle") == pytest.approx([samples(whiplash, "head_angle")[150]], abs=0.3)
    assert values(page, "C4C5_ALL_force") == pytest.approx([samples(whiplash, "C4C5_ALL_force")[150]], abs=0.5)
    assert seconds(page) == 0
    over.click(position={"x": box["width"] / 2, "y": 20})
    assert seconds(page) == pytest.approx(0.15, abs=2e-3)


def test_drag_zooms_all_plots_and_double_click_shows_all(opened, whiplash):
    page = opened(whiplash)
    over = page.locator(".u-over").first
    over.scroll_into_view_if_needed()
    box = over.bounding_box()
    middle = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + 0.5 * box["width"], middle)
    page.mouse.down()
    page.mouse.move(box["x"] + 0.75 * box["width"], middle, steps=4)
    page.mouse.up()
    assert seconds(page) == 0
    last = page.locator(".u-over").last
    last.hover(position={"x": 1, "y": 20})
    assert values(page, "head_angle") == pytest.approx([samples(whiplash, "head_angle")[150]], abs=0.3)
    last.dblclick(position={"x": 5, "y": 20})
    expect(page.get_by_role("button", name="Show all of the time")).to_be_hidden()


def test_line_of_the_present_time_can_be_dragged(opened, whiplash):
    page = opened(whiplash)
    over = page.locator(".u-over").first
    over.scroll_into_view_if_needed()
    box = over.bounding_box()
    page.mouse.move(box["x"] + 2, box["y"] + 20)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] / 3, box["y"] + 20, steps=4)
    page.mouse.up()
    assert seconds(page) == pytest.approx(0.1, abs=3e-3)
    expect(page.get_by_role("button", name="Show all of the time")).to_be_hidden()


def test_a_finger_taps_and_drags_the_time_and_scrolls_the_page(opened, whiplash):
    page = opened(whiplash, viewport=PHONE, has_touch=True, is_mobile=True)
    over = page.locator(".u-over").first
    over.scroll_into_view_if_needed()
    box = over.bounding_box()
    x, y = box["x"], box["y"] + 40
    page.touchscreen.tap(x + box["width"] / 3, y)
    assert seconds(page) == pytest.approx(0.1, abs=3e-3)

    fingers = page.context.new_cdp_session(page)

    def stroke(*points):
        for kind, point in zip(["touchStart"] + ["touchMove"] * len(points), points):
            fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": point[0], "y": point[1]}]})
        fingers.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    stroke(*[(x + share * box["width"], y) for share in (0.2, 0.4, 0.6, 2 / 3)])
    assert seconds(page) == pytest.approx(0.2, abs=3e-3)
    before = page.evaluate("scrollY")
    stroke(*[(x + 50, y - 20 * k) for k in range(8)])
    page.wait_for_function(f"scrollY > {before} + 50")
    assert seconds(page) == pytest.approx(0.2, abs=3e-3)


def test_a_plot_of_any_channel_and_what_is_shown_as_csv(opened, whiplash):
    page = opened(whiplash)
    page.get_by_text("Plot any of").click()
    page.get_by_role("searchbox").fill("head velocity x")
    page.get_by_role("checkbox", name="head_velocity_x").check()
    page.get_by_role("button", name="Add plot").click()
    expect(page.locator(".plot")).to_have_count(4)
    page.locator(".line", has_text="head_angle").click()  # hidden: not in the table
    with page.expect_download() as download:
        page.get_by_role("button", name="Download CSV").click()
    rows = list(csv.reader(Path(download.value.path()).read_text(encoding="utf-8").splitlines()))
    assert "head_velocity_x [m/s]" in rows[0] and "head_angle [deg]" not in rows[0]
    column = [float(row[rows[0].index("C7T1_angle [deg]")]) for row in rows[1:]]
    assert column == pytest.approx(samples(whiplash, "C7T1_angle"), rel=1e-6)


def test_criteria_say_in_words_what_the_bars_show(opened, whiplash):
    page = opened(whiplash)
    items = {item["name"]: item for item in whiplash["criteria"]}
    for name, words in [("HIC15", "within"), ("BrIC", "no limit"), ("LNL", "above limit")]:
        row = page.locator(".criteria li", has=page.get_by_role("button", name=name, exact=True))
        assert (items[name]["share"] or 0) > 1 or words != "above limit"
        assert words in row.inner_text()
    page.get_by_role("button", name="NIC_max").focus()
    expect(page.get_by_text("What NIC_max means")).to_be_visible()


def test_two_runs_stand_beside_each_other(opened, whiplash, harder_whiplash):
    page = opened(whiplash, harder_whiplash)
    page.locator(".scrub").press("End")
    assert values(page, "head_angle") == pytest.approx(
        [samples(run, "head_angle")[-1] for run in (whiplash, harder_whiplash)], rel=1e-3
    )
    places = [page.locator(f".stage .{kind} ellipse").get_attribute("transform") for kind in ("first", "second")]
    assert places[0] != places[1]
    expect(page.get_by_role("rowheader", name="pulse_peak ≠")).to_be_visible()


def test_body_in_space_is_drawn_and_turned_by_keys(opened, fall):
    page = opened(fall)
    page.wait_for_function("document.querySelector('.space canvas').width > 400")

    def painted(key):
        """Which pixels are opaque after a key: read in the task that draws them, as they are cleared afterwards."""
        rows = page.locator(".space canvas").evaluate(
            """(canvas, key) => {
              canvas.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
              const copy = new OffscreenCanvas(100, 100).getContext("2d");
              copy.drawImage(canvas, 0, 0, 100, 100);
              return [...copy.getImageData(0, 0, 100, 100).data].filter((_, k) => k % 4 === 3);
            }""",
            key,
        )
        return np.array(rows) == 255

    near = painted("+")
    assert 100 < near.sum() < 5000
    assert painted("-").sum() < near.sum()
    assert (painted("ArrowLeft") != near).sum() > 50


def test_without_webgl_the_body_is_drawn_from_the_side(playwright, opened, fall):
    browser = launched(playwright, ["--disable-3d-apis"])
    page = opened(fall, browser=browser)
    expect(page.get_by_text("no WebGL")).to_be_visible()
    start = page.locator(".stage .figure.first ellipse").first.get_attribute("transform")
    page.locator(".scrub").press("End")
    assert page.locator(".stage .figure.first ellipse").first.get_attribute("transform") != start
    page.close()
    browser.close()


@pytest.mark.parametrize("which", ["one", "two", "space"])
def test_nothing_is_wider_than_a_phone(opened, whiplash, harder_whiplash, fall, which):
    runs = {"one": [whiplash], "two": [whiplash, harder_whiplash], "space": [fall]}[which]
    page = opened(*runs, viewport=PHONE, has_touch=True)
    page.get_by_text("Plot any of").click()
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]


def test_dark_follows_the_system_and_the_button(opened, whiplash):
    page = opened(whiplash, color_scheme="dark")
    paper = "getComputedStyle(document.body).backgroundColor"
    dark = page.evaluate(paper)
    assert sum(map(int, dark[4:-1].split(","))) < 150
    page.get_by_role("button", name="Switch between light and dark").click()
    assert page.evaluate(paper) == "rgb(255, 255, 255)"


def test_paper_is_light_with_stills_and_meanings(opened, whiplash):
    page = opened(whiplash, color_scheme="dark")
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    expect(page.locator(".stage")).to_be_hidden()
    expect(page.locator(".stills svg")).to_have_count(6)
    expect(page.get_by_text("What HIC15 means")).to_be_visible()
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    page.emulate_media(media="screen")
    assert page.pdf()[:5] == b"%PDF-"
    expect(page.locator(".stage")).to_be_visible()


def test_reduced_motion_is_respected(opened, whiplash):
    page = opened(whiplash, reduced_motion="reduce")
    assert page.evaluate("getComputedStyle(document.querySelector('button')).transitionDuration") == "0s"
    page.wait_for_timeout(100)
    assert seconds(page) == 0


def poorer(run, **changes):
    return {**copy.deepcopy(run), **changes}


def cut(run, count):
    """The run with its first samples only."""
    short = copy.deepcopy(run)
    short["time"] = encoded(np.frombuffer(base64.b64decode(run["time"]), "<f8")[:count], "<f8")
    for channel in short["channels"]:
        channel["values"] = encoded(np.frombuffer(base64.b64decode(channel["values"]), "<f4")[:count], "<f4")
    return short


def with_gaps(run):
    """A missing channel, and one with numbers that are not."""
    gaps = copy.deepcopy(run)
    gaps["channels"] = [channel for channel in gaps["channels"] if channel["name"] != "C4_angle"]
    angle = next(channel for channel in gaps["channels"] if channel["name"] == "head_angle")
    numbers = np.frombuffer(base64.b64decode(angle["values"]), "<f4").copy()
    numbers[100:200] = np.nan
    angle["values"] = encoded(numbers, "<f4")
    gaps["plots"][0]["channels"].append("no_such_channel")
    return gaps


def emptied(run):
    return poorer(run, status="interrupted", reached=0.12, criteria=[], published=None, plots=[])


def hostile(run):
    return with_gaps(poorer(run, status="no step was found", settings=[{"name": "</script><b>", "value": "<i>"}]))


def with_unknown_shape(run):
    strange = copy.deepcopy(run)
    body_of(strange, "C4")["shapes"].append({"kind": "cone"})
    return strange


@pytest.mark.parametrize(
    "change, notes",
    [
        (emptied, ["interrupted at 120 ms", "no injury criteria", "No paper states", "No plots are set"]),
        (
            hostile,
            [
                "no step was found",
                "</script><b>",
                "Not drawn, as channels are missing: C4",
                "Not in this run: no_such_channel",
            ],
        ),
        (lambda run: poorer(run, scene=None), ["No animation"]),
        (with_unknown_shape, ["does not know the shape: C4 (cone)"]),
        (lambda run: cut(run, 1), ["complete"]),
        (lambda run: cut(run, 0), ["No animation"]),
    ],
    ids=["empty", "hostile", "no scene", "unknown shape", "one sample", "no sample"],
)
def test_what_is_missing_is_said(opened, whiplash, change, notes):
    page = opened(change(whiplash))
    for note in notes:
        expect(page.get_by_text(note).first).to_be_visible()
    links = page.get_by_role("navigation").get_by_role("link", name="Motion")
    assert links.count() == (0 if change(whiplash)["scene"] is None else 1)
    scrub = page.locator(".scrub")
    if scrub.count() and scrub.is_enabled():
        scrub.press("End")


def test_page_without_data_says_so(browser):
    page = browser.new_page()
    page.goto(PAGE.as_uri())
    expect(page.get_by_text("holds no data")).to_be_visible()
    page.close()


@pytest.mark.parametrize("script", ["check", "test"])
def test_types_and_logic_of_the_page(script):
    """In node: interpolation, poses, formats."""
    done = subprocess.run(["npm", "run", "--silent", script], cwd=ROOT / "python/report", capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
