import { type Agent, request } from 'node:http';

/** Where a learner answers. The token is sent, never logged or written. */
export type LearnerAddress = { readonly host: string; readonly port: number; readonly token: string };

export type LearnerAnswer = { readonly status: number; readonly body: string };

/** Some hundred million log-probabilities: a longer answer is a fault. */
const MAX_ANSWER_BYTES = 1_000_000_000;

/**
 * One POST and its whole answer; rejects with the connection's error, or AbortError. There is no time limit: a pass over a
 * long batch may take an hour, and the learner's process is watched instead.
 */
export function askLearner(
  { host, port, token }: LearnerAddress,
  agent: Agent,
  operation: string,
  body: unknown,
  signal?: AbortSignal,
): Promise<LearnerAnswer> {
  const bytes = Buffer.from(JSON.stringify(body));
  return new Promise((resolve, reject) => {
    const sent = request({
      host,
      port,
      agent,
      method: 'POST',
      path: `/api/v1/${operation}`,
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'content-length': bytes.length,
      },
      ...(signal === undefined ? {} : { signal }),
    });
    sent.on('error', reject);
    sent.on('response', (response) => {
      const chunks: Buffer[] = [];
      let length = 0;
      response.on('data', (chunk: Buffer) => {
        length += chunk.length;
        if (length <= MAX_ANSWER_BYTES) chunks.push(chunk);
        else sent.destroy(new Error(`The answer to ${operation} is longer than ${MAX_ANSWER_BYTES} bytes`));
      });
      response.on('error', reject);
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString('utf8') }),
      );
    });
    sent.end(bytes);
  });
}
