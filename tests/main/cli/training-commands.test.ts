import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Emitter } from '../../../main/base/index';
import { CliOptions, UsageError } from '../../../main/cli/cli-options';
import {
  martiTraining,
  pocketTraining,
  recipeTraining,
  trainingFile,
} from '../../../main/cli/training-arguments';
import {
  beforeAfterCsv,
  curvesCsv,
  evaluationText,
  gainLines,
  LIVE_NAMES,
  liveLine,
  planText,
  settingsText,
  trainingStateText,
} from '../../../main/cli/training-report';
import { trainingEvaluationView } from '../../../main/metrics/index';
import {
  experimentRequestSchema,
  MARTI_FLAGS,
  passOneLabel,
  recipeSchema,
  type TrainingView,
  trainingRequestSchema,
  type WorkbenchEvent,
} from '../../../preload/contract/index';
import { curveKey, quantityLabel } from '../../../renderer/text/training-curves';
import { temporaryFolder } from '../../support/temporary-folder';
import { typeCommand } from '../../support/typed-command';

const ASKS_NOTHING = {
  call: async () => {
    throw new Error('These readers ask nothing');
  },
  events: new Emitter<WorkbenchEvent>(),
};
const readers = { pocket: pocketTraining, marti: martiTraining, recipe: recipeTraining, file: trainingFile };
const order = (
  values: ConstructorParameters<typeof CliOptions>[0],
  kind: keyof typeof readers,
  ...args: string[]
) => readers[kind](new CliOptions(values, args), ASKS_NOTHING);

test('a pocket training is two families in shared trees by default', async () => {
  expect(await order({}, 'pocket')).toEqual(
    trainingRequestSchema.parse({
      name: 'Pocket training',
      machineId: 'local',
      spec: { kind: 'pocket', method: 'heter-mars2', families: ['reader', 'tracer'] },
    }),
  );
  const options = {
    method: 'rs2',
    families: 'weak',
    updates: '20',
    seed: '3',
    problems: '10',
    split: 'validation',
  };
  expect((await order(options, 'pocket')).spec).toMatchObject({
    method: 'rs2',
    families: ['weak'],
    updates: 20,
    seed: 3,
    evaluation: { problems: 10, split: 'validation', nodes: 60 },
  });
});

test('a training is restarted as often as its option says', async () => {
  expect((await order({ restarts: '3' }, 'pocket')).restarts).toBe(3);
  await expect(order({ restarts: '21' }, 'pocket')).rejects.toThrow(/--restarts/);
});

test('a training grades at the service that it names, with the token in a file of its machine', async () => {
  const address = 'http://10.0.0.7:8765';
  const here = await order({ grader: address, 'grader-token-file': 'token' }, 'pocket');
  expect(here.grader).toEqual({ address, tokenFile: join(process.cwd(), 'token') });
  const far = { grader: address, 'grader-token-file': '~/token', machine: 'gpu-a' };
  expect((await order(far, 'pocket')).grader).toEqual({ address, tokenFile: '~/token' });
  for (const wrong of [
    { ...far, 'grader-token-file': 'token' },
    { grader: 'http://me:pass@host' },
    { 'grader-token-file': '/t' },
  ])
    await expect(order(wrong, 'pocket')).rejects.toThrow(/grader/);
});

test('settings of MARTI are read as what the table says they are', async () => {
  const options = {
    machine: 'gpu-a',
    preset: 'multi',
    checkout: '~/MARTI',
    dataset: '/data',
    out: '/out',
    agent: ['/m/a', '/m/b;reasoning;role=refiner'],
    set: ['seed=7', 'actor_learning_rate=2e-6', 'bf16=off', 'reward_clip_range=-5 5', 'input_key=question'],
    extra: '--logging_steps 2',
  };
  expect((await order(options, 'marti')).spec).toMatchObject({
    preset: 'multi',
    agents: [
      { model: '/m/a', isReasoning: false, role: 'generator' },
      { model: '/m/b', isReasoning: true, role: 'refiner' },
    ],
    flags: {
      seed: 7,
      actor_learning_rate: 2e-6,
      bf16: false,
      reward_clip_range: '-5 5',
      input_key: 'question',
    },
    extraArguments: '--logging_steps 2',
  });
});

