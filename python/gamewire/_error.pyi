class Error(ValueError):
    """The bytes are malformed, a value cannot be written, or an argument is invalid."""

    kind: str
    offset: int | None
    path: str | None
    def __init__(
        self, message: str, kind: str = "", offset: int | None = None, path: str | None = None
    ) -> None: ...
