import type { AddressInfo } from 'node:net';
import type { GraderService } from '../../../main/grader-service';
import { createGraderService, type ServiceOptions } from '../../../main/grader-service';
import type { Grader } from '../../../main/grading';

export const TOKEN = 'a-token-for-tests-of-the-grader-service';

export type Served = {
  readonly address: string;
  readonly service: GraderService;
  readonly lines: readonly string[];
  readonly ask: (body: unknown, options?: { token?: string | null; signal?: AbortSignal }) => Promise<Answer>;
};

// biome-ignore lint/suspicious/noExplicitAny: the tests say what they expect of the JSON
export type Answer = { readonly status: number; readonly headers: Headers; readonly json: any };

/** The service over this grader, on a free port of the loopback interface. */
export async function serve(
  grader: Pick<Grader, 'grade' | 'health' | 'python' | 'packages'>,
  options: Partial<ServiceOptions> = {},
): Promise<Served> {
  const lines: string[] = [];
  const log = (line: string): void => void lines.push(line);
  const service = createGraderService({ grader, library: null, token: TOKEN, workers: 2, log, ...options });
  await new Promise<void>((done) => service.server.listen(0, '127.0.0.1', done));
  const address = `http://127.0.0.1:${(service.server.address() as AddressInfo).port}`;
  const ask: Served['ask'] = async (body, { token = TOKEN, signal } = {}) => {
    const response = await fetch(`${address}/v1/grade`, {
      method: 'POST',
      headers: token === null ? {} : { authorization: `Bearer ${token}` },
      body: typeof body === 'string' ? body : JSON.stringify(body),
      ...(signal === undefined ? {} : { signal }),
    });
    return { status: response.status, headers: response.headers, json: await response.json() };
  };
  return { address, service, lines, ask };
}

export const ECHO = { kind: 'stdin', input: '3\n', expected: '3\n' } as const;
export const DOUBLE = { kind: 'stdin', input: '4\n', expected: '8\n' } as const;
/** Passes the test ECHO alone. */
export const ECHO_PROGRAM = 'print(input())';