test('a recipe takes its fields, and resources for Slurm', async () => {
  const options = {
    set: ['config=/a=b'],
    machine: 'cluster',
    gpus: '8',
    partition: 'gpu',
    minutes: '60',
    env: ['A=1'],
  };
  expect(await order(options, 'recipe', 'ours')).toMatchObject({
    spec: { kind: 'recipe', recipeId: 'ours', values: { config: '/a=b' } },
    resources: { gpus: 8, partition: 'gpu', minutes: 60 },
    env: { A: '1' },
  });
});

test('a training is read from a JSON file', async () => {
  const path = join(await temporaryFolder(), 'order.json');
  const spec = { kind: 'pocket', method: 'base', families: ['reader'] };
  await writeFile(path, JSON.stringify({ name: 'x', machineId: 'local', spec }));
  expect(await order({}, 'file', path)).toMatchObject({ name: 'x', spec: { method: 'base', updates: 300 } });
});

test.each<[Parameters<typeof order>[0], [keyof typeof readers, ...string[]], RegExp]>([
  [{}, ['file', 'nowhere.json'], /cannot be read/],
  [{ method: 'magic' }, ['pocket'], /--method is/],
  [{ families: '' }, ['pocket'], /families: “” is no name of a family/],
  [{}, ['marti'], /--checkout is missing/],
  [{ checkout: 'a', dataset: 'b', out: 'c', set: ['none=1'] }, ['marti'], /no setting "none"/],
  [{ checkout: 'a', dataset: 'b', out: 'c', set: ['bf16=yes'] }, ['marti'], /on or off/],
  [{ checkout: 'a', dataset: 'b', out: 'c', set: ['bf16'] }, ['marti'], /NAME=VALUE/],
  [{ checkout: 'a', dataset: 'b', out: 'c', agent: ['m;fast'] }, ['marti'], /--agent takes/],
])('%j %j is refused as a usage error', async (values, words, message) => {
  await expect(order(values, ...words)).rejects.toThrow(message);
  await expect(order(values, ...words)).rejects.toBeInstanceOf(UsageError);
});

const VIEW: TrainingView = {
  id: 'one',
  name: 'Ours',
  machineId: 'local',
  jobId: 'job',
  spec: trainingRequestSchema.parse({
    name: 'Ours',
    machineId: 'local',
    spec: { kind: 'pocket', method: 'rs2', families: ['reader'] },
  }).spec,
  scale: 'pocket',
  title: 'RS², reader',
  agents: [{ id: 'reader', name: 'Reader' }],
  state: { kind: 'running', pid: 1 },
  stage: 'rollout',
  createdAt: '',
  startedAt: null,
  endedAt: null,
  step: 34,
  steps: 300,
  secondsLeft: 200,
  latest: [
    { agentId: 'reader', key: 'reward', value: 0.34123 },
    { agentId: null, key: 'pass@1', value: 0.5 },
    { agentId: 'reader', key: 'something-else', value: 1 },
  ],
  alarms: [],
  experimentId: null,
};

test('the live line has step, stage, the numbers that matter, and what is left', () => {
  expect(liveLine(VIEW)).toBe(
    'update 34 of 300; rollout; Reward: Reader 0.341; Training Pass@1: team 50.0 %; about 3 min to go',
  );
  expect(liveLine({ ...VIEW, steps: null, stage: null, latest: [], secondsLeft: null })).toBe('update 34');
  const latest = [
    { agentId: 'reader', key: 'policy-loss', value: 4.34e-18 },
    { agentId: 'reader', key: 'kl', value: 0.0000667 },
  ];
  expect(liveLine({ ...VIEW, latest })).toContain('; KL: Reader 6.7e-5; Policy loss: Reader 0; ');
  for (const [key, name] of Object.entries(LIVE_NAMES)) expect(curveKey(key).label).toBe(name);
  for (const part of ['train', 'evaluation'] as const)
    expect(quantityLabel(curveKey('pass@1'), part, 100)).toBe(passOneLabel(part, VIEW.spec));
});

