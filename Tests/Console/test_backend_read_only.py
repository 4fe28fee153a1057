"""A session that only reads in the backend's console, as test_read_only.py has the store's."""

import pytest

from backends import backend, shop, world
from test_backend_places import PLACES, it
from test_read_only import press_everything, sent, shared_screen


@pytest.mark.parametrize("place", [*PLACES, "settings"])
def test_no_button_changes_the_backend(screen, it, sent, place):
    press_everything(screen, place.format(**it), PLACES.get(place, "main form"))
    assert sent == []
