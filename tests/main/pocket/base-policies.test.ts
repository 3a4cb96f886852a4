import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { randomStream } from '../../../main/base';
import {
  type Checkpoint,
  checkpointOf,
  encodeCheckpoint,
  encodePrompt,
  FAMILIES,
  type Family,
  loadPolicy,
  OPERATIONS,
  type PocketPolicy,
  parseCheckpoint,
  parseProgram,
  pocketProblems,
  pretrain,
  readPrompt,
  renderProgram,
  replyTo,
  sampledReply,
} from '../../../main/pocket';
import { decodeBase64, encodeBase64 } from '../../../main/pocket/base64';
import { FAMILY_TRAITS, ofEachFamily } from '../../../main/pocket/families';
import { sampleProgram } from '../../../main/pocket/policy';
import { signatureOf } from '../../../main/pocket/signature';
import { extractProgram, promptFor } from '../../../main/search';
import type { Agent, ChatMessage, Problem, Verdict } from '../../../preload/contract';
import { baseCheckpoint, basePolicy } from '../../support/base-policies';

const made = await Promise.all(FAMILIES.map((family) => baseCheckpoint(family)));
const checkpoints: Readonly<Record<Family, Checkpoint>> = ofEachFamily((family) =>
  only(made, FAMILIES.indexOf(family)),
);
const loaded = await Promise.all(FAMILIES.map((family) => basePolicy(family)));
const policies: Readonly<Record<Family, PocketPolicy>> = ofEachFamily((family) =>
  only(loaded, FAMILIES.indexOf(family)),
);
const problems = pocketProblems({ split: 'validation', seed: 3, count: 60 });
const sampling = { seed: 1, temperature: 1, topP: 1 };

function agent(role: string): Agent {
  return {
    id: role,
    name: role,
    serverId: 'none',
    role: { name: role, systemPrompt: `You are the ${role} of this team.` },
    sampling: { temperature: 1, topP: 1, maxTokens: 100 },
    extraction: 'last-fence',
  };
}

function ask(
  problem: Problem,
  role = 'solver',
  parent: { program: string; verdicts: Verdict[] } | null = null,
): ChatMessage[] {
  const publicVerdicts = parent?.verdicts ?? [];
  return promptFor(
    problem,
    agent(role),
    parent === null ? null : { program: parent.program, answer: '', publicVerdicts, publicResults: [] },
  );
}

function only<T>(items: readonly T[], index = 0): T {
  const item = items[index];
  if (item === undefined) throw new Error('nothing there');
  return item;
}

