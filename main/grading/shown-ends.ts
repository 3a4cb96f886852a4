/** Bytes at each end of an output that only a person looks at. */
const SHOWN_BYTES = 4_096;

/** Both ends of an output, and how much is left out between them. */
export function shownEnds(data: Buffer): string {
  if (data.length <= 2 * SHOWN_BYTES) return data.toString('utf8');
  const leftOut = data.length - 2 * SHOWN_BYTES;
  const [head, tail] = [data.subarray(0, SHOWN_BYTES), data.subarray(-SHOWN_BYTES)];
  return `${head.toString('utf8')}\n... (${leftOut} bytes left out) ...\n${tail.toString('utf8')}`;
}
