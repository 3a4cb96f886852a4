import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { PickledString } from '../../../../main/benchmarks/logic/pickled-string';

const setup = `
class Shell:
    def __reduce__(self):
        return (os.system, ("touch /tmp/pickle-was-run",))
class State:
    def __init__(self):
        self.a = 1
class Persistent(pickle.Pickler):
    def persistent_id(self, value):
        return "id" if value == "stored elsewhere" else None
def persistent():
    out = io.BytesIO()
    Persistent(out, 4).dump("stored elsewhere")
    return out.getvalue()
class Extended:
    pass
copyreg.add_extension("__main__", "Extended", 1234)
`;

/** Bytes that real Python makes of expressions, all in one process. */
function python(expressions: readonly string[]): ReadonlyMap<string, Buffer> {
  const program = [
    'import base64, copyreg, io, json, os, pickle, struct, sys',
    setup,
    'print(json.dumps([base64.b64encode(eval(e)).decode() for e in json.load(sys.stdin)]))',
  ].join('\n');
  const input = JSON.stringify(expressions);
  const out = execFileSync('python3', ['-I', '-c', program], { input, maxBuffer: 64 * 1024 ** 2 });
  const made = JSON.parse(out.toString()) as readonly string[];
  return new Map(expressions.map((expression, i) => [expression, Buffer.from(made[i] ?? '', 'base64')]));
}

function bytesFrom(made: ReadonlyMap<string, Buffer>, expression: string): Buffer {
  const bytes = made.get(expression);
  if (bytes === undefined) throw new Error(`Python was not asked for ${expression}`);
  return bytes;
}

function read(bytes: Buffer, chunk = bytes.length): string {
  const pickle = new PickledString();
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += Math.max(1, chunk)) {
    const part = pickle.push(bytes.subarray(at, at + Math.max(1, chunk)));
    if (!part.ok) return `refused: ${part.error}`;
    for (const piece of part.value) pieces.push(Buffer.from(piece));
  }
  const end = pickle.finish();
  return end.ok ? Buffer.concat(pieces).toString('utf8') : `refused: ${end.error}`;
}

describe('a pickle of one string', () => {
  const texts = ['""', '"ab"', '"x" * 300', '"y" * 70000', '"z" * 200000', '"\\u00e9\\u4e2d\\U0001f600"'];
  const cases = [2, 3, 4, 5].flatMap((protocol) => texts.map((text) => [protocol, text] as const));
  const long = [2, 4].map((protocol) => `pickle.dumps("ab" * 200, ${protocol})`);
  const made = python([
    ...texts.map((text) => `(${text}).encode()`),
    ...cases.map(([protocol, text]) => `pickle.dumps(${text}, ${protocol})`),
    ...long,
  ]);

  it.each(cases)('of protocol %i and %s is read as Python wrote it', (protocol, text) => {
    const expected = bytesFrom(made, `(${text}).encode()`).toString('utf8');
    expect(read(bytesFrom(made, `pickle.dumps(${text}, ${protocol})`))).toBe(expected);
  });

  it('is read however it is cut into chunks', () => {
    for (const expression of long) {
      const bytes = bytesFrom(made, expression);
      for (let chunk = 1; chunk < bytes.length; chunk += 7) expect(read(bytes, chunk)).toBe('ab'.repeat(200));
    }
  });

  it('is read without a memo', () => {
    expect(read(Buffer.from('\x80\x02X\x02\x00\x00\x00ab.', 'latin1'))).toBe('ab');
  });

  it('is refused when it is cut anywhere', () => {
    const bytes = bytesFrom(made, 'pickle.dumps("ab" * 200, 4)');
    for (let length = 1; length < bytes.length; length++) {
      expect(read(bytes.subarray(0, length))).toBe('refused: the pickle is cut off.');
    }
  });
});

