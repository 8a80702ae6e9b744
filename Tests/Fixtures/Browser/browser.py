#!/usr/bin/python3
"""Headless Chromium for a test: browser.py PICTURES ADDRESS [WIDTH HEIGHT].

Reads commands from its input, one a line, and prints a line of JSON for each: {"ok": ...} or {"error": "..."}.

    text CSS                the text of an element
    value CSS               the value of a field
    click CSS               clicks an element
    hold CSS                presses an element, until "release"
    type CSS TEXT           replaces the text of a field, and sends it with Enter
    key KEY                 presses a key: a letter, Space, ArrowLeft, Shift+ArrowLeft …
    focus CSS               focuses an element
    address                 the page's address
    go ADDRESS              opens an address
    reload                  loads the page again
    block [PATTERN ...]     lets requests for these addresses fail, and no others
    forget                  removes the cookies
    size WIDTH HEIGHT       the size of the page; below 500 it is a phone
    scheme dark|light       the colors that people prefer
    wheel CSS X Y DX DY     turns the wheel at a place of an element
    pull CSS X Y DX DY      drags from a place of an element, as with a mouse; without a way it is a click
    pinch CSS FACTOR        spreads two fingers on an element
    names                   the roles and names that a screen reader is given: [["button", "Pause"], …]
    errors                  what the page has written to the console as errors
    ball                    the middle of the pixels of the stage that have the color of targets, or null
    drag X Y DX DY [THROW]  drags from a place of the stage; with THROW it is released in motion
    picture NAME            saves a picture; what the page offers to save is saved beside it
    quit                    ends the browser
    script TEXT             the value of an expression in the page
"""

import json
import shutil
import sys

try:
    from selenium import webdriver
    from selenium.common.exceptions import WebDriverException
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys
    from selenium.webdriver.chrome.service import Service
except ImportError:
    sys.exit("python3-selenium is not installed: make setup installs it")

BALL = """
const canvas = document.getElementById('canvas');
const color = document.createElement('canvas').getContext('2d');
color.fillStyle = getComputedStyle(canvas).getPropertyValue('--accent').trim();
color.fillRect(0, 0, 1, 1);
const [red, green, blue] = color.getImageData(0, 0, 1, 1).data;
const { data, width, height } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
let [x, y, count] = [0, 0, 0];
for (let place = 0; place < width * height; place += 1) {
  if (data[4 * place] === red && data[4 * place + 1] === green && data[4 * place + 2] === blue) {
    x += place % width; y += Math.floor(place / width); count += 1;
  }
}
const ratio = width / canvas.clientWidth;
return count > 20 ? [x / count / ratio, y / count / ratio] : null;
"""


def start(width, height, folder):
    for program in ("chromium", "chromedriver"):
        if shutil.which(program) is None:
            sys.exit(f"{program} is not installed: make setup installs it")
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium")
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                     "--no-first-run", "--disable-background-networking", f"--window-size={width},{height}"):
        options.add_argument(argument)
    options.add_experimental_option("prefs", {"download.default_directory": folder})
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return webdriver.Chrome(service=Service(shutil.which("chromedriver")), options=options)


def load(driver, address):
    # Other tests make interfaces. A browser loads a page again by itself then, but its driver fails.
    for _ in range(10):
        try:
            return driver.get(address)
        except WebDriverException as error:
            if "ERR_NETWORK_CHANGED" not in str(error):
                raise
    return driver.get(address)


def drag(driver, x, y, dx, dy, throw):
    canvas = driver.find_element(By.ID, "canvas")
    size = canvas.size
    chain = ActionChains(driver, duration=16)
    # Selenium counts from the middle of an element.
    chain.move_to_element_with_offset(canvas, round(x - size["width"] / 2), round(y - size["height"] / 2))
    chain.click_and_hold()
    steps = 10
    for _ in range(steps):
        chain.move_by_offset(round(dx / steps), round(dy / steps))
    if not throw:
        chain.pause(0.3)
    chain.release().perform()


def middle(driver, selector):
    box = driver.execute_script(
        "return document.querySelector(arguments[0]).getBoundingClientRect().toJSON()", selector)
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, box


def pull(driver, selector, x, y, dx, dy):
    element = driver.find_element(By.CSS_SELECTOR, selector)
    size = element.size
    chain = ActionChains(driver, duration=16)
    chain.move_to_element_with_offset(element, round(x - size["width"] / 2), round(y - size["height"] / 2))
    chain.click_and_hold()
    steps = 8 if dx or dy else 0
    for _ in range(steps):
        chain.move_by_offset(round(dx / steps), round(dy / steps))
    chain.release().perform()


