// Writes MEGABYTES of text lines to stdout, at most RATE megabytes a second (0: as fast as can be), then says in the
// file TIMES how many milliseconds that took.
import { writeFileSync, writeSync } from 'node:fs';

const [megabytes = 0, rate = 0] = process.argv.slice(2, 4).map(Number);
const block = Buffer.from(
  'step 01234567 loss 1.2345 reward 0.6789 tokens/s 12345.6\n'.repeat(1_130),
).subarray(0, 65_536);
const total = megabytes * 1_000_000;
const startMs = performance.now();
for (let written = 0; written < total; ) {
  const part = block.subarray(0, Math.min(block.length, total - written));
  for (let at = 0; at < part.length; ) {
    try {
      at += writeSync(1, part, at);
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error;
    }
  }
  written += part.length;
  const aheadMs = rate === 0 ? 0 : written / (rate * 1_000) - (performance.now() - startMs);
  if (aheadMs > 5) await new Promise((resolve) => setTimeout(resolve, aheadMs));
}
if (process.argv[4]) writeFileSync(process.argv[4], String(performance.now() - startMs));
