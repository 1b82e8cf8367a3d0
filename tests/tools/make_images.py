"""Draws the reference images in tests/images, with which tests compare pictures.

    python tests/tools/make_images.py

Look at each changed image before committing it.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import pictures
from folders import IMAGES

if __name__ == "__main__":
    for name in pictures.PICTURES:
        pictures.save(name, IMAGES / pictures.file_name(name))
