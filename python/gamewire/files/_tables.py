"""Localized texts, asset registries and mappings of Unreal Engine, which can only be read."""

from collections.abc import Mapping

from gamewire._gamewire import locres_document, read_mappings, registry_document
from gamewire.files._base import File


class Locres(File, Mapping):
    """Localized texts: a mapping from namespaces to dictionaries of texts.

    `document` is the document that `gamewire json` prints, with the hashes of the source texts.

    >>> import gamewire
    >>> gamewire.open("corpus/unreal-locres/v3.locres")["Menu"]["Start"]
    'Spiel starten'
    """

    __slots__ = ("document", "_namespaces")

    def __init__(self, source):
        super().__init__(source)
        self.document = locres_document(source.data)
        self._namespaces = {}
        for namespace in self.document["namespaces"]:
            texts = self._namespaces.setdefault(namespace["namespace"], {})
            texts.update((text["key"], text["text"]) for text in namespace["texts"])

    def __getitem__(self, namespace):
        return self._namespaces[namespace]

    def __iter__(self):
        return iter(self._namespaces)

    def __len__(self):
        return len(self._namespaces)


class Registry(File):
    """An asset registry. `document` is the document that `gamewire json` prints.

    >>> import gamewire
    >>> registry = gamewire.open("corpus/unreal-registry/v24.bin")
    >>> registry.assets[0]["class"]
    '/Script/Engine.World'
    """

    __slots__ = ("document",)

    def __init__(self, source):
        super().__init__(source)
        self.document = registry_document(source.data)

    @property
    def assets(self):
        """The assets, with their tags."""
        return self.document["assets"]


class Mappings(File):
    """Mappings (`.usmap`): the properties of classes and structs, and the values of enums, by name.

    >>> import gamewire
    >>> mappings = gamewire.open("corpus/unreal-mappings/tiny.v4.usmap")
    >>> len(mappings.structs) > 0
    True
    """

    __slots__ = ("structs", "enums", "versions")

    def __init__(self, source):
        super().__init__(source)
        self.structs, self.enums, self.versions = read_mappings(source.data)
