// Run: npx vitest run --config tests/bench/foreign-text/bench.config.ts
import { expect, test } from 'vitest';
import { FOREIGN_READERS, worstTexts } from '../../support/foreign-text';

/** Twice as many are still parsed as Python, which longer texts are not. */
const CHARACTERS = 31_000;
/** Below this a ratio is the clock's and the garbage collector's. */
const MEASURABLE_MS = 40;
const LONGEST_MS = 200;
const LARGEST_RATIO = 2.5;

/** Milliseconds of processor time: others may use this computer too. The best of three, as the first compiles. */
function timeOf(read: (text: string) => unknown, text: string): number {
  const times = [0, 1, 2].map(() => {
    const start = process.cpuUsage();
    read(text);
    const { user } = process.cpuUsage(start);
    return user / 1_000;
  });
  return Math.min(...times);
}

/** How long a reader of foreign text keeps main waiting on its worst texts, and how that grows with their length. */
test('the longest standstill, and how it grows', () => {
  const lines = [`reader                          worst unit            ${CHARACTERS} (ms)  x2 (ms)  ratio`];
  const tooSlow: string[] = [];
  for (const reader of FOREIGN_READERS) {
    let worst = { unit: '', single: 0, double: 0 };
    const twice = worstTexts(reader, 2 * CHARACTERS);
    for (const [unit, text] of worstTexts(reader, CHARACTERS)) {
      const single = timeOf(reader.read, text);
      const double = single > LONGEST_MS * 10 ? Number.NaN : timeOf(reader.read, twice.get(unit) ?? '');
      const ratio = double / single;
      if (double > LONGEST_MS || (double > 2 * MEASURABLE_MS && ratio > LARGEST_RATIO))
        tooSlow.push(
          `${reader.name}: ${JSON.stringify(unit)} ${single.toFixed(0)} ms, ratio ${ratio.toFixed(1)}`,
        );
      if (single > worst.single) worst = { unit, single, double };
    }
    lines.push(
      [
        reader.name.padEnd(31),
        JSON.stringify(worst.unit).slice(0, 20).padEnd(21),
        worst.single.toFixed(1).padStart(11),
        worst.double.toFixed(1).padStart(8),
        (worst.double / worst.single).toFixed(1).padStart(6),
      ].join(' '),
    );
    process.stdout.write(`${lines.at(-1)}\n`);
  }
  expect(tooSlow).toEqual([]);
});
