import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { crc32c, maskedCrc32c } from '../../../../main/trainings/logic/checksums';
import { type EventMessage, readEvent } from '../../../../main/trainings/logic/watch/event-message';
import { RecordReader } from '../../../../main/trainings/logic/watch/record-reader';
import { pythonEvents, recordBegins } from '../../../support/python-events';

const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

function eventsIn(pieces: readonly Uint8Array[]): { events: EventMessage[]; damaged: number } {
  const reader = new RecordReader();
  const events: EventMessage[] = [];
  for (const piece of pieces)
    reader.push(piece, (data) => {
      const event = readEvent(data, decode);
      if (event !== null) events.push(event);
    });
  return { events, damaged: reader.damaged };
}

describe('CRC-32C', () => {
  // RFC 3720, appendix B.4, and the check value of the catalogue of parametrised CRC algorithms.
  test.each([
    ['32 bytes of zeros', new Uint8Array(32), 0x8a9136aa],
    ['32 bytes of ones', new Uint8Array(32).fill(0xff), 0x62a8ab43],
    ['32 rising bytes', Uint8Array.from({ length: 32 }, (_, at) => at), 0x46dd794e],
    ['32 falling bytes', Uint8Array.from({ length: 32 }, (_, at) => 31 - at), 0x113fdb5c],
    ['"123456789"', new TextEncoder().encode('123456789'), 0xe3069283],
  ])('of %s is the published one', (_, bytes, sum) => {
    expect(crc32c(bytes)).toBe(sum);
  });

  test('masked, of the length 24 is what TensorFlow writes', () => {
    // The first twelve bytes of most event files: the record of the version has 24 bytes.
    expect(maskedCrc32c(Uint8Array.of(24, 0, 0, 0, 0, 0, 0, 0))).toBe(0x224b7fa3);
  });
});

/** Sixty events of two tags, so that damage has neighbours. */
const sample = pythonEvents(
  Array.from({ length: 60 }, (_, at) => ({
    wall: 1_700_000_000 + at,
    step: at,
    values: [
      { tag: 'train/reward', value: at / 64 },
      { tag: 'train/kl', value: -at },
    ],
  })),
);
const begins = recordBegins(sample);

describe('an event file written by Python', () => {
  test('is read value by value, in every encoding of a scalar', () => {
    const as = ['simple', 'float', 'double', 'int', 'int64', 'content', 'half'] as const;
    const bytes = pythonEvents([
      {
        wall: 1.5,
        step: 3,
        values: as.map((kind) => ({ tag: kind, value: kind.startsWith('int') ? -7 : 0.375, as: kind })),
      },
    ]);
    const [version, event] = eventsIn([bytes]).events;
    expect(version).toEqual({ wallMs: 1_000, step: 0, scalars: [], texts: [] });
    expect(event).toMatchObject({ wallMs: 1_500, step: 3 });
    expect(event?.scalars).toEqual(as.map((tag) => ({ tag, value: tag.startsWith('int') ? -7 : 0.375 })));
  });

  test('keeps texts, and values that are not numbers', () => {
    const values = [
      { tag: 'samples/text_summary', text: 'Sample:\né 漢\n' },
      { tag: 'a', value: 'nan' as const },
      { tag: 'b', value: '-inf' as const },
    ];
    const [, event] = eventsIn([pythonEvents([{ wall: 0, step: 2 ** 33, values }])]).events;
    expect(event?.texts).toEqual([{ tag: 'samples/text_summary', text: 'Sample:\né 漢\n' }]);
    expect(event?.scalars.map(({ value }) => value)).toEqual([Number.NaN, Number.NEGATIVE_INFINITY]);
    expect(event?.step).toBe(2 ** 33);
  });

  test('is read the same in pieces of any size', () => {
    const whole = eventsIn([sample]);
    expect(whole.events).toHaveLength(61);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 700 }), { minLength: 1, maxLength: 40 }), (sizes) => {
        const pieces: Uint8Array[] = [];
        for (let at = 0, chunkIndex = 0; at < sample.length; chunkIndex++) {
          const size = sizes[chunkIndex % sizes.length] ?? 1;
          pieces.push(sample.subarray(at, at + size));
          at += size;
        }
        expect(eventsIn(pieces)).toEqual(whole);
      }),
      { numRuns: 50 },
    );
  });

  test('without its end has all but the torn record, and continues when that is complete', () => {
    const all = eventsIn([sample]).events;
    for (const cut of [1, 5, 13, 40]) {
      const early = sample.subarray(0, sample.length - cut);
      expect(eventsIn([early])).toEqual({ events: all.slice(0, -1), damaged: 0 });
      expect(eventsIn([early, sample.subarray(sample.length - cut)]).events).toEqual(all);
    }
  });

  test('loses one record by one wrong byte, wherever it is', () => {
    const all = eventsIn([sample]).events;
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: sample.length - 1 }),
        fc.integer({ min: 1, max: 255 }),
        (at, change) => {
          const damagedBytes = Buffer.from(sample);
          damagedBytes[at] = (damagedBytes[at] ?? 0) ^ change;
          const { events, damaged } = eventsIn([damagedBytes]);
          const hit = begins.findLastIndex((begin) => begin <= at);
          expect(damaged).toBe(1);
          expect(events).toEqual(all.filter((_, position) => position !== hit));
        },
      ),
      { numRuns: 300 },
    );
  });

  test('loses only what a stretch of zeros has overwritten', () => {
    const bytes = Buffer.from(sample);
    bytes.fill(0, begins[20], begins[30]);
    const { events } = eventsIn([bytes]);
    expect(events.map(({ step }) => step).slice(1)).toEqual([
      ...Array.from({ length: 19 }, (_, at) => at),
      ...Array.from({ length: 31 }, (_, at) => at + 29),
    ]);
  });

  test('is passed over where a record is a picture of 40 MB', () => {
    const picture = Buffer.alloc(40_000_000);
    const head = Buffer.alloc(12);
    head.writeBigUInt64LE(BigInt(picture.length));
    head.writeUInt32LE(maskedCrc32c(head, 0, 8), 8);
    const bytes = Buffer.concat([head, picture, Buffer.alloc(4), sample]);
    const pieces = Array.from({ length: 41 }, (_, at) =>
      bytes.subarray(at * 1_000_000, (at + 1) * 1_000_000),
    );
    expect(eventsIn(pieces)).toEqual(eventsIn([sample]));
  });
});

describe('bytes that are not an event', () => {
  test('are refused, never thrown at', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(() => readEvent(bytes, decode)).not.toThrow();
        expect(() => new RecordReader().push(bytes, () => undefined)).not.toThrow();
      }),
    );
  });
});
