import { describe, expect, test } from 'vitest';
import { keyProblem } from '../../../../main/servers/logic/chat-failure';
import { dialectAfter, PLAIN_DIALECT, samplingFields } from '../../../../main/servers/logic/dialect';
import { launchKey, readNotes, serverKey, writeNotes } from '../../../../main/servers/logic/launch-notes';
import { speedRow } from '../../../../main/servers/logic/speed-row';
import { StreamAnswer } from '../../../../main/servers/logic/stream-answer';
import { serverLaunchSchema } from '../../../../preload/contract';

describe('a streamed answer', () => {
  const chunk = (delta: object) => `data: ${JSON.stringify({ choices: [{ delta }] })}\n\n`;

  test('begins with its first token, wherever it is cut, and counts as the server does', () => {
    const answer = new StreamAnswer();
    const text = `${chunk({ role: 'assistant', content: '' })}${chunk({ content: 'a' })}${chunk({ content: 'b' })}data: {"choices": [], "usage": {"completion_tokens": 7}}\n\ndata: [DONE]\n\n`;
    const seen: boolean[] = [];
    for (const character of text) {
      answer.read(character);
      seen.push(answer.hasBegun);
    }
    expect(seen.indexOf(true)).toBe(text.indexOf('\n', text.indexOf('"a"')));
    expect([answer.tokens, answer.isOver]).toEqual([7, true]);
  });

  test('of a model that thinks begins with its first thought', () => {
    const answer = new StreamAnswer();
    answer.read(chunk({ reasoning_content: 'hm' }));
    expect([answer.hasBegun, answer.tokens, answer.isOver]).toEqual([true, 1, false]);
  });

  test('is over with the reason of its end, where nothing comes after it', () => {
    const answer = new StreamAnswer();
    answer.read(chunk({ content: 'a' }));
    expect(answer.isOver).toBe(false);
    const usage = { completion_tokens: 3 };
    const last = { choices: [{ delta: {}, finish_reason: 'length' }], usage };
    answer.read(`data: ${JSON.stringify(last)}\n\n`);
    expect([answer.tokens, answer.isOver]).toEqual([3, true]);
  });

  test('whose line does not end is given up, and holds no more of it', () => {
    const answer = new StreamAnswer();
    answer.read(chunk({ content: 'a' }));
    for (let piece = 0; piece < 100; piece++) answer.read('x'.repeat(20_000));
    answer.read(`\n${chunk({ content: 'b' })}`);
    expect([answer.isTooLong, answer.tokens, answer.isOver]).toEqual([true, 1, false]);
  });
});

test('a row of the speed test counts all tokens over the whole time, and failures separately', () => {
  const answers = [10, 20, 30, 40].map((firstTokenMs) => ({ firstTokenMs, tokens: 50 }));
  expect(speedRow(4, ['it broke', ...answers, 'it was refused', 'it broke'], 2_000)).toEqual({
    concurrency: 4,
    requests: 7,
    failures: 3,
    failureReason: 'it broke',
    tokensPerSecond: 100,
    firstTokenMs: { median: 25, p95: 38.5 },
  });
  expect(speedRow(1, [{ firstTokenMs: null, tokens: 1 }], 0)).toMatchObject({
    tokensPerSecond: 0,
    failureReason: null,
    firstTokenMs: null,
  });
});

test.each([
  ['https://api.example/v1', true],
  ['http://127.0.0.1:8000/v1', true],
  ['http://localhost/v1', true],
  ['http://[::1]:8000/v1', true],
  ['http://gpu-box:8000/v1', false],
  ['http://127.0.0.1.example/v1', false],
])('may a key go to %s? %s', (url, may) => {
  expect(keyProblem(new URL(url)) === null).toBe(may);
});

