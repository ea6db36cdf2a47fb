"""Opens a listed task as a reader does."""

from typing import Any


def open_hit(page: Any, place: int = 0) -> None:
    """Click on a listed task and wait until it is drawn, which the browser does after it has opened."""
    page.locator("#failures-hits summary").nth(place).click()
    page.locator("#failures-hits > li").nth(place).locator(".shown").wait_for()