test.each([
  [{ kind: 'exited', code: 0, endedAt: '' }, 'done'],
  [{ kind: 'exited', code: 75, endedAt: '' }, 'ended, code 75'],
  [{ kind: 'exited', code: null, endedAt: '' }, 'ended, killed'],
  [{ kind: 'lost', why: 'restarted' }, 'lost: restarted'],
  [{ kind: 'queued', why: 'GPU 3 is busy' }, 'waits: GPU 3 is busy'],
] as const)('the state %j is "%s"', (state, text) => {
  expect(trainingStateText({ state })).toBe(text);
});

test('one that a person stopped is stopped with any exit code; one that was done before is done', () => {
  const ended = (code: number) =>
    trainingStateText({ state: { kind: 'exited', code, endedAt: '' }, wasStopped: true });
  expect([ended(75), ended(143), ended(0)]).toEqual(['stopped', 'stopped', 'done']);
});

test('curves are printed one point a line, with the values that the source has', () => {
  const curve = {
    agentId: 'reader',
    key: 'reward',
    part: 'train' as const,
    steps: [1, 2],
    values: [0.5, Number.NaN],
  };
  const csv = curvesCsv([
    { ...curve, samples: [128, 256], seconds: [0, 1.5] },
    { ...curve, agentId: null, key: 'a,b', samples: null, seconds: null },
  ]);
  expect(csv).toBe(
    [
      'agent,quantity,part,step,samples,seconds,value',
      'reader,reward,train,1,128,0,0.5',
      'reader,reward,train,2,256,1.5,NaN',
      ',"a,b",train,1,,,0.5',
      ',"a,b",train,2,,,NaN',
      '',
    ].join('\n'),
  );
});

test('an evaluation says whose, in percent, over how many problems', () => {
  const problem = (passed: number, chosenPasses: boolean, somePasses: boolean) => ({
    problemId: `p${passed}`,
    samples: [{ agentId: 'reader', count: 4, passed }],
    chosenPasses,
    somePasses,
    distinctPrograms: 3,
    algorithms: [],
  });
  const problems = [problem(4, true, true), problem(1, false, true), problem(0, false, false)];
  const evaluation = { split: 'test', seed: 7, teams: [{ agentIds: ['reader'], nodes: 60, problems }] };
  const text = evaluationText(trainingEvaluationView(evaluation, VIEW.spec), VIEW);
  // 5 of 12 samples, 1 of 3 choices, 2 of 3 trees; of so few problems a resample may be all of one kind.
  const ends = '\\[0\\.0, 100\\.0\\]';
  expect(text).toMatch(new RegExp(`Reader +41\\.7 ${ends} +33\\.3 ${ends} +66\\.7 ${ends} +60 +3\\n`));
  expect(text).toContain('seed 7; scale: pocket. Intervals: 95 %, percentile bootstrap over problems');
});

test('before and after are compared by line, and by problem as CSV', () => {
  const samples = (passed: number) => [{ agentId: 'reader', count: 4, passed }];
  const problem = (problemId: string, passed: number) => ({
    ...{ problemId, samples: samples(passed), chosenPasses: true, somePasses: true },
    ...{ distinctPrograms: 3, algorithms: [] },
  });
  const problems = [problem('p', 4), problem('q', 1), problem('new', 4)];
  const measured = {
    ...{ split: 'test', seed: 7, teams: [{ agentIds: ['reader'], nodes: 60, problems }] },
    before: [
      { problemId: 'q', samples: samples(2) },
      { problemId: 'p', samples: samples(1) },
    ],
  };
  const gain = { problems: 2, before: 0.375, after: 0.625, difference: 0.25, low: -0.25, high: 0.75 };
  const oddsRatio = { value: 1, low: 0.125, high: null };
  const gains = [{ agentId: 'reader', ...gain, oddsRatio }];
  const shown = { ...measured, rates: [], gains, caution: null };
  expect(gainLines({ gains: [] }, VIEW)).toEqual([]);
  expect(evaluationText(shown, VIEW)).toContain(
    '\nReader: Pass@1 37.5 % before training, 62.5 % after: 25.0 percentage points more (95 % interval −25.0 to 75.0, paired over 2 problems; odds ratio 1.00 [0.13, ∞]). The interval includes 0: no gain or loss is shown.\n',
  );
  expect(beforeAfterCsv(shown).replaceAll('\r', '').trim().split('\n')).toEqual([
    'agent,problem,before,after,difference,low,high,odds_ratio,odds_ratio_low,odds_ratio_high',
    'reader,p,0.25,1,0.75,,,,,',
    'reader,q,0.5,0.25,-0.25,,,,,',
    'reader,mean,0.375,0.625,0.25,-0.25,0.75,1,0.125,inf',
  ]);
});

