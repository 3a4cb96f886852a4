const NEWLINE = 0x0a;

/** The pieces of a file with every line changed; a last line without a newline is one too. */
export async function* changedLines(
  pieces: AsyncIterable<Buffer>,
  change: (line: Buffer) => Buffer,
): AsyncGenerator<Buffer> {
  let pending: Buffer[] = [];
  for await (const piece of pieces) {
    const end = piece.lastIndexOf(NEWLINE);
    if (end === -1) {
      pending.push(piece);
      continue;
    }
    const lines = Buffer.concat([...pending, piece.subarray(0, end + 1)]);
    pending = [piece.subarray(end + 1)];
    const changed: Buffer[] = [];
    for (let start = 0; start < lines.length; ) {
      const stop = lines.indexOf(NEWLINE, start);
      changed.push(change(lines.subarray(start, stop)), lines.subarray(stop, stop + 1));
      start = stop + 1;
    }
    yield Buffer.concat(changed);
  }
  const last = Buffer.concat(pending);
  if (last.length > 0) yield change(last);
}
