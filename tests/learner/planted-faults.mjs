// Plants a fault in a copy of the trainer and runs the test that has to notice: `node tests/learner/planted-faults.mjs [WORD]`.
// As planted_faults.py does for the learner: each fault is one of the traps (README of the learner), the exit code is how
// many went unnoticed, and it is not part of `npm test`.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';

const project = resolve(import.meta.dirname, '../..');
/** What the tests need of it. */
const copied = ['main', 'preload', 'tests', 'resources', 'scripts', 'package.json', 'vitest.config.ts'];

const scripted = 'tests/main/trainer/models/traps.test.ts';
const sampling = 'tests/main/trainer/models/training-sampling.test.ts';
const oldPolicy = 'tests/main/trainer/old-policy.test.ts';
const awaited = 'tests/main/trainer/awaited-policies.test.ts';

/** [trap, what, file of main/, old text, new text, file of tests]. The tests are those with the trap's number. */
const faults = [
  [
    ...[5, 'the answer’s text is tokenised again', 'trainer/models/model-policy.ts'],
    ...[
      'trace: { prompt, tokens },\n      rollout: log',
      'trace: { prompt, tokens: await client.render([{ role: "user", content: text }], {}) },\n      rollout: log',
    ],
    scripted,
  ],
  [
    ...[5, 'a saved sample forgets its prompt', 'trainer/models/model-policy.ts'],
    ...[
      'return { trace: { prompt, tokens }, rollout };',
      'return { trace: { prompt: prompt.slice(1), tokens }, rollout };',
    ],
    scripted,
  ],
  [
    ...[6, 'the gap between writer and learner is not reported', 'trainer/learner.ts'],
    ...['sum += Math.abs((old[t] as number) - (rollout[t] as number))', 'sum += 0'],
    scripted,
  ],
  [
    ...[7, 'the evaluation’s sampling is the training’s too', 'trainer/models/train-model.ts'],
    ...['sampling: trainingSampling(agent),', 'sampling: evaluationSampling(spec, agent),'],
    sampling,
  ],
  [
    ...[7, 'the same, as a learner sees it', 'trainer/models/train-model.ts'],
    ...['sampling: trainingSampling(agent),', 'sampling: evaluationSampling(spec, agent),'],
    scripted,
  ],
  [
    ...[7, 'unsent top-k is left to the learner', 'trainer/models/model-policy.ts'],
    ...['topK = -1', 'topK = 50', scripted],
  ],
  [
    ...[7, 'an agent of a training may set its temperature', 'preload:training-spec.ts'],
    ...[
      "  extraction: agentSchema.shape.extraction.default('last-fence'),",
      "  extraction: agentSchema.shape.extraction.default('last-fence'),\n  temperature: z.number().optional(),",
    ],
    sampling,
  ],
  [
    ...[8, 'the writer’s log-probabilities are the old policy', 'trainer/learner.ts'],
    ...["if (old === 'sampled') return rollout;", 'return rollout;', oldPolicy],
  ],
  [
    ...[8, 'the old policy is scored again at every update', 'trainer/learner.ts'],
    ...["i === 0 ? 'current' : scores", "i >= 0 ? 'current' : scores", oldPolicy],
  ],
  [
    ...[8, 'weights are taken the wrong way round', 'objective/policy-term.ts'],
    ...[
      'Math.exp((old[t] as number) - (rollout[t] as number))',
      'Math.exp((rollout[t] as number) - (old[t] as number))',
    ],
    oldPolicy,
  ],
  [
    ...[15, 'an agent gets the other’s samples', 'trainer/training-loop.ts'],
    ...[
      'this.#buffers.add(id, samples.get(id) ?? []);',
      'this.#buffers.add(id, [...samples.values()].at(-1) ?? []);',
    ],
    scripted,
  ],
  [
    ...[15, 'agents have each other’s learners', 'trainer/models/train-model.ts'],
    ...['const { client } = learners[i] as', 'const { client } = learners.toReversed()[i] as', scripted],
  ],
  [
    ...[15, 'all agents write as the first', 'trainer/grow-tree.ts'],
    ...[
      'const policy = policies.get(asked.agent.serverId);',
      'const policy = [...policies.values()][0];',
      scripted,
    ],
  ],
  [
    ...[19, 'a cut answer counts as a whole one', 'trainer/grow-tree.ts'],
    ...["isTruncated: end === 'length'", 'isTruncated: false', scripted],
  ],
  [
    ...[19, 'the last token of an answer is not learned', 'trainer/models/learner-bodies.ts'],
    ...[
      'weights.set(weightsOf(sample), prompt.length - 1);',
      'weights.set(weightsOf(sample).slice(0, -1), prompt.length - 1);',
    ],
    scripted,
  ],
  [
    ...[19, 'a cancelled tree gives the nodes that it has', 'trainer/grow-tree.ts'],
    ...["if (end.kind === 'stopped') throw new TrainingStopped();", '', scripted],
  ],
  [
    ...[20, 'samples never grow too old', 'objective/agent-buffers.ts'],
    ...['const MAX_AGE_ROUNDS = 2;', 'const MAX_AGE_ROUNDS = 9;', scripted],
  ],
  [
    ...[20, 'left-over samples do not age', 'objective/agent-buffers.ts'],
    ...['age: age ?? 0 }));', 'age }));', scripted],
  ],
  [
    ...[20, 'what is left out is not counted', 'trainer/training-loop.ts'],
    ...['stale: share.stale + count', 'stale: share.stale', scripted],
  ],
  [
    ...[22, 'a failed publish is ignored', 'trainer/training-loop.ts'],
    ...['await learner.policy.publish();', 'await learner.policy.publish().catch(() => ({}));', awaited],
  ],
  [
    ...[27, 'an evaluation does not wait for the update', 'trainer/training-loop.ts'],
    ...['const searched = deps.now();', 'const searched = deps.now();\n    void this.#evaluated();'],
    scripted,
  ],
  [
    ...[27, 'a state is saved while trees grow', 'trainer/progress.ts'],
    ...[
      "    await this.#stage('rollout');\n    await this.#saveWhenDue();",
      "    await this.#stage('rollout');\n    void this.#saveWhenDue();",
    ],
    scripted,
  ],
];