test('a plan of language models begins with hours and memory', () => {
  const expected = ['Takes 1 to 3 hours.', 'Memory: about 4 GB of the machine.'];
  const rest = {
    commandLine: 'exec train',
    gpus: 0,
    notes: [],
    problems: [],
    checks: [],
    estimateSeconds: null,
  };
  expect(planText({ ...rest, expected })).toBe(
    'Takes 1 to 3 hours.\nMemory: about 4 GB of the machine.\n\nexec train\n\n',
  );
});

test('a plan shows the command first and what is wrong last', () => {
  const text = planText({
    commandLine: 'exec train',
    gpus: 8,
    notes: ['A note.'],
    problems: ['Too few GPUs.'],
    checks: [{ id: 'disk', title: 'Disk', state: 'bad', found: 'Full.', todo: 'Delete.' }],
    estimateSeconds: null,
  });
  expect(text).toBe(
    'exec train\n\nGPUs: 8\nHow long it takes is known once one like it has run.\n- A note.\nBAD  Disk: Full.\n     Delete.\nProblem: Too few GPUs.\n',
  );
});

test('a plan shows the set-up and the variables that the command gets, values as a shell would take them', () => {
  const rest = { gpus: 0, notes: [], problems: [], checks: [], estimateSeconds: null };
  const setUp = ['module load cuda', ...Array.from({ length: 12 }, (_, at) => `line ${at}`)].join('\n');
  const text = planText({ ...rest, commandLine: 'exec train', setUp, env: { A: '1', B: 'x y' } });
  expect(text).toMatch(/^Set-up, runs first:\n {2}module load cuda\n {2}line 0\n/);
  expect(text).toContain(
    "  ... and 1 more (all of them: --json)\nVariables:\n  A=1\n  B='x y'\n\nCommand:\nexec train\n",
  );
});

test('a start that would check the machine without a plan is refused: it would start a training', async () => {
  const typed = await typeCommand(ASKS_NOTHING, 'trainings', 'start', 'recipe', 'ours', '--probe');
  expect(typed).toMatchObject({ code: 2, err: expect.stringMatching(/--probe goes with --plan/) });
});

test('the settings name every flag with its value in the preset', () => {
  const text = settingsText('multi');
  for (const { name } of MARTI_FLAGS) expect(text).toContain(`  ${name} (`);
  expect(text).toContain('train_batch_size (8)');
  expect(text).toContain('eps_clip (not passed: 0.2)');
});

test('values and seeds make an experiment of every combination, which a plan counts', async () => {
  const asked: Array<readonly [string, unknown]> = [];
  const plan = { commandLine: 'train', gpus: 2, notes: [], problems: [], checks: [], estimateSeconds: 600 };
  const host = {
    call: async (name: string, payload: unknown) => {
      asked.push([name, payload]);
      return name === 'training.plan'
        ? ({ ok: true, value: plan } as never)
        : ({ ok: false, error: { code: 'conflict', message: 'Not today.' } } as never);
    },
    events: new Emitter<WorkbenchEvent>(),
  };
  const words = ['--sweep', 'rate=0.03,0.1', '--sweep', 'objective.shaping.strength=0,0.5', '--seeds', '1-3'];
  const planned = await typeCommand(host, 'trainings', 'plan', 'pocket', ...words);
  expect(planned.out).toContain(
    '12 trainings: 4 rows × 3 seeds (1, 2, 3), each evaluated on 100 test problems, N = 60.',
  );
  expect(planned.out).toContain('  Peak learning rate 0.1, Reward shaping: Strength γ 0\n');
  expect(planned.out).toContain('About 2.0 h of training in all');
  expect(planned.out).toContain('Each takes 2 GPUs; on Slurm they are one job array.');
  expect(asked.map(([name]) => name)).toEqual(['training.plan']);
  await typeCommand(host, 'trainings', 'start', 'pocket', ...words);
  const [name, request] = asked.at(-1) ?? [];
  expect(name).toBe('experiment.start');
  expect(experimentRequestSchema.parse(request).rows.map(({ change }) => change.rate)).toEqual([
    undefined,
    undefined,
    0.1,
    0.1,
  ]);
  for (const [wrong, message] of [
    ['rate', 'FIELD=VALUE,VALUE'],
    ['evaluation.problems=1,2', 'cannot take several values. These can: method, updates'],
    ['batch=8,x', '"batch": a whole number from 2'],
    ['rate=0.1,0.10', 'the value 0.10 twice'],
  ] as const) {
    const refused = await typeCommand(host, 'trainings', 'start', 'pocket', '--sweep', wrong);
    expect(refused).toMatchObject({ code: 2 });
    expect(refused.err).toContain(message);
  }
  const many = ['--sweep', 'nodes=2,3,4,5,6', '--seeds', '1-50'];
  expect((await typeCommand(host, 'trainings', 'start', 'pocket', ...many)).err).toContain(
    '5 rows × 50 seeds are 250 trainings; an experiment has at most 200.',
  );
});

