import { type Agent, type RequestOptions, request } from 'node:http';

/** Where a child of the trainer answers: a port of this machine, or a socket in a folder that only its user may enter. */
export type ServerAddress = (
  | { readonly host: string; readonly port: number }
  | { readonly socketPath: string }
) & {
  /** Sent, never logged; null: who may open the socket may ask. */
  readonly token: string | null;
};

export type HttpAnswer = { readonly status: number; readonly body: string };

/** Some hundred million log-probabilities: a longer answer is a fault. */
const MAX_ANSWER_BYTES = 1_000_000_000;

/**
 * One request (a POST where there is a body, else a GET) and its whole answer; rejects with the connection's error, or
 * AbortError. Without a `signal` there is no time limit: a pass over a long batch may take an hour, and the server's
 * process is watched instead.
 */
export function requestJson(
  address: ServerAddress,
  agent: Agent,
  path: string,
  body: unknown,
  signal?: AbortSignal,
): Promise<HttpAnswer> {
  const bytes = body === undefined ? null : Buffer.from(JSON.stringify(body));
  return new Promise((resolve, reject) => {
    const sent = request(requestOptions(address, agent, path, bytes, signal));
    sent.on('error', reject);
    sent.on('response', (response) => {
      const chunks: Buffer[] = [];
      let length = 0;
      response.on('data', (chunk: Buffer) => {
        length += chunk.length;
        if (length <= MAX_ANSWER_BYTES) chunks.push(chunk);
        else sent.destroy(new Error(`The answer to ${path} is longer than ${MAX_ANSWER_BYTES} bytes`));
      });
      response.on('error', reject);
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString('utf8') }),
      );
    });
    sent.end(bytes ?? undefined);
  });
}

function requestOptions(
  { token, ...target }: ServerAddress,
  agent: Agent,
  path: string,
  bytes: Buffer | null,
  signal: AbortSignal | undefined,
): RequestOptions {
  return {
    ...target,
    agent,
    path,
    method: bytes === null ? 'GET' : 'POST',
    headers: {
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(bytes === null ? {} : { 'content-type': 'application/json', 'content-length': bytes.length }),
    },
    ...(signal === undefined ? {} : { signal }),
  };
}