test('a server that refuses a field is spoken to without it, and no field is tried twice', () => {
  const refused = (message: string) => ({ kind: 'refused', status: 400, message }) as const;
  const second = dialectAfter(PLAIN_DIALECT, refused("Use 'max_completion_tokens' instead of 'max_tokens'."));
  expect(second).toEqual({ ...PLAIN_DIALECT, tokenLimit: 'max_completion_tokens' });
  const third =
    second && dialectAfter(second, refused("The 'metadata' parameter is only allowed when 'store' is on."));
  expect(third).toEqual({ ...PLAIN_DIALECT, tokenLimit: 'max_completion_tokens', hasMetadata: false });
  expect(third && dialectAfter(third, refused("metadata and 'max_completion_tokens'"))).toBeNull();
  expect(dialectAfter(PLAIN_DIALECT, refused('The model is overloaded.'))).toBeNull();
});

test('transformers serve gets its sampling in one field, without which it would not sample', () => {
  const refused = (message: string) => ({ kind: 'refused', status: 422, message }) as const;
  const unexpected = "Unexpected fields in the request: {'top_k', 'repetition_penalty', 'min_p'}";
  const second = dialectAfter(PLAIN_DIALECT, refused(unexpected));
  expect(second).toEqual({ ...PLAIN_DIALECT, engineSettings: 'generation-config' });
  if (second === null) return;
  const plain = { temperature: 1, topP: 0.9, maxTokens: 8 };
  const config = (sampling: Parameters<typeof samplingFields>[0]) => {
    const { generation_config: text, ...fields } = samplingFields(sampling, second);
    return [fields, JSON.parse(String(text))];
  };
  expect(config(plain)).toEqual([
    { temperature: 1, top_p: 0.9, max_tokens: 8 },
    { do_sample: true, top_k: 0, min_p: 0, repetition_penalty: 1 },
  ]);
  expect(config({ ...plain, temperature: 0, topK: 5, minP: 0.1, minTokens: 2 })).toEqual([
    { temperature: 0, top_p: 0.9, max_tokens: 8 },
    { do_sample: false, top_k: 5, min_p: 0.1, repetition_penalty: 1, min_new_tokens: 2 },
  ]);
  expect(dialectAfter(second, refused('Extra: generation_config'))?.engineSettings).toBe('none');
});

describe('notes of a job', () => {
  const launch = serverLaunchSchema.parse({
    id: 'l',
    name: 'L',
    engine: 'vllm',
    machineId: 'local',
    weights: 'w',
    model: 'm',
  });
  const spec = {
    kind: 'pocket',
    id: 'p',
    model: 'm',
    family: 'reader',
    checkpointSeed: 1,
    latencyMs: 0,
    maxInFlight: 4,
  } as const;

  test('come back as they were written', () => {
    const ours = {
      key: 'k',
      owner: null,
      serverId: 's',
      serves: { kind: 'own', spec, knownProblemId: null },
    } as const;
    const theirs = {
      key: 'k',
      owner: 'study',
      serverId: 's',
      serves: { kind: 'launch', launch, replica: 1, port: 8_000 },
    } as const;
    expect(readNotes(writeNotes(ours))).toEqual(ours);
    expect(readNotes(writeNotes(theirs))).toEqual(theirs);
  });

  test('from before servers had their own name are still read', () => {
    const old = { server: JSON.stringify({ key: 'k', spec, owner: 'study', knownProblemId: null }) };
    expect(readNotes(old)).toMatchObject({ serverId: null, serves: { kind: 'own', spec } });
    expect(readNotes({ server: '{"key": 1}' })).toBeNull();
    expect(readNotes({})).toBeNull();
  });

  test('name equal servers alike: by machine, file, key name and launch, not by what people call them', () => {
    expect(serverKey({ ...spec, id: 'other' }, 'f', 's')).toBe(serverKey(spec, 'f', 's'));
    expect(serverKey({ ...spec, machineId: 'lab' }, 'f', 's')).not.toBe(serverKey(spec, 'f', 's'));
    expect(serverKey(spec, 'g', 's')).not.toBe(serverKey(spec, 'f', 's'));
    expect(launchKey({ ...launch, name: 'Other', replicas: 3 })).toBe(launchKey(launch));
    expect(launchKey({ ...launch, contextTokens: 4_096 })).not.toBe(launchKey(launch));
  });
});