const RECIPE = recipeSchema.parse({
  id: 'ours',
  name: 'Ours',
  homepage: 'https://trainer.example/docs',
  about: '',
  fields: [
    { name: 'model', label: 'Model', kind: 'text' },
    { name: 'batch', label: 'Batch', kind: 'number', default: '8' },
    { name: 'out', label: 'Output', kind: 'path', default: '/runs' },
  ],
  command: ['train', '{model}', '--batch={batch}', '--out={out}'],
  log: null,
  tensorboard: null,
  keys: {},
  checkpoints: '{out}',
});
const ON_MARTI = [
  ...['marti', '--preset', 'single', '--agent', '/models/m', '--name', 'Mine'],
  ...['--checkout', '/opt/MARTI', '--dataset', '/data', '--out', '/runs'],
];

/** Plans everything, and starts what it is asked to. */
function labHost(asked: Array<readonly [string, unknown]>) {
  const plan = { commandLine: 'train', gpus: 2, notes: [], problems: [], checks: [], estimateSeconds: 3_600 };
  const trainings = [{ ...VIEW, id: '11111111-a', name: 'Mine, seed 1' }];
  const refused = [{ name: 'Mine, seed 2', message: 'The disk is full.' }];
  const answers: Readonly<Record<string, unknown>> = {
    'training.plan': plan,
    'training.startMany': { trainings, refused },
    'recipe.list': { recipes: [RECIPE], problems: [] },
  };
  return {
    call: async (name: string, payload: unknown) => {
      asked.push([name, payload]);
      return { ok: true, value: answers[name] } as never;
    },
    events: new Emitter<WorkbenchEvent>(),
  };
}

test('values and seeds of MARTI are trainings, planned one by one, with the first in full', async () => {
  const asked: Array<readonly [string, unknown]> = [];
  const sweep = ['--sweep', 'max_epochs=1,2', '--seeds', '1-3'];
  const planned = await typeCommand(labHost(asked), 'trainings', 'start', ...ON_MARTI, ...sweep, '--plan');
  expect(planned.code).toBe(0);
  expect(planned.out).toContain(
    '6 trainings, one for every combination of values and seeds, each in a folder of its own:\n  Mine, max_epochs 1, seed 1\n',
  );
  expect(planned.out).toContain('About 6.0 h of training in all');
  expect(planned.out).toContain('The first takes 2 GPUs. They wait for free GPUs; on a Slurm cluster');
  expect(planned.out).toContain('A table compares the evaluations that they log, over their seeds');
  expect(asked.map(([name]) => name)).toEqual(Array.from({ length: 6 }, () => 'training.plan'));
});

test('they are started together, and one that was not is said', async () => {
  const asked: Array<readonly [string, unknown]> = [];
  const started = await typeCommand(labHost(asked), 'trainings', 'start', ...ON_MARTI, '--seeds', '1,2');
  expect(asked).toMatchObject([
    [
      'training.startMany',
      {
        requests: [1, 2].map((seed) => ({
          name: `Mine, seed ${seed}`,
          spec: { flags: { seed }, output: `/runs/seed-${seed}` },
        })),
      },
    ],
  ]);
  expect(started.code).toBe(1);
  expect(started.out).toContain('Mine, seed 1');
  expect(started.err).toContain('"Mine, seed 2" was not started: The disk is full.');
  expect(started.err).toContain('1 training started.');
  expect(started.err).toContain('mars2 trainings sweep');
});