describe('a checkpoint', () => {
  test('is the same to the byte for the same family and seed, and reports its progress from 0 to 1', () => {
    const progress: number[] = [];
    const onProgress = (share: number) => progress.push(share);
    // The one that takes least.
    expect(encodeCheckpoint(pretrain({ family: 'weak', seed: 1, onProgress }))).toBe(
      encodeCheckpoint(checkpoints.weak),
    );
    expect(progress[0]).toBe(0);
    expect(progress.at(-1)).toBe(1);
    expect([...progress].sort((a, b) => a - b)).toEqual(progress);
  });

  // Recorded studies name base policies by family and seed alone: these bytes are what they mean.
  test.each([
    ['reader', '5099b101fb0b631fc398c325649e5e946e95c1fdd5dd164e9d6c4e8cafbcd9b0'],
    ['tracer', '92b34e004a00db6c2f0aa4bdb9aa7ead71b69199cdca0e420f4a0029d8a51554'],
  ] as const)('of the family %s is what it was in earlier versions', (family, digest) => {
    const text = encodeCheckpoint(checkpoints[family]);
    expect(createHash('sha256').update(text).digest('hex')).toBe(digest);
  });

  test.each(FAMILIES)('of the family %s is small and survives writing and reading', (family) => {
    const text = encodeCheckpoint(checkpoints[family]);
    expect(text.length).toBeLessThan(300_000);
    const read = parseCheckpoint(text);
    expect(read).toEqual({ ok: true, value: checkpoints[family] });
    expect(encodeCheckpoint(checkpointOf(policies[family], 'pre-training', 0))).toBe(text);
  });

  test('has its weights in base64 as other programs write it, of any length', () => {
    for (let length = 0; length < 10; length++) {
      const bytes = Uint8Array.from({ length }, (_, at) => (at * 89 + 7) % 256);
      const text = encodeBase64(bytes);
      expect(text).toBe(Buffer.from(bytes).toString('base64'));
      expect(decodeBase64(text)).toEqual(bytes);
    }
  });

  const text = encodeCheckpoint(checkpoints.tracer);
  const changed = (change: object): string => JSON.stringify({ ...checkpoints.tracer, ...change });
  test.each([
    ['cut off', text.slice(0, 5_000), /not JSON/],
    ['of another kind', '{"kind":"weights"}', /not one of a pocket policy/],
    ['of a later version', changed({ version: 99 }), /version 99/],
    ['with a shape of its own', changed({ shape: { rows: 3, symbols: 2, copies: 0 } }), /shape/],
    ['with weights cut off', changed({ weights: checkpoints.tracer.weights.slice(0, 400) }), /damaged/],
    [
      'with weights that are no base64',
      changed({ weights: checkpoints.tracer.weights.replace('A', '!') }),
      /damaged/,
    ],
    [
      'with a weight that is no number',
      changed({ weights: `AADAfw${checkpoints.tracer.weights.slice(6)}` }),
      /finite/,
    ],
  ])('that is %s is refused with a message', (_, broken, message) => {
    const parsed = parseCheckpoint(broken);
    const loaded = parsed.ok ? loadPolicy(parsed.value) : parsed;
    expect(loaded.ok).toBe(false);
    if (!loaded.ok) expect(loaded.error.message).toMatch(message);
  });
});

describe('a reply', () => {
  const messages = ask(only(problems));

  test('is the same for the same seed, and differs among seeds', () => {
    expect(replyTo(policies.reader, messages, sampling)).toEqual(
      replyTo(policies.reader, messages, sampling),
    );
    const texts = Array.from(
      { length: 20 },
      (_, seed) => replyTo(policies.tracer, messages, { ...sampling, seed }).text,
    );
    expect(new Set(texts).size).toBeGreaterThan(1);
  });

  test('with its sample is the same reply, and the sample holds the choices behind its text', () => {
    for (const problem of problems) {
      const { reply, sample } = sampledReply(policies.tracer, ask(problem), sampling);
      expect(reply).toEqual(replyTo(policies.tracer, ask(problem), sampling));
      const text = extractProgram(reply.text, 'last-fence');
      if (text !== null) expect(parseProgram(text)?.program).toEqual(sample?.program);
      const steps = sample?.program.length ?? 0;
      expect(reply.tokens.slice(1, 1 + steps).map(({ logprob }) => logprob)).toEqual(
        sample?.symbols.slice(0, steps).map(({ logProbability }) => logProbability),
      );
    }
    const about = [{ role: 'user' as const, content: 'Write quicksort in C.' }];
    expect(sampledReply(policies.reader, about, sampling).sample).toBeNull();
  });

  test('is its tokens put together, and counts them', () => {
    for (const problem of problems) {
      const reply = replyTo(policies.tracer, ask(problem), sampling);
      expect(reply.tokens.map(({ token }) => token).join('')).toBe(reply.text);
      expect(reply.completionTokens).toBe(reply.tokens.length);
      expect(reply.tokens.every(({ logprob }) => logprob <= 0 && Number.isFinite(logprob))).toBe(true);
      expect(reply.promptTokens).toBeGreaterThan(20);
    }
  });

  test('holds a program of the style that the problem asks for, but for rare slips', () => {
    let errors = 0;
    for (const [i, problem] of problems.entries()) {
      for (let seed = 0; seed < 30; seed++) {
        const program = extractProgram(
          replyTo(policies.reader, ask(problem), { ...sampling, seed }).text,
          'last-fence',
        );
        if (program === null) errors += 1;
        else
          expect(parseProgram(program)?.style, `problem ${i}`).toBe(
            problem.entryPoint === null ? 'stdin' : 'call',
          );
      }
    }
    expect(errors).toBeGreaterThan(2);
    expect(errors).toBeLessThan(50);
  });

  test('never lacks its program at temperature 0', () => {
    for (let seed = 0; seed < 300; seed++) {
      const { text } = replyTo(policies.reader, messages, { seed, temperature: 0, topP: 1 });
      expect(extractProgram(text, 'last-fence')).not.toBeNull();
    }
  });
});

