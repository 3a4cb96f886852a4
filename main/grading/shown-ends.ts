/** Bytes kept at each end of an output that is only for people. */
const KEPT_BYTES = 4_096;

/** Both ends of an output, with the number of bytes left out between them. */
export function truncateBytes(data: Buffer): string {
  if (data.length <= 2 * KEPT_BYTES) return data.toString('utf8');
  const leftOut = data.length - 2 * KEPT_BYTES;
  const [head, tail] = [data.subarray(0, KEPT_BYTES), data.subarray(-KEPT_BYTES)];
  return `${head.toString('utf8')}\n... (${leftOut} bytes left out) ...\n${tail.toString('utf8')}`;
}
