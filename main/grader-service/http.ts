import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { failed, ok, parsedJsonWithin, type Result } from '../base';
import { batchSchema, SERVICE_LIMITS } from '../grading';
import type { Batch } from './batches';

/** Why a request is not answered, with the status that says so. */
export type Refused = { readonly status: number; readonly code: string; readonly message: string };

/** A client whose body is too large still reads its answer if the rest of the body is read, up to so much. */
const MAX_DISCARDED_BYTES = 4 * SERVICE_LIMITS.bodyBytes;
const RETRY_AFTER_SECONDS = '1';

export function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** Whether the request brings the token of this digest. Digests have one length, so comparing takes the same time always. */
export function isAllowed({ headers }: IncomingMessage, expected: Buffer): boolean {
  const sent = headers.authorization ?? '';
  const isSame = timingSafeEqual(digestOf(sent.slice('bearer '.length)), expected);
  return isSame && /^bearer /i.test(sent);
}

export function pathOf({ url = '/' }: IncomingMessage): string {
  return url.split('?', 1)[0] ?? '/';
}

/** Bytes of the body; refused where the sender does not say, or it is too large. */
export function bodyBytes({ headers }: IncomingMessage): Result<number, Refused> {
  const length = headers['content-length'];
  if (length === undefined) {
    const message = 'Send the body as a whole, with its Content-Length.';
    return failed({ status: 411, code: 'length-required', message });
  }
  const most = SERVICE_LIMITS.bodyBytes;
  if (Number(length) <= most) return ok(Number(length));
  const message = `The body is larger than ${most / 1024 ** 2} MiB. Send fewer items, or name problems of the library instead of their tests.`;
  return failed({ status: 413, code: 'too-large', message });
}

/** Reads a body whose length was looked at before. Rejects when the sender goes away in the middle. */
export async function readBatch(request: IncomingMessage): Promise<Result<Batch, Refused>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { depth, parts } = SERVICE_LIMITS;
  const value = parsedJsonWithin(Buffer.concat(chunks).toString('utf8'), { depth, parts });
  const bad = (message: string) => failed<Refused>({ status: 400, code: 'bad-request', message });
  if (value === undefined)
    return bad(`The body is no JSON, or nested deeper than ${depth}, or has more than ${parts} parts.`);
  const batch = batchSchema.safeParse(value);
  if (batch.success) return ok(batch.data);
  const [issue] = batch.error.issues;
  return bad(`${issue?.path.map(String).join('.') || 'The body'}: ${issue?.message ?? 'is not valid'}`);
}

export function send(response: ServerResponse, status: number, body: unknown): void {
  if (response.destroyed) return;
  const bytes = Buffer.from(JSON.stringify(body));
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': bytes.length });
  response.end(bytes);
}

/** Refuses, and reads what is left of the body, so that the sender gets to the answer. */
export function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  { status, code, message }: Refused,
): void {
  if (status === 401) response.setHeader('www-authenticate', 'Bearer');
  if (status === 429 || status === 503) response.setHeader('retry-after', RETRY_AFTER_SECONDS);
  if (!request.complete) {
    response.setHeader('connection', 'close');
    let swallowed = 0;
    request.on('data', (chunk: Buffer) => {
      swallowed += chunk.length;
      if (swallowed > MAX_DISCARDED_BYTES) request.destroy();
    });
    request.resume();
  }
  send(response, status, { error: { code, message } });
}