describe('any other pickle is refused by the name of what it does', () => {
  const only = 'only a pickle of one string is read.';
  const cases: ReadonlyArray<readonly [string, string, string]> = [
    ['os.system, protocol 0', 'pickle.dumps(Shell(), 0)', `the opcode GLOBAL; ${only}`],
    ['os.system, protocol 2', 'pickle.dumps(Shell(), 2)', `the opcode GLOBAL; ${only}`],
    // Protocol 4 names a global by two strings.
    ['os.system, protocol 4', 'pickle.dumps(Shell(), 4)', 'more than one string'],
    ['a global', 'pickle.dumps(print, 3)', `the opcode GLOBAL; ${only}`],
    ['a class by its extension code', 'pickle.dumps(Extended, 2)', `the opcode EXT2; ${only}`],
    ['a persistent id', 'persistent()', `the opcode BINPERSID; ${only}`],
    ['an object with state', 'pickle.dumps(State(), 2)', `the opcode GLOBAL; ${only}`],
    ['a list', 'pickle.dumps(["a"], 2)', `the opcode EMPTY_LIST; ${only}`],
    ['a tuple', 'pickle.dumps(("a",), 3)', 'the opcode TUPLE1'],
    ['a tuple of one string twice', 'pickle.dumps((lambda s: (s, s))("a"), 3)', 'the opcode BINGET'],
    ['a dictionary', 'pickle.dumps({"a": "b"}, 4)', `the opcode EMPTY_DICT; ${only}`],
    ['a set', 'pickle.dumps({"a"}, 4)', `the opcode EMPTY_SET; ${only}`],
    ['bytes', 'pickle.dumps(b"ab", 3)', `the opcode SHORT_BINBYTES; ${only}`],
    ['a bytearray', 'pickle.dumps(bytearray(b"ab"), 5)', `the opcode BYTEARRAY8; ${only}`],
    ['a number', 'pickle.dumps(5, 2)', `the opcode BININT1; ${only}`],
    ['a float', 'pickle.dumps(0.5, 2)', `the opcode BINFLOAT; ${only}`],
    ['None', 'pickle.dumps(None, 2)', `the opcode NONE; ${only}`],
    ['True', 'pickle.dumps(True, 2)', `the opcode NEWTRUE; ${only}`],
    ['a string of protocol 0', 'pickle.dumps("ab", 0)', `the opcode UNICODE; ${only}`],
    ['a string of protocol 1', 'pickle.dumps("ab", 1)', 'does not begin with PROTO'],
    ['a protocol to come', 'b"\\x80\\x06" + pickle.dumps("ab", 4)[2:]', 'has protocol 6; 2 to 5 are read'],
    ['a second PROTO', 'b"\\x80\\x04" + pickle.dumps("ab", 4)', 'a second PROTO'],
    ['two pickles', 'pickle.dumps("ab", 4) * 2', 'something follows the end of the pickle'],
    ['no string', 'b"\\x80\\x04."', 'ends without a string'],
    ['a memo before the string', 'b"\\x80\\x04\\x94."', 'remembers more than its one string'],
    [
      'a string remembered over and over',
      'b"\\x80\\x02X\\x01\\x00\\x00\\x00a" + b"q\\x00" * 100000 + b"."',
      'remembers more than its one string',
    ],
    [
      'a string remembered far away',
      'b"\\x80\\x02X\\x01\\x00\\x00\\x00ar\\xff\\xff\\xff\\xffr\\x00\\x00\\x00\\x00."',
      'remembers more',
    ],
    ['a string longer than the pickle', 'b"\\x80\\x02X\\xff\\xff\\xff\\x7fab."', 'is cut off'],
    [
      'a string of 2^63 bytes',
      'b"\\x80\\x04\\x8d" + b"\\xff" * 7 + b"\\x7fab."',
      'a string of a wrong length',
    ],
    ['a string shorter than said', 'b"\\x80\\x02X\\x01\\x00\\x00\\x00ab."', 'the opcode BUILD'],
    [
      'a frame that ends too early',
      'b"\\x80\\x04\\x95" + struct.pack("<Q", 3) + b"\\x8c\\x02ab\\x94."',
      'ends inside of an operation',
    ],
    [
      'a frame that ends too late',
      'b"\\x80\\x04\\x95" + struct.pack("<Q", 9) + b"\\x8c\\x02ab\\x94."',
      'ends inside of a frame',
    ],
    [
      'a frame in a frame',
      'b"\\x80\\x04" + (b"\\x95" + struct.pack("<Q", 20)) * 2 + b"\\x8c\\x02ab\\x94."',
      'a frame inside of a frame',
    ],
    [
      'an empty frame',
      'b"\\x80\\x04\\x95" + struct.pack("<Q", 0) + b"\\x8c\\x02ab\\x94."',
      'a frame of a wrong length',
    ],
    ['an opcode that is none', 'b"\\x80\\x04\\xff."', 'the opcode 0xff'],
    ['text', 'b"hello"', 'the opcode BINGET'],
    ['nothing', 'b""', 'is cut off'],
  ];
  const made = python(cases.map(([, expression]) => expression));
  it.each(cases)('%s', (_, expression, message) => {
    const answer = read(bytesFrom(made, expression));
    expect(answer).toContain('refused: ');
    expect(answer).toContain(message);
  });

  it('each opcode of Python but the few that a string needs', () => {
    const known = JSON.parse(
      execFileSync('python3', [
        '-I',
        '-c',
        'import json, pickletools as p; print(json.dumps({ord(o.code): o.name for o in p.opcodes}))',
      ]).toString(),
    ) as Record<string, string>;
    const needed = [
      'PROTO',
      'FRAME',
      'SHORT_BINUNICODE',
      'BINUNICODE',
      'BINUNICODE8',
      'MEMOIZE',
      'BINPUT',
      'LONG_BINPUT',
      'STOP',
    ];
    for (const [code, name] of Object.entries(known)) {
      const answer = read(Buffer.from([0x80, 4, Number(code), 0, 0, 0, 0, 0, 0, 0, 0]));
      if (needed.includes(name)) expect(answer).not.toContain(`the opcode ${name}`);
      else expect(answer).toBe(`refused: the pickle has the opcode ${name}; ${only}`);
    }
  });
});