def wheel(driver, selector, x, y, dx, dy):
    _, _, box = middle(driver, selector)
    driver.execute_cdp_cmd("Input.dispatchMouseEvent", {
        "type": "mouseWheel", "x": box["x"] + x, "y": box["y"] + y, "deltaX": dx, "deltaY": dy})


def pinch(driver, selector, factor):
    x, y, _ = middle(driver, selector)

    def touch(kind, distance):
        points = [] if kind == "touchEnd" else [
            {"x": x - distance, "y": y, "id": 0}, {"x": x + distance, "y": y, "id": 1}]
        driver.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    touch("touchStart", 40)
    for step in range(1, 9):
        touch("touchMove", 40 * (1 + (factor - 1) * step / 8))
    touch("touchEnd", 0)


def size(driver, width, height):
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
        "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500})


def names(driver):
    nodes = driver.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
    return [[node["role"]["value"], node.get("name", {}).get("value", "")]
            for node in nodes if not node.get("ignored") and "role" in node]


def press(driver, combination):
    *modifiers, name = combination.split("+") if len(combination) > 1 else [combination]
    spelled = "".join("_" + letter if letter.isupper() and at > 0 else letter for at, letter in enumerate(name)).upper()
    key = " " if name == "Space" else getattr(Keys, spelled, name) if len(name) > 1 else name
    chain = ActionChains(driver)
    for modifier in modifiers:
        chain.key_down(getattr(Keys, modifier.upper()))
    chain.send_keys(key)
    for modifier in modifiers:
        chain.key_up(getattr(Keys, modifier.upper()))
    chain.perform()


def answer(driver, pictures, line):
    command, _, rest = line.partition(" ")
    words = rest.split()
    if command in ("text", "value", "click", "type"):
        element = driver.find_element(By.CSS_SELECTOR, words[0])
        if command == "text":
            return element.text
        if command == "value":
            return element.get_attribute("value")
        if command == "click":
            return element.click()
        # As a person does: what is selected is replaced. Without the focus, the page may change the field meanwhile.
        return element.send_keys(Keys.CONTROL + "a", Keys.NULL, rest.split(" ", 1)[1], Keys.ENTER)
    if command == "hold":
        element = driver.find_element(By.CSS_SELECTOR, rest)
        return ActionChains(driver).click_and_hold(element).perform()
    if command == "release":
        return ActionChains(driver).release().perform()
    if command == "key":
        return press(driver, rest)
    if command == "focus":
        return driver.execute_script("document.querySelector(arguments[0]).focus()", rest)
    if command == "go":
        return load(driver, rest)
    if command == "reload":
        return driver.refresh()
    if command == "block":
        driver.execute_cdp_cmd("Network.enable", {})
        return driver.execute_cdp_cmd("Network.setBlockedURLs", {"urls": words})
    if command == "forget":
        return driver.execute_cdp_cmd("Network.clearBrowserCookies", {})
    if command == "size":
        return size(driver, *map(int, words))
    if command == "scheme":
        return driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {
            "features": [{"name": "prefers-color-scheme", "value": rest}]})
    if command in ("pull", "wheel"):
        return (pull if command == "pull" else wheel)(driver, words[0], *map(float, words[1:5]))
    if command == "pinch":
        return pinch(driver, words[0], float(words[1]))
    if command == "names":
        return names(driver)
    if command == "errors":
        return [entry["message"] for entry in driver.get_log("browser") if entry["level"] == "SEVERE"]
    if command == "address":
        return driver.current_url
    if command == "ball":
        return driver.execute_script(BALL)
    if command == "drag":
        return drag(driver, *map(float, words[:4]), "THROW" in words)
    if command == "picture":
        return driver.save_screenshot(f"{pictures}/{words[0]}.png")
    if command == "script":
        return driver.execute_script(f"return {rest}")
    raise ValueError(f"there is no command {command}")


def main():
    pictures, address = sys.argv[1:3]
    width, height = sys.argv[3:5] if len(sys.argv) > 4 else (1280, 720)
    driver = start(width, height, pictures)
    try:
        load(driver, address)
        print(json.dumps({"ok": "ready"}), flush=True)
        for line in sys.stdin:
            if line == "quit\n":
                break
            try:
                print(json.dumps({"ok": answer(driver, pictures, line.rstrip("\n"))}), flush=True)
            except Exception as error:  # Selenium has many kinds, each with a stack of its own.
                print(json.dumps({"error": str(error).split("\n")[0]}), flush=True)
    finally:
        driver.quit()


main()
