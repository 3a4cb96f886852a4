import { NO_AMOUNT } from '../../main/plans/logic/costs';
import type { StepNote } from '../../main/plans/logic/plan-record';
import { newRecord, type Reproduction } from '../../main/plans/logic/reproductions/record';
import type { PlannedServer, StepWork } from '../../main/plans/logic/reproductions/work';
import type { PlanStep, ReproductionPlan } from '../../preload/contract';
import { reproductionRequestSchema, trainingRequestSchema } from '../../preload/contract';
import { tinyExhibit } from './tiny-exhibit';

const SEARCH = tinyExhibit().scales.pocket?.search;

function step(id: string, needs: string[] = [], more: Partial<PlanStep> = {}): PlanStep {
  const kind = id.split(':')[0] as PlanStep['kind'];
  return {
    id,
    kind,
    title: id,
    detail: '',
    needs,
    configurations: [],
    seed: 11,
    machineId: null,
    wave: 0,
    reuse: null,
    missing: [],
    estimate: { seconds: 10, gpuSeconds: 0, tokens: 100 },
    ...more,
  };
}

function server(id: string): PlannedServer {
  return {
    id,
    modelId: id,
    method: 'grpo',
    trainedWith: [id],
    seed: 11,
    weights: { kind: 'training', stepId: `train:${id}`, agentId: 'weak' },
    place: { kind: 'pocket', family: 'weak', machineId: 'local' },
  };
}

/** Two models, a and b: each trained and served; a alone in the first wave, both together in the second. */
export function sampleReproduction(notes: Readonly<Record<string, Partial<StepNote>>> = {}): Reproduction {
  if (SEARCH === undefined) throw new Error('The exhibit has a pocket scale');
  const steps = [
    step('train:a'),
    step('train:b'),
    step('serve:a', ['train:a']),
    step('serve:b', ['train:b'], { wave: 1 }),
    step('search:a', ['serve:a']),
    step('search:ab', ['serve:a', 'serve:b'], { wave: 1 }),
    step('grade:a', ['search:a']),
    step('grade:ab', ['search:ab'], { wave: 1 }),
    step('metrics:a', ['grade:a']),
    step('metrics:ab', ['grade:ab']),
    step('cell:base.pass-1', ['metrics:a']),
    step('cell:team.pass-1', ['metrics:ab']),
  ];
  const training = (id: string): StepWork => ({
    kind: 'train',
    models: [id],
    trainingId: null,
    order: trainingRequestSchema.parse({
      name: `Train ${id}`,
      machineId: 'local',
      spec: { kind: 'pocket', method: 'grpo', families: ['weak'], seed: id === 'a' ? 1 : 2 },
    }),
  });
  const search = (members: string[], configurationId: string): StepWork => ({
    kind: 'search',
    configurationId,
    configuration: configurationId,
    seed: 11,
    members,
    servers: members.map(server),
    maxTokens: 2_048,
    problems: { kind: 'pocket', split: 'test', seed: 1, count: 4, first: 4 },
    search: SEARCH,
    run: null,
  });
  const work = new Map<string, StepWork>([
    ['train:a', training('a')],
    ['train:b', training('b')],
    ['serve:a', { kind: 'serve', server: server('a'), untilWave: 1 }],
    ['serve:b', { kind: 'serve', server: server('b'), untilWave: 1 }],
    ['search:a', search(['a'], 'base')],
    ['search:ab', search(['a', 'b'], 'team')],
    ['grade:a', { kind: 'grade', configurationId: 'base', seed: 11, searchStepId: 'search:a' }],
    ['grade:ab', { kind: 'grade', configurationId: 'team', seed: 11, searchStepId: 'search:ab' }],
    [
      'metrics:a',
      { kind: 'metrics', configurationId: 'base', searchStepIds: ['search:a'], diversity: false },
    ],
    [
      'metrics:ab',
      { kind: 'metrics', configurationId: 'team', searchStepIds: ['search:ab'], diversity: false },
    ],
    [
      'cell:base.pass-1',
      { kind: 'cell', key: 'base.pass-1', configurationId: 'base', trainStepIds: ['train:a'] },
    ],
    [
      'cell:team.pass-1',
      { kind: 'cell', key: 'team.pass-1', configurationId: 'team', trainStepIds: ['train:a', 'train:b'] },
    ],
  ]);
  const request = reproductionRequestSchema.parse({ exhibitId: 'tiny', scale: 'pocket' });
  const plan: ReproductionPlan = {
    order: request,
    exhibitDigest: 'digest',
    steps,
    estimate: NO_AMOUNT,
    diskBytes: null,
    modelLoads: 2,
    missing: [],
    notes: [],
  };
  const record = newRecord(
    { id: 'r1', exhibit: tinyExhibit(), request, createdAt: '2026-01-01T00:00:00.000Z' },
    plan,
    work,
  );
  const changed = Object.entries(notes).map(([id, note]): [string, StepNote] => [
    id,
    { ...(record.notes[id] as StepNote), ...note },
  ]);
  return {
    record: { ...record, notes: { ...record.notes, ...Object.fromEntries(changed) } },
    plan,
    work,
    unmeasured: new Map(),
  };
}

export const DONE = { state: { kind: 'done', reused: false } } as const;
export const FAILED = { state: { kind: 'failed', message: 'It broke.', hint: null } } as const;
