import { describe, expect, it } from 'vitest';
import { findTime, stampOf } from '../../../renderer/logs/find-time';
import { parseTarget } from '../../../renderer/logs/log-target';

const encoder = new TextEncoder();

/** A log that counts what is read of it. */
function logOf(text: string) {
  const bytes = encoder.encode(text);
  const log = { size: bytes.length, reads: 0, bytes: 0 };
  const read = async (offset: number, maxBytes: number) => {
    const end = Math.min(bytes.length, offset + maxBytes);
    log.reads += 1;
    log.bytes += end - offset;
    const piece = new TextDecoder().decode(bytes.subarray(offset, end));
    return { ok: true as const, value: { text: piece, nextOffset: end, size: bytes.length } };
  };
  return { log, read };
}

async function lineAt(text: string, target: string) {
  const { log, read } = logOf(text);
  const parsed = parseTarget(target, log.size);
  if (parsed?.kind !== 'time') throw new Error(`${target} is no time`);
  const found = await findTime(read, log.size, parsed.moment);
  if (!found.ok) return { found: found.message, ...log };
  const rest = new TextDecoder().decode(encoder.encode(text).subarray(found.offset));
  return { found: rest.split('\n')[0], ...log };
}

const two = (value: number): string => String(value).padStart(2, '0');
/** A stamped line a second from 09:00:00 on, `between` lines without a stamp behind each. */
function written(seconds: number, between: number, day = ''): string {
  const lines: string[] = [];
  for (let at = 0; at < seconds; at++) {
    const time = `${two(9 + Math.floor(at / 3_600))}:${two(Math.floor(at / 60) % 60)}:${two(at % 60)}`;
    lines.push(`INFO ${day}${time} [engine.py:12] step ${at}`);
    for (let more = 0; more < between; more++) lines.push(`  a line of a traceback — with é, number ${more}`);
  }
  return lines.join('\n');
}

describe('the stamp of a line', () => {
  it.each([
    ['INFO 01-05 09:30:41 [core.py:12] loaded', 9 * 3_600 + 30 * 60 + 41],
    ['2026-01-05 09:30:41,123 INFO step', 9 * 3_600 + 30 * 60 + 41],
    ['[09:30:41] step', 9 * 3_600 + 30 * 60 + 41],
    ['\u001B[32mINFO\u001B[0m 2026-01-05 09:30:41 step', 9 * 3_600 + 30 * 60 + 41],
  ])('“%s” is read', (line, seconds) => {
    expect(stampOf(line)?.seconds).toBe(seconds);
  });

  it.each(['step 12:30 of 99', 'no time here', '99:99:99 is none'])('“%s” has none', (line) => {
    expect(stampOf(line)).toBeNull();
  });
});

describe('going to a time', () => {
  it('finds the first line written then, by few reads of a long file', async () => {
    const { found, reads, bytes, size } = await lineAt(written(7_000, 6), '10:15:07');
    expect(found).toBe('INFO 10:15:07 [engine.py:12] step 4507');
    expect(reads).toBeLessThan(24);
    expect(bytes).toBeLessThan(size / 2);
  });

  it('finds the next line where none was written then', async () => {
    expect((await lineAt('09:00:00 a\n09:10:00 b\n09:20:00 c\n', '09:05')).found).toBe('09:10:00 b');
  });

  it('is the start for a time before it, and the end for one after it', async () => {
    const text = '09:00:00 a\n09:10:00 b\n';
    expect((await lineAt(text, '08:00')).found).toBe('09:00:00 a');
    expect((await lineAt(text, '23:00')).found).toBe('');
  });

  it('without a day is meant on the last day that has it', async () => {
    const text = `${written(60, 0, '2026-01-04 ')}\n${written(60, 0, '2026-01-05 ')}\n`;
    expect((await lineAt(text, '09:00:30')).found).toContain('2026-01-05 09:00:30');
    expect((await lineAt(text, '09:00:59')).found).toContain('2026-01-05 09:00:59');
    expect((await lineAt(text, '2026-01-04 09:00:30')).found).toContain('2026-01-04 09:00:30');
    expect((await lineAt(text, '01-04 09:00:30')).found).toContain('2026-01-04 09:00:30');
  });

  it('says so where no line has a time', async () => {
    expect((await lineAt('one\ntwo\nthree\n', '09:00')).found).toBe(
      'The lines of this log have no timestamps.',
    );
  });
});