test('a recipe is asked for what can vary, and wrong settings and seeds are named', async () => {
  const asked: Array<readonly [string, unknown]> = [];
  const host = labHost(asked);
  const words = ['trainings', 'start', 'recipe', RECIPE.id, '--set', 'model=/m'];
  for (const [more, message] of [
    [['--sweep', 'rate=1'], '--sweep: "rate" cannot take several values. These can: model, batch.'],
    [['--sweep', 'batch=8,x'], '--sweep: "Batch" must be a number, not "x".'],
    [['--seeds', '1-2'], '--seeds: "seed" cannot take several values. These can: model, batch.'],
    [['--sweep', 'batch=8', '-f'], '-f follows one training'],
  ] as const) {
    const refused = await typeCommand(host, ...words, ...more);
    expect(refused).toMatchObject({ code: 2 });
    expect(refused.err).toContain(message);
  }
  expect(asked.map(([name]) => name)).not.toContain('training.startMany');
});

test('a stop says at once that it may take a while', async () => {
  const call = async (name: string) =>
    ({ ok: true, value: name === 'training.list' ? [VIEW] : VIEW }) as never;
  const { err } = await typeCommand(
    { call, events: new Emitter<WorkbenchEvent>() },
    'trainings',
    'stop',
    VIEW.id,
  );
  expect(err).toContain(`Stopping "${VIEW.name}".`);
});

test('a training goes to the trash, and the command says what uses it and what brings it back', async () => {
  const asked: unknown[] = [];
  const view = { id: 'one', name: 'One', machineId: 'gpu1', spec: { kind: 'pocket' } };
  const lists: Record<string, unknown> = {
    'training.list': [view],
    'training.trash': [{ trainingId: 'one', name: 'One', machineId: 'gpu1', createdAt: '', bytes: 1 }],
    'experiment.list': [{ order: { name: 'Five' }, trainings: [{ trainingId: 'one' }] }],
    'exhibit.list': { exhibits: [] },
    'launch.list': [{ id: 'launch', weights: '/home/me/trainings/one/checkpoints/a-1' }],
    'study.list': [
      {
        study: {
          name: 'Search',
          runs: [{ team: { servers: [{ kind: 'launch', launchId: 'launch' }] } }],
        },
      },
    ],
  };
  const call = async (name: string, payload: unknown) => {
    asked.push([name, payload]);
    return { ok: true, value: lists[name] ?? null } as never;
  };
  const host = { call, events: new Emitter<WorkbenchEvent>() };
  expect((await typeCommand(host, 'trainings', 'remove', 'one')).err).toBe(
    [
      'one is in the trash: mars2 trainings restore one brings it back.',
      'Its files on gpu1 stay there.',
      'Used by the experiment "Five", the study "Search". Their results stay, and its checkpoints can be used until they are deleted for good.',
      '',
    ].join('\n'),
  );
  expect((await typeCommand(host, 'trainings', 'restore', 'one')).err).toContain('one is back');
  expect((await typeCommand(host, 'trainings', 'delete', 'one', '--checkpoints')).err).toBe(
    [
      '"One" with its checkpoints would be deleted for good: its curves, rollouts and log.',
      'To delete it: mars2 trainings delete one --checkpoints --yes',
      '',
    ].join('\n'),
  );
  expect(JSON.stringify(asked)).not.toContain('training.delete');
  expect((await typeCommand(host, 'trainings', 'delete', 'one', '--yes')).err).toBe(
    'Deleted "One" for good; its checkpoints stay, and so do its files on gpu1.\n',
  );
  expect(asked).toContainEqual(['training.delete', { trainingId: 'one', checkpoints: false }]);
  expect((await typeCommand(host, 'trainings', 'list', '--removed')).out).toBe('one  removed  One\n');
  lists['training.list'] = [];
  expect((await typeCommand(host, 'trainings', 'show', 'one')).err).toContain('it is in the trash');
});
