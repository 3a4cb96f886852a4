import { test } from 'vitest';
import {
  encodeCheckpoint,
  FAMILIES,
  loadPolicy,
  pocketProblems,
  pretrain,
  replyTo,
} from '../../../main/pocket';

/** Milliseconds of this process's CPU: other work on the machine does not count. */
function cpuMs(work: () => void): string {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return `${((user + system) / 1000).toFixed(0)} ms of CPU`;
}

test('costs of generating, pre-training and replying', () => {
  const lines: string[] = [];
  const problems = pocketProblems({ split: 'test', seed: 1, count: 1 });
  for (const seed of [1, 2]) {
    lines.push(
      `200 problems, seed ${seed}: ${cpuMs(() => pocketProblems({ split: 'test', seed, count: 200 }))}`,
    );
  }
  for (const family of FAMILIES) {
    let checkpoint = pretrain({ family, seed: 1 });
    lines.push(
      `pre-training of ${family}: ${cpuMs(() => {
        checkpoint = pretrain({ family, seed: 2 });
      })}, ${encodeCheckpoint(checkpoint).length} characters`,
    );
    const policy = loadPolicy(checkpoint);
    const [problem] = problems;
    if (!policy.ok || problem === undefined) throw new Error('nothing to measure');
    const reply = (seed: number) =>
      replyTo(policy.value, [{ role: 'user', content: problem.statement }], {
        seed,
        temperature: 1,
        topP: 1,
      });
    lines.push(
      `2000 replies of ${family}: ${cpuMs(() => Array.from({ length: 2_000 }, (_, seed) => reply(seed)))}`,
    );
  }
  console.log(lines.join('\n'));
});