function isNoticed([trap, what, file, old, replacement, test], copy) {
  const path = file.startsWith('preload:')
    ? join(copy, 'preload/contract', file.slice('preload:'.length))
    : join(copy, 'main', file);
  const text = readFileSync(path, 'utf8');
  if (text.split(old).length !== 2)
    throw new Error(`trap ${trap}, ${what}: ${file} has ${JSON.stringify(old)} not once`);
  writeFileSync(
    path,
    text.replace(old, () => replacement),
  );
  try {
    const vitest = join(copy, 'node_modules/vitest/vitest.mjs');
    const filter = ['--project', 'shared', test, '-t', `trap ${trap}:`, '--testTimeout', '60000'];
    const args = [vitest, 'run', ...filter, '--reporter=json', '--outputFile', join(copy, 'report.json')];
    spawnSync(process.execPath, args, { cwd: copy, stdio: 'ignore' });
    const { numFailedTests, numPassedTests } = JSON.parse(readFileSync(join(copy, 'report.json'), 'utf8'));
    if (numFailedTests + numPassedTests === 0)
      throw new Error(`trap ${trap}, ${what}: no test of ${test} ran`);
    return numFailedTests > 0;
  } finally {
    writeFileSync(path, text);
    rmSync(join(copy, 'report.json'), { force: true });
  }
}

const word = process.argv[2] ?? '';
const copy = mkdtempSync(join(tmpdir(), 'mars2-planted-'));
let unnoticed = 0;
try {
  for (const name of copied) cpSync(join(project, name), join(copy, name), { recursive: true });
  symlinkSync(join(project, 'node_modules'), join(copy, 'node_modules'));
  for (const fault of faults) {
    const [trap, what] = fault;
    if (!`trap ${trap}, ${what}`.includes(word)) continue;
    const noticed = isNoticed(fault, copy);
    unnoticed += noticed ? 0 : 1;
    process.stdout.write(`${noticed ? 'noticed  ' : 'UNNOTICED'} trap ${trap}: ${what}\n`);
  }
} finally {
  rmSync(copy, { recursive: true, force: true });
}
process.exitCode = unnoticed;