describe('a prompt', () => {
  test('of the search is read back: task, examples, role, earlier program and its verdicts', () => {
    for (const problem of problems) {
      const earlier = renderProgram([0, 3], problem.entryPoint === null ? 'stdin' : 'call');
      const read = readPrompt(
        ask(problem, 'refiner', { program: earlier, verdicts: ['passed', 'wrong-answer'] }),
      );
      expect(read?.role).toBe(1);
      expect(read?.earlier).toEqual({ program: [0, 3], feedback: 'some-passed' });
      expect(read?.examples).toHaveLength(2);
      expect(read?.examples.map(({ output }) => typeof output)).not.toContain('undefined');
      const first = readPrompt(ask(problem));
      expect(first).toEqual({ ...read, role: 0, earlier: null });
    }
  });

  test.each<[string, Verdict[], string]>([
    ['all passed', ['passed', 'passed'], 'all-passed'],
    ['a stop after the first failure', ['wrong-answer'], 'none-passed'],
    ['a crash', ['runtime-error'], 'failed-to-run'],
  ])('with %s is understood', (_, verdicts, feedback) => {
    const read = readPrompt(ask(only(problems), 'solver', { program: renderProgram([0], 'call'), verdicts }));
    expect(read?.earlier?.feedback).toBe(feedback);
  });

  test('with an earlier program that is not ours is a first attempt', () => {
    const read = readPrompt(
      ask(only(problems), 'solver', { program: 'print("hello")', verdicts: ['wrong-answer'] }),
    );
    expect(read).not.toBeNull();
    expect(read?.earlier).toBeNull();
  });

  const hostile: readonly (readonly [string, ChatMessage[]])[] = [
    ['no message', []],
    ['only a system message', [{ role: 'system', content: 'You are a refiner.' }]],
    ['another subject', [{ role: 'user', content: 'What is the capital of France?' }]],
    ['ten million characters', [{ role: 'user', content: 'It must: sort. '.repeat(700_000) }]],
    ['one endless line of tasks', [{ role: 'user', content: 'It must: '.repeat(100_000) }]],
    [
      'endless numbers',
      [{ role: 'user', content: `It must: sort.\n\nInput: ${'9 '.repeat(9_000)}\nOutput: 1\n` }],
    ],
    [
      'endless examples',
      [{ role: 'user', content: `It must: sort.\n${'Input: 1\nOutput: 1\n'.repeat(900)}` }],
    ],
    [
      'huge integers',
      [{ role: 'user', content: `It must: sort.\nInput: ${'9'.repeat(5_000)}\nOutput: 1e999\n` }],
    ],
    [
      'endless fences',
      [{ role: 'user', content: `It must: sort.\n### Earlier program\n${'```python\n'.repeat(1_900)}` }],
    ],
    ['no example', [{ role: 'user', content: 'It must: sort.' }]],
  ];
  test.each(hostile)('with %s is answered without an exception', (_, messages) => {
    const reply = replyTo(policies.tracer, messages, sampling);
    expect(reply.text.length).toBeGreaterThan(0);
    expect(reply.text.length).toBeLessThan(3_000);
  });

  test('that holds no pocket problem gets words and no code', () => {
    const reply = replyTo(policies.reader, [{ role: 'user', content: 'Write quicksort in C.' }], sampling);
    expect(extractProgram(reply.text, 'last-fence')).toBeNull();
  });
});

describe('the base policies', () => {
  function programs(
    family: Family,
    problem: Problem,
    role = 'solver',
    parent: string | null = null,
  ): string[] {
    const messages = ask(
      problem,
      role,
      parent === null ? null : { program: parent, verdicts: ['wrong-answer', 'wrong-answer'] },
    );
    return Array.from({ length: 20 }, (_, seed) => {
      const program = extractProgram(
        replyTo(policies[family], messages, { ...sampling, seed }).text,
        'last-fence',
      );
      return program ?? '';
    }).filter((program) => program !== '');
  }

  test.each(FAMILIES)(
    'of the family %s hardly ever write a first attempt with a skill they lack',
    (family) => {
      const random = randomStream('lack-test');
      let steps = 0;
      let lacking = 0;
      for (const problem of problems) {
        const prompt = readPrompt(ask(problem));
        if (prompt === null) throw new Error('unread');
        for (let i = 0; i < 20; i++) {
          const { program } = sampleProgram(policies[family], encodePrompt(prompt), random, {
            temperature: 1,
            topP: 1,
          });
          steps += program.length;
          lacking += program.filter((step) =>
            FAMILY_TRAITS[family].lacks.includes(only(OPERATIONS, step).skill),
          ).length;
        }
      }
      expect(lacking / steps).toBeLessThan(0.05);
    },
  );

  test.each(FAMILIES)(
    'of the family %s answer a refinement differently from a first attempt, and rarely repeat it',
    (family) => {
      let repeated = 0;
      let all = 0;
      let changed = 0;
      for (const problem of problems.slice(0, 30)) {
        const parent = only(programs(family, problem));
        const refined = programs(family, problem, 'solver', parent);
        all += refined.length;
        repeated += refined.filter((program) => program === parent).length;
        if (refined.join() !== programs(family, problem).join()) changed += 1;
      }
      expect(changed).toBeGreaterThan(25);
      expect(repeated / all).toBeLessThan(0.15);
    },
  );

  const shares = new Map<Family, number>();
  function shareRight(family: Family): number {
    const known = shares.get(family);
    if (known !== undefined) return known;
    let right = 0;
    let all = 0;
    for (const problem of problems) {
      const reference = parseProgram(problem.canonicalProgram ?? '');
      if (reference === null) throw new Error('no reference');
      const expected = signatureOf(reference.program);
      for (const text of programs(family, problem)) {
        const written = parseProgram(text);
        all += 1;
        if (written !== null && signatureOf(written.program) === expected) right += 1;
      }
    }
    shares.set(family, right / all);
    return right / all;
  }

  test('of the family weak are right less than half as often as the others, and more often than never', () => {
    expect(shareRight('weak')).toBeGreaterThan(0.01);
    expect(2 * shareRight('weak')).toBeLessThan(Math.min(shareRight('reader'), shareRight('tracer')));
  });

  test.each(['reader', 'tracer'] as const)(
    'of the large sibling of the family %s are right at least a quarter more often',
    (family) => {
      expect(shareRight(`${family}-large`)).toBeGreaterThan(1.25 * shareRight(family));
    },
  );

  test('keep more of an earlier program as refiner than as solver', () => {
    const shared = (role: string): number => {
      let same = 0;
      let all = 0;
      for (const problem of problems) {
        const style = problem.entryPoint === null ? 'stdin' : 'call';
        const steps = [13, 2, 17];
        for (const text of programs('tracer', problem, role, renderProgram(steps, style))) {
          const program = parseProgram(text)?.program ?? [];
          same += steps.filter((step, i) => program[i] === step).length;
          all += steps.length;
        }
      }
      return same / all;
    };
    expect(shared('refiner')).toBeGreaterThan(shared('solver'));
  });
});
