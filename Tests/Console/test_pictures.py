"""The pictures in the documentation are of this console."""

import base64

import pytest

from pictures import FOLDER, PICTURES, picture, prepared
from store import ROOT

# Of the pixels of a tile, so that one other word is seen.
SHARE_MAX = 0.1
LATEST = ROOT / ".build" / "console-pictures"

# The largest share of pixels of a tile that differ much; 1 for pictures of another size.
COMPARE = """async (files) => {
  const [one, other] = await Promise.all(files.map(async (file) => {
    const image = await createImageBitmap(await (await fetch(file)).blob());
    const canvas = new OffscreenCanvas(image.width, image.height).getContext("2d");
    canvas.drawImage(image, 0, 0);
    return canvas.getImageData(0, 0, image.width, image.height);
  }));
  if (one.width !== other.width || one.height !== other.height) return 1;
  const [width, height] = [32, 16];
  const tiles = new Map();
  for (let pixel = 0; pixel < one.width * one.height; pixel += 1) {
    const differs = [0, 1, 2].some((part) =>
      Math.abs(one.data[4 * pixel + part] - other.data[4 * pixel + part]) > 48);
    if (differs) {
      const [x, y] = [pixel % one.width, Math.floor(pixel / one.width)];
      const tile = `${Math.floor(x / width)} ${Math.floor(y / height)}`;
      tiles.set(tile, (tiles.get(tile) ?? 0) + 1);
    }
  }
  return Math.max(0, ...tiles.values()) / (width * height);
}"""


@pytest.fixture(scope="module")
def shown():
    """A store with what the pictures show."""
    with prepared() as running:
        yield running


def share_of_difference(browser, *pictures):
    context = browser.new_context()
    share = context.new_page().evaluate(COMPARE, [
        "data:image/png;base64," + base64.b64encode(picture).decode() for picture in pictures])
    context.close()
    return share


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_of_the_documentation_is_of_this_console(browser, shown, name):
    taken = picture(browser, shown, name)
    if share_of_difference(browser, (FOLDER / f"{name}.png").read_bytes(), taken) > SHARE_MAX:
        LATEST.mkdir(parents=True, exist_ok=True)
        (LATEST / f"{name}.png").write_bytes(taken)
        pytest.fail(f"{LATEST / name}.png differs from docs/images/console; if it is as it should "
                    "be, run Tests/Console/pictures.py, look at the pictures and commit them")


def test_a_screen_with_another_word_is_another_picture(browser, shown):
    def reworded(page):
        page.get_by_role("link", name="Ledger").evaluate("link => { link.textContent = 'Ladder'; }")

    one, other = [picture(browser, shown, "ledger-light", change)
                  for change in (lambda _: None, reworded)]
    assert share_of_difference(browser, one, one) == 0
    assert share_of_difference(browser, one, other) > SHARE_MAX
