from .modules import javascript as javascript
