"""TensorBoard event files as torch writes them: records with masked CRC-32C around protobuf messages."""

import os
import socket
import struct
import time

TABLE = []
for byte in range(256):
    crc = byte
    for _ in range(8):
        crc = (crc >> 1) ^ (0x82F63B78 if crc & 1 else 0)
    TABLE.append(crc)


def masked_crc(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc = TABLE[(crc ^ byte) & 0xFF] ^ (crc >> 8)
    crc ^= 0xFFFFFFFF
    return (((crc >> 15) | (crc << 17)) + 0xA282EAD8) & 0xFFFFFFFF


def varint(number):
    number &= 0xFFFFFFFFFFFFFFFF
    out = b""
    while number > 127:
        out += bytes([number & 127 | 128])
        number >>= 7
    return out + bytes([number])


def field(number, data):
    return varint(number << 3 | 2) + varint(len(data)) + data


class EventFile:
    def __init__(self, folder):
        os.makedirs(folder, exist_ok=True)
        name = f"events.out.tfevents.{int(time.time())}.{socket.gethostname()}.{os.getpid()}.0"
        self.file = open(os.path.join(folder, name), "ab")
        self.write(field(3, b"brain.Event:2"))

    def write(self, rest, step=0):
        event = b"\x09" + struct.pack("<d", time.time()) + b"\x10" + varint(step) + rest
        length = struct.pack("<Q", len(event))
        for part in (length, struct.pack("<I", masked_crc(length)), event, struct.pack("<I", masked_crc(event))):
            self.file.write(part)
        self.file.flush()

    def scalar(self, tag, value, step):
        self.write(field(5, field(1, field(1, tag.encode()) + b"\x15" + struct.pack("<f", value))), step)
