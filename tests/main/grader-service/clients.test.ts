import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, onTestFinished, test } from 'vitest';
import { pocketProblems } from '../../../main/pocket';
import { interpreterGrader } from '../../support/interpreter-grader';
import { temporaryFolder } from '../../support/temporary-folder';
import { type Served, serve, TOKEN } from './served';

/*
 * The client for other trainers, in real Python, over the real wire. What the sandbox says of a program is tested elsewhere:
 * here the interpreter of pocket programs grades.
 */
const client = resolve('resources/grader-clients/mars2_reward.py');
const [problem, other] = pocketProblems({ split: 'test', seed: 1, count: 2 });
const truth = { tests: [...(problem?.publicTests ?? []), ...(problem?.privateTests ?? [])] };
const fenced = (program: string | null | undefined): string =>
  `Here it is.\n\`\`\`python\n${program}\n\`\`\``;
const right = fenced(problem?.canonicalProgram);
const wrong = fenced(other?.canonicalProgram);

async function service(options = {}): Promise<Served & { readonly env: Record<string, string> }> {
  const grader = { ...interpreterGrader(), python: '3.11.0', packages: [] };
  const served = await serve(grader, options);
  onTestFinished(() => void served.service.close(0));
  const tokenPath = join(await temporaryFolder(), 'token');
  await writeFile(tokenPath, `${TOKEN}\n`, { mode: 0o600 });
  // A proxy is for others than a grader in the next room.
  const env = {
    MARS2_GRADER_URL: served.address,
    MARS2_GRADER_TOKEN_FILE: tokenPath,
    http_proxy: 'http://127.0.0.1:9',
  };
  return { ...served, env };
}

/** `arguments`: by name, or in order. */
type Call = { readonly name: string; readonly arguments: object; readonly settings?: object };

/** Answers of a process of Python to these calls, in turn. */
async function called(env: Record<string, string>, ...calls: readonly Call[]): Promise<unknown[]> {
  const script = resolve('tests/main/grader-service/call_client.py');
  const child = spawn('python3', [script, client], {
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  child.stdin.end(calls.map((call) => `${JSON.stringify(call)}\n`).join(''));
  const answers: unknown[] = [];
  for await (const line of createInterface({ input: child.stdout })) answers.push(JSON.parse(line));
  return answers;
}

const verl = (more: object): Call => {
  const sample = {
    data_source: 'code',
    solution_str: right,
    ground_truth: JSON.stringify(truth),
    extra_info: {},
  };
  return { name: 'compute_score', arguments: { ...sample, ...more } };
};

describe('the client for other trainers', () => {
  test('gives verl a score for each sample, by the signature that it calls', async () => {
    const { env } = await service();
    const answers = await called(
      env,
      verl({}),
      verl({ solution_str: wrong, ground_truth: truth }),
      verl({ solution_str: wrong, reward: 'passed', reward_router_address: null }),
      verl({ solution_str: 'none', extra_info: null }),
    );
    const share = (answers[1] as { value: { score: number } }).value.score;
    expect(share).toBeLessThan(1);
    expect(answers).toEqual([
      { value: { score: 1, acc: 1 } },
      { value: { score: share, acc: 0 } },
      ...[0, 0].map((score) => ({ value: { score, acc: 0 } })),
    ]);
  });

  test('gives TRL the rewards of a batch in one request, of texts and of messages', async () => {
    const { env, lines } = await service();
    const columns = {
      prompts: ['p', 'p', 'p'],
      ground_truth: [truth, JSON.stringify(truth), { ...truth, entryPoint: null }],
      trainer_state: null,
    };
    const message = [{ role: 'assistant', content: [{ type: 'text', text: right }] }];
    const [texts, messages, own] = await called(
      env,
      { name: 'reward_func', arguments: { ...columns, completions: [right, 'none', right] } },
      { name: 'reward_func', arguments: { ...columns, completions: [message, [{ content: '' }], message] } },
      {
        name: 'trl_reward',
        settings: { reward: 'passed', column: 'task' },
        arguments: { task: [truth], completions: [wrong] },
      },
    );
    expect([texts, messages, own]).toEqual([{ value: [1, 0, 1] }, { value: [1, 0, 1] }, { value: [0] }]);
    expect(lines).toHaveLength(3);
  });

  test('gives OpenRLHF the reward of an answer behind its prompt, even one whose start was cut', async () => {
    const { env } = await service();
    // The prompt has a right program, which counts for nobody's answer.
    const prompt = `<|im_start|>user\nLike this:\n${right}<|im_end|>\n<|im_start|>assistant\n`;
    const openrlhf = (answer: string, kept = prompt): Call => ({
      name: 'reward_func',
      arguments: [[`${kept}${answer}<|im_end|>`], [prompt], [JSON.stringify(truth)]],
    });
    const answers = await called(
      env,
      openrlhf(right),
      openrlhf('none'),
      openrlhf(right, prompt.slice(-90)),
      openrlhf(right, 'another prompt'),
      {
        name: 'reward_func',
        arguments: [
          [prompt + right, prompt],
          [prompt, prompt],
          [truth, truth],
        ],
      },
    );
    const of = (share: number) => ({
      value: { rewards: share, scores: share, extra_logs: { acc: share } },
    });
    expect(answers).toEqual([
      of(1),
      of(0),
      of(1),
      { error: expect.stringContaining('cannot be told from its prompt') },
      { value: { rewards: [1, 0], scores: [1, 0], extra_logs: { acc: [1, 0] } } },
    ]);
  });

  test('asks a busy service again', async () => {
    const { env, service: served } = await service();
    let refusals = 2;
    const listeners = served.server.listeners('request');
    served.server.removeAllListeners('request');
    served.server.on('request', (request, response) => {
      refusals -= 1;
      if (refusals >= 0) return void response.writeHead(429, { 'retry-after': '0' }).end();
      for (const listener of listeners) listener.call(served.server, request, response);
    });
    expect(await called(env, verl({}))).toEqual([{ value: { score: 1, acc: 1 } }]);
    expect(refusals).toBe(-1);
  });

  test('counts nothing as a reward where the service is down, refuses or could not judge', async () => {
    const { env } = await service();
    const nobody = { MARS2_GRADER_URL: 'http://127.0.0.1:9', MARS2_GRADER_PATIENCE: '0' };
    const [down] = await called({ ...env, ...nobody }, verl({}));
    expect(down).toEqual({ error: expect.stringMatching(/cannot be reached: ConnectionRefusedError/) });
    const problems = await called(
      env,
      verl({ ground_truth: '{"tests": [{"kind": "stdin"}]}' }),
      verl({ ground_truth: '{"tests": []}' }),
      verl({ ground_truth: '[]' }),
      verl({ token_file: '/nowhere' }),
    );
    expect(problems).toMatchObject(
      [/did not grade item 0: tests.0/, /not judged/, /no JSON object/, /cannot be read/].map((error) => ({
        error: expect.stringMatching(error),
      })),
    );
  });
});
