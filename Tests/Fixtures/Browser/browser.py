#!/usr/bin/python3
"""Headless Chromium for a test: browser.py PICTURES ADDRESS [WIDTH HEIGHT].

Reads commands from its input, one a line, and prints a line of JSON for each: {"ok": ...} or {"error": "..."}.

    text CSS                the text of an element
    value CSS               the value of a field
    click CSS               clicks an element
    type CSS TEXT           replaces the text of a field, and sends it with Enter
    key KEY                 presses a key
    address                 the page's address
    ball                    the middle of the pixels of the stage that have the color of targets, or null
    drag X Y DX DY [THROW]  drags from a place of the stage; with THROW it is released in motion
    picture NAME            saves a picture
    quit                    ends the browser
    script TEXT             the value of an expression in the page
"""

import json
import shutil
import sys

try:
    from selenium import webdriver
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


def start(width, height):
    for program in ("chromium", "chromedriver"):
        if shutil.which(program) is None:
            sys.exit(f"{program} is not installed: make setup installs it")
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium")
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                     "--no-first-run", "--disable-background-networking", f"--window-size={width},{height}"):
        options.add_argument(argument)
    return webdriver.Chrome(service=Service(shutil.which("chromedriver")), options=options)


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
        element.clear()
        return element.send_keys(rest.split(" ", 1)[1], Keys.ENTER)
    if command == "key":
        return ActionChains(driver).send_keys(" " if rest == "Space" else rest).perform()
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
    driver = start(width, height)
    try:
        driver.get(address)
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
