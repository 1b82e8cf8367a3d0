from .modules import javascript as javascript
from .pages import page as page
