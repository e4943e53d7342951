"""The exception of the package."""


class Error(ValueError):
    """The bytes are malformed, a value cannot be written, or an argument is invalid.

    `kind` is the name of the reason, such as `UnexpectedEnd`. `offset` is the position of the
    malformed bytes in the input, or the number of bytes written so far, where it is known. `path`
    leads to the value, such as `players/0/position`; it is empty for the outermost value, and
    `None` where it is unknown.

    >>> import gamewire
    >>> try:
    ...     gamewire.godot.loads(bytes([28, 0, 0, 0, 1, 0, 0, 0, 99, 0, 0, 0]))
    ... except gamewire.Error as error:
    ...     print(error.kind, error.offset, error.path)
    UnknownType 8 0
    """

    def __init__(self, message, kind="", offset=None, path=None):
        super().__init__(message)
        self.kind = kind
        self.offset = offset
        self.path = path

    def __str__(self):
        message = super().__str__()
        return f"{message}, in {self.path}" if self.path else message

    def __reduce__(self):
        return type(self), (self.args[0], self.kind, self.offset, self.path)
