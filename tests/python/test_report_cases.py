"""Every named case of every model runs to its end, and its report opens in a browser without errors."""

from importlib import resources

import pytest
from playwright.sync_api import sync_playwright
from spondyl import cases, models, report, run, scenario

CASES = [(name, case) for name in models.paths() for case in cases.names(name)]


@pytest.fixture(scope="module")
def browser():
    """A page, and what went wrong in it."""
    if not (resources.files("spondyl.report") / "page.html").is_file():
        pytest.fail("the report's page is not built: npm ci && npm run build in python/report", pytrace=False)
    quiet = ["--no-sandbox", "--disable-background-networking", "--disable-component-update", "--enable-unsafe-swiftshader"]
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=quiet)
        page, problems = chromium.new_page(viewport={"width": 400, "height": 400}), []
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
        yield page, problems
        chromium.close()


@pytest.mark.parametrize("name, case", CASES)
def test_case_runs_and_its_report_opens(browser, tmp_path, name, case):
    page, problems = browser
    problems.clear()
    found = models.find(name)
    done = run.run(scenario.checked(cases.find(name, case).scenario, found), found, tmp_path)
    assert done.status == "complete"
    page.goto(report.write([done], tmp_path / "report.html").as_uri())
    assert page.locator(".drawing").first.is_visible()
    assert page.get_by_text(cases.find(name, case).title).first.is_visible()
    assert not problems
