"""Frames on pipes: 4 bytes of length (big endian), then text."""
import os
import select
import struct


class Frames:
    """Reads frames from a pipe, with or without waiting for the next one."""

    def __init__(self, handle):
        self.handle, self.data = handle, bytearray()
        self.poller = select.poll()
        self.poller.register(handle, select.POLLIN)

    def next(self, wait):
        """The next frame; None if none is there and `wait` is false. Ends the process if the other end is gone."""
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
