import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { randomStream } from '../../../main/base';
import { Learner } from '../../../main/trainer/learner';
import { learnerWriter } from '../../../main/trainer/models/engines/writer';
import type { TokenSample } from '../../../main/trainer/models/learner-bodies';
import { LearnerClient } from '../../../main/trainer/models/learner-client';
import { modelPolicy } from '../../../main/trainer/models/model-policy';
import type { Sample } from '../../../main/trainer/sample';
import { PLAIN_OBJECTIVE } from '../../../preload/contract/plans';

const [SAMPLES, PROMPT, ANSWER] = [8, 128, 128];
/** The first warms up. */
const ROUNDS = 9;
/** More would wait for each other where the machine does something else as well. */
const THREADS = 1;

/** Seconds of a pass in the update, and of the same one alone. */
type Pass = readonly [name: string, then: number, alone: number];
type Update = { readonly whole: number; readonly passes: readonly Pass[] };

/** Random ids, and advantages of both signs. */
function samples(): Sample<TokenSample>[] {
  const random = randomStream('update-bench');
  const ids = (count: number): Int32Array =>
    Int32Array.from({ length: count }, () => 4 + Math.floor(random.uniform() * 30_000));
  return Array.from({ length: SAMPLES }, (_, i) => ({
    trace: { prompt: ids(PROMPT), tokens: ids(ANSWER) },
    rollout: new Float32Array(ANSWER).fill(-10),
    ...{ raw: i % 2, shaped: i % 2, advantage: i % 2 === 0 ? -1 : 1, isFirstAttempt: true },
    ...{ isAllWrong: false, isTruncated: false, problemId: 'p', program: String(i) },
  }));
}

/**
 * An update as the trainer makes it (Learner.update over the wire) against its own passes, made again with the same samples
 * directly on the learner's engine. Both alternate, as the load of a machine changes.
 */
async function measure(kind: 'full' | 'lora'): Promise<void> {
  const python = process.env.MARS2_LEARNER_PYTHON ?? 'python3';
  const script = resolve('tests/bench/learner/served_engine.py');
  const child = spawn(python, [script, kind, String(THREADS)], { stdio: ['pipe', 'pipe', 'inherit'] });
  try {
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const next = async () => JSON.parse((await lines.next()).value);
    const client = new LearnerClient({ name: 'bench', address: await next() });
    const learner = new Learner(
      modelPolicy({ id: 'bench', client, writer: learnerWriter(client, 512), hasReference: true }),
    );
    const batch = samples();
    const found: Update[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const began = performance.now();
      await learner.update(batch, PLAIN_OBJECTIVE, { updates: 100, rate: 1e-4 }, 'current');
      const whole = (performance.now() - began) / 1_000;
      child.stdin.write('\n');
      found.push({ whole, passes: await next() });
    }
    client.dispose();
    report(kind, found.slice(1));
  } finally {
    child.kill('SIGKILL');
  }
}

function report(kind: string, found: readonly Update[]): void {
  const names = found[0]?.passes.map(([name]) => name) as string[];
  expect(names).toEqual(['forward', 'forward', 'forward_backward', 'optim_step']);
  // The least of each: whatever else the machine does only makes it longer.
  const least = (of: (update: Update) => number): number => Math.min(...found.map(of));
  const whole = least((update) => update.whole);
  const alone = names.map((_, i) => least(({ passes }) => (passes[i] as Pass)[2]));
  const inside = Math.max(
    ...found.map((update) => update.passes.reduce((sum, [, then]) => sum + then, 0) / update.whole),
  );
  const sum = alone.reduce((total, seconds) => total + seconds, 0);
  const each = names.map((name, i) => `${name} ${alone[i]?.toFixed(3)} s`).join(', ');
  process.stdout.write(
    `${kind}: an update of ${SAMPLES} answers takes ${whole.toFixed(3)} s, its passes alone ${sum.toFixed(3)} s (${each}): ` +
      `${(sum / whole).toFixed(2)} of what they allow; ${inside.toFixed(3)} of an update is inside its passes\n`,
  );
}

test.each(['full', 'lora'] as const)('a whole update against its own passes, %s', (kind) => measure(kind));
