"""The classes of the objects that `gamewire.open` returns, one for each kind of file."""

from gamewire.files._archives import Archive
from gamewire.files._base import File
from gamewire.files._config import Config, EngineValue
from gamewire.files._documents import Document, Package, Rems, Save
from gamewire.files._open import open
from gamewire.files._tables import Locres, Mappings, Registry
from gamewire.files._values import Content, Values

__all__ = [
    "Archive",
    "Config",
    "Content",
    "Document",
    "EngineValue",
    "File",
    "Locres",
    "Mappings",
    "Package",
    "Registry",
    "Rems",
    "Save",
    "Values",
    "open",
]
