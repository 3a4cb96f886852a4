import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { deflateSync } from 'node:zlib';
import { randomStream } from '../../../main/base';
import { liveCodeBenchRow } from '../../main/benchmarks/livecodebench-files';

const MIB = 1024 ** 2;
/** Of a row's packed tests, in the proportions of a file of some hundred problems: most small, a few very large. */
const packedMebibytes = [0.1, 0.4, 1, 1, 2, 3, 4, 6, 8, 12, 20, 30];
const largestMebibytes = 96;

function pickled(text: Buffer): Buffer {
  const head = Buffer.from([0x80, 0x04, 0x8d, 0, 0, 0, 0, 0, 0, 0, 0]);
  head.writeBigUInt64LE(BigInt(text.length), 3);
  return Buffer.concat([head, text, Buffer.from([0x94, 0x2e])]);
}

/** Tests of numbers, each of some 200 kB, until they have about so many bytes when packed. */
function packedTests(mebibytes: number): string {
  const random = randomStream('large-file', mebibytes);
  // Digits and blanks pack to half of their size, and base64 makes four thirds of that.
  const targetBytes = mebibytes * MIB * 1.5;
  const tests: string[] = [];
  for (let bytes = 0; bytes < targetBytes; ) {
    const count = Math.min(30_000, Math.ceil((targetBytes - bytes) / 7));
    const numbers = Array.from({ length: count }, () => random.integer(1_000_000)).join(' ');
    const input = `${count}\n${numbers}\n`;
    tests.push(JSON.stringify({ input, output: `${random.integer(1_000_000)}\n`, testtype: 'stdin' }));
    bytes += input.length;
  }
  return deflateSync(pickled(Buffer.from(`[${tests.join(', ')}]`)), { level: 6 }).toString('base64');
}

/** Writes a file of LiveCodeBench's form of about so many bytes, and gives the number of its rows. */
export async function writeLargeFile(
  path: string,
  bytes: number,
): Promise<{ rows: number; longest: number }> {
  const packed = packedMebibytes.map(packedTests);
  const largest = packedTests(largestMebibytes);
  const file = createWriteStream(path);
  let written = 0;
  let rows = 0;
  let longest = 0;
  while (written < bytes) {
    // The longest line stands in the middle of the others, when the memory is in full use.
    const isLargest = written > bytes / 2 && longest < largest.length;
    const tests = isLargest ? largest : (packed[rows % packed.length] ?? '');
    const line = `${liveCodeBenchRow(rows, { private_test_cases: tests })}\n`;
    if (!file.write(line)) await once(file, 'drain');
    written += line.length;
    longest = Math.max(longest, line.length);
    rows += 1;
  }
  file.end();
  await once(file, 'close');
  return { rows, longest };
}
