import { execFileSync } from 'node:child_process';

/** One event; a value is written as a float of its own, as a tensor of a kind, or (a text) as a tensor of strings. */
export type PythonEvent = {
  readonly wall: number;
  readonly step: number;
  readonly values: readonly {
    readonly tag: string;
    readonly value?: number | 'nan' | 'inf' | '-inf';
    readonly text?: string;
    readonly as?: 'simple' | 'float' | 'double' | 'int' | 'int64' | 'content' | 'half';
  }[];
};

/** Event files written a second time in another language: framing, checksum bit by bit, and messages by hand. */
const PROGRAM = `
import json, struct, sys

def crc32c(data):
    rest = 0xFFFFFFFF
    for byte in data:
        rest ^= byte
        for _ in range(8):
            rest = (rest >> 1) ^ (0x82F63B78 if rest & 1 else 0)
    return rest ^ 0xFFFFFFFF

def masked(data):
    crc = crc32c(data)
    return ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF

def record(data):
    length = struct.pack('<Q', len(data))
    return length + struct.pack('<I', masked(length)) + data + struct.pack('<I', masked(data))

def varint(number):
    number &= (1 << 64) - 1
    out = b''
    while number > 127:
        out += bytes([number & 127 | 128])
        number >>= 7
    return out + bytes([number])

def field(number, wire, payload):
    return varint(number << 3 | wire) + payload

def block(number, data):
    return field(number, 2, varint(len(data)) + data)

def tensor(one):
    kind = one.get('as')
    if 'text' in one:
        return field(1, 0, varint(7)) + block(2, block(2, field(1, 0, varint(1)))) + block(8, one['text'].encode())
    number = float(one['value'])
    if kind == 'float':
        return field(1, 0, varint(1)) + block(5, struct.pack('<f', number))
    if kind == 'double':
        return field(1, 0, varint(2)) + field(6, 1, struct.pack('<d', number))
    if kind == 'int':
        return field(1, 0, varint(3)) + block(7, varint(int(number)))
    if kind == 'int64':
        return field(1, 0, varint(9)) + field(10, 0, varint(int(number)))
    if kind == 'half':
        return field(1, 0, varint(19)) + block(4, struct.pack('<e', number))
    return field(1, 0, varint(2)) + block(4, struct.pack('<d', number))

def value(one):
    tag = block(1, one['tag'].encode())
    if 'text' in one:
        return tag + block(9, block(1, block(1, b'text'))) + block(8, tensor(one))
    if one.get('as', 'simple') == 'simple':
        return tag + field(2, 5, struct.pack('<f', float(one['value'])))
    return tag + block(8, tensor(one))

def event(one):
    summary = b''.join(block(1, value(v)) for v in one['values'])
    head = field(1, 1, struct.pack('<d', one['wall']))
    return head + field(2, 0, varint(one['step'])) + block(5, summary)

out = sys.stdout.buffer
events = json.load(sys.stdin)
out.write(record(field(1, 1, struct.pack('<d', 1.0)) + block(3, b'brain.Event:2')))
for one in events:
    out.write(record(event(one)))
`;

/** The bytes of an event file, with the record of its version before. */
export function pythonEvents(events: readonly PythonEvent[]): Buffer {
  return execFileSync('python3', ['-I', '-S', '-c', PROGRAM], {
    input: JSON.stringify(events),
    maxBuffer: 256 * 1_048_576,
  });
}

/** Where each record of such a file begins. */
export function recordBegins(bytes: Buffer): number[] {
  const begins: number[] = [];
  for (let at = 0; at < bytes.length; at += 16 + Number(bytes.readBigUInt64LE(at))) begins.push(at);
  return begins;
}
