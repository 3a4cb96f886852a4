import type { IncomingMessage } from 'node:http';
import { failed, ok, type Result } from '../../base';
import type { ApiError } from '../logic/api-error';

/** 4 MB: far above any prompt of a search, far below what would hurt the process. */
export const MAX_BODY_BYTES = 4_000_000;
/** A sender that is cut off reads no answer, so what is too large is swallowed up to here first. */
const SWALLOWED_BYTES = 64_000_000;

/** The whole body as text; too large is a 413. Rejects when the sender goes away in the middle. */
export async function readBody(request: IncomingMessage): Promise<Result<string, ApiError>> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    if (!Buffer.isBuffer(chunk)) continue;
    bytes += chunk.length;
    if (bytes <= MAX_BODY_BYTES) chunks.push(chunk);
    if (bytes > SWALLOWED_BYTES) break;
  }
  if (bytes <= MAX_BODY_BYTES) return ok(Buffer.concat(chunks).toString('utf8'));
  return failed({
    status: 413,
    type: 'invalid_request_error',
    code: null,
    message: `The body is larger than ${MAX_BODY_BYTES} bytes.`,
    param: null,
  });
}
