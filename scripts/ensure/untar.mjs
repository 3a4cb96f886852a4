// Extracts one file of a .tar.gz (an npm tarball), as a stream.
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { createGunzip } from 'node:zlib';

const blockBytes = 512;

/** Writes the archive's file `name` to `target`; throws when it is not in there. */
export async function extractFromTarball(tarball, name, target, onBytes = () => {}) {
  const output = await open(target, 'w');
  const stream = createReadStream(tarball, { highWaterMark: 1 << 20 }).pipe(
    createGunzip({ chunkSize: 1 << 20 }),
  );
  let pending = Buffer.alloc(0);
  let entry; // { wanted, left, padding } of the file whose bytes are passing
  try {
    for await (const chunk of stream) {
      onBytes(chunk.length);
      pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
      while (pending.length > 0) {
        if (entry === undefined) {
          if (pending.length < blockBytes) break;
          const header = parseHeader(pending.subarray(0, blockBytes));
          pending = pending.subarray(blockBytes);
          if (header !== undefined)
            entry = {
              wanted: header.name === name,
              left: header.size,
              padding: -header.size & (blockBytes - 1),
            };
        } else {
          const data = pending.subarray(0, Math.min(pending.length, entry.left));
          if (entry.wanted) await output.write(data);
          entry.left -= data.length;
          pending = pending.subarray(data.length);
          if (entry.left > 0) break;
          if (entry.wanted) return;
          if (pending.length < entry.padding) break;
          pending = pending.subarray(entry.padding);
          entry = undefined;
        }
      }
    }
  } finally {
    stream.destroy();
    await output.close();
  }
  throw new Error(`${tarball} does not hold ${name}`);
}

/** ustar: name at 0 (100 bytes), size in octal at 124 (12 bytes), prefix at 345 (155 bytes). Empty blocks end it. */
function parseHeader(block) {
  const text = (at, length) => block.toString('utf8', at, at + length).replace(/\0.*$/s, '');
  const name = text(0, 100);
  if (name === '') return undefined;
  const prefix = text(257, 5) === 'ustar' ? text(345, 155) : '';
  return { name: prefix ? `${prefix}/${name}` : name, size: Number.parseInt(text(124, 12).trim() || '0', 8) };
}
