"""Frames on pipes: 4 bytes of length (big endian), then text."""
import os
import select
import struct


class Frames:
    """Frames that come from a pipe, and whether another one is waiting already."""

    def __init__(self, handle):
        self.handle, self.data = handle, bytearray()
        self.poller = select.poll()
        self.poller.register(handle, select.POLLIN)

    def next(self, wait):
        """The next frame; None where none is there and `wait` is false. Ends the process when the other end is gone."""
        while True:
            if len(self.data) >= 4:
                (size,) = struct.unpack_from(">I", self.data)
                if len(self.data) >= 4 + size:
                    frame = bytes(self.data[4 : 4 + size])
                    del self.data[: 4 + size]
                    return frame
            if not wait and not self.data and not self.poller.poll(0):
                return None
            piece = os.read(self.handle, 1 << 20)
            if not piece:
                os._exit(0)
            self.data += piece


def write_frame(handle, body):
    view = memoryview(struct.pack(">I", len(body)) + body)
    while view:
        view = view[os.write(handle, view) :]
