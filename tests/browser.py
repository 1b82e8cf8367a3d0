"""Chromium without a window, by its own protocol over pipes: nothing but the browser is needed."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
QUIET = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]
QUIET += [
    "--disable-sync",
    "--disable-component-update",
    "--disable-dev-shm-usage",
    "--remote-debugging-pipe",
]
_KEYS = {"Tab": 9, "Enter": 13, "Escape": 27, "Space": 32, "ArrowDown": 40, "ArrowUp": 38}


class Browser:
    """A browser with one page at a time; `events` are what the page reported since it was opened."""

    def __init__(self, folder: Path) -> None:
        assert CHROMIUM is not None
        to_browser, self._out = os.pipe()
        self._in, from_browser = os.pipe()
        # The browser reads from its descriptor 3 and writes to 4.
        script = f'exec "$@" 3<&{to_browser} 4>&{from_browser}'
        arguments = [CHROMIUM, *QUIET, f"--user-data-dir={folder}", "about:blank"]
        self._process = subprocess.Popen(
            ["bash", "-c", script, "bash", *arguments],
            pass_fds=(to_browser, from_browser),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(to_browser)
        os.close(from_browser)
        self._rest, self._number, self._session = b"", 0, None
        self.events: list[dict[str, Any]] = []
        self._context = self._target = None

    def close(self) -> None:
        """End the browser."""
        with suppress(OSError, RuntimeError):
            self.call("Browser.close", session=None)
        os.close(self._in)
        os.close(self._out)
        try:
            self._process.wait(20)
        except subprocess.TimeoutExpired:
            self._process.kill()

    def _read(self) -> dict[str, Any]:
        while b"\0" not in self._rest:
            part = os.read(self._in, 1 << 16)
            if not part:
                raise RuntimeError("the browser has ended")
            self._rest += part
        message, _, self._rest = self._rest.partition(b"\0")
        return json.loads(message)

    def call(self, method: str, session: str | None = "page", **parameters: Any) -> dict[str, Any]:
        """Call a method of the protocol, by default of the page."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if session is not None:
            message["sessionId"] = self._session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._read()
            if answer.get("id") == self._number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            if "method" in answer:
                self.events.append(answer)

    def open(self, url: str, *, width: int = 1200, height: int = 900, dark: bool = False) -> None:
        """Open a page in a context of its own."""
        if self._context is not None:
            self.call("Target.disposeBrowserContext", None, browserContextId=self._context)
        self._context = self.call("Target.createBrowserContext", None)["browserContextId"]
        target = self.call("Target.createTarget", None, url="about:blank", browserContextId=self._context)
        self._target = target["targetId"]
        attached = self.call("Target.attachToTarget", None, targetId=self._target, flatten=True)
        self._session = attached["sessionId"]
        self.events.clear()
        for room in ("Page", "Runtime", "Network", "Log", "Accessibility"):
            self.call(f"{room}.enable")
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=width < 500,
        )
        scheme = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
        self.call("Emulation.setEmulatedMedia", features=scheme)
        self.call("Page.navigate", url=url)
        self.until("document.readyState === 'complete'")

    def run(self, script: str) -> Any:
        """Return the value of an expression in the page; promises are awaited."""
        done = self.call(
            "Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True, userGesture=True
        )
        if "exceptionDetails" in done:
            raise RuntimeError(f"{script:.80}: {done['exceptionDetails']}")
        return done["result"].get("value")

    def until(self, script: str, seconds: float = 20) -> Any:
        """Wait until an expression is true, and return its value."""
        end = time.monotonic() + seconds
        while not (value := self.run(script)):
            if time.monotonic() > end:
                raise TimeoutError(script)
            time.sleep(0.02)
        return value

    def press(self, *keys: str) -> None:
        """Press keys, one after the other."""
        for key in keys:
            text = {"Enter": "\r", "Space": " "}.get(key)
            facts = {
                "key": " " if key == "Space" else key,
                "code": key,
                "windowsVirtualKeyCode": _KEYS[key],
                **({"text": text} if text else {}),
            }
            self.call("Input.dispatchKeyEvent", type="keyDown", **facts)
            self.call("Input.dispatchKeyEvent", type="keyUp", **facts)

    def type(self, text: str) -> None:
        """Type a text where the focus is, at once, as it is pasted."""
        self.call("Input.insertText", text=text)

    def requests(self) -> list[str]:
        """Return the addresses that were asked for since the page was opened, the page itself first."""
        self.run("0")
        return [
            one["params"]["request"]["url"]
            for one in self.events
            if one["method"] == "Network.requestWillBeSent"
        ]

    def complaints(self) -> list[str]:
        """Return what the console and the page reported: errors, warnings, refused requests."""
        self.run("0")
        bad = (
            "Runtime.exceptionThrown",
            "Log.entryAdded",
            "Runtime.consoleAPICalled",
            "Page.javascriptDialogOpening",
        )
        return [json.dumps(one["params"])[:500] for one in self.events if one["method"] in bad]
