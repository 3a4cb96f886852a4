import { expect, test } from 'vitest';
import {
  jobNotice,
  notifyAlarms,
  notifyExperimentEnds,
  notifyRestarts,
  notifyStudyEnds,
} from '../../../main/app/notices';
import { Emitter } from '../../../main/base';
import {
  type ExperimentView,
  jobViewSchema,
  pocketTrainingSchema,
  type ServerView,
  type StudyState,
  type StudyView,
  type TrainingView,
  type WorkbenchEvent,
} from '../../../preload/contract';
import { sampleLaunchedServers } from '../../support/sample-jobs';
import { sampleStudy } from '../../support/sample-study';

const viewIn = (state: StudyState): StudyView => ({
  study: sampleStudy({ name: 'Sample' }),
  state,
  hues: [0],
  progress: {
    nodesDone: 0,
    nodesTotal: 1,
    gradedDone: 0,
    problemsDone: 0,
    problemsTotal: 1,
    elapsedMs: 0,
    remainingMs: null,
  },
  warnings: [],
  finishedAt: null,
});

test('the end of a running study is announced once; a pause is not', () => {
  const events = new Emitter<WorkbenchEvent>();
  const sent: string[] = [];
  const bodies: string[] = [];
  events.on((event) => {
    if (event.kind !== 'notification') return;
    sent.push(`${event.about} ${event.title}`);
    bodies.push(event.body);
  });
  let isPart = false;
  notifyStudyEnds(events, () => isPart);
  const change = (state: StudyState) => events.emit({ kind: 'study-changed', view: viewIn(state) });
  change({ kind: 'finished' });
  change({ kind: 'running' });
  change({ kind: 'paused' });
  change({ kind: 'running' });
  change({ kind: 'finished' });
  change({ kind: 'finished' });
  change({ kind: 'running' });
  change({ kind: 'failed', message: 'The disk is full.' });
  expect(sent).toEqual(['done Sample is finished', 'failed Sample has stopped']);
  // The progress counts a problem once for each run that searches it.
  expect(bodies[0]).toBe('0 searches done.');
  isPart = true;
  change({ kind: 'running' });
  change({ kind: 'finished' });
  expect(sent).toHaveLength(2);
  change({ kind: 'running' });
  change({ kind: 'failed', message: 'The disk is full.' });
  expect(sent.at(-1)).toBe('failed Sample has stopped');
});

const TRAINING: TrainingView = {
  id: 't1',
  name: 'Two readers',
  machineId: 'local',
  jobId: 'j1',
  spec: pocketTrainingSchema.parse({ kind: 'pocket', method: 'rs2', families: ['reader'] }),
  scale: 'pocket',
  title: 'RS², reader',
  agents: [{ id: 'reader', name: 'reader' }],
  state: { kind: 'running', pid: 1 },
  stage: null,
  createdAt: '2026-01-01T00:00:00.000Z',
  startedAt: null,
  endedAt: null,
  step: 0,
  steps: null,
  secondsLeft: null,
  latest: [],
  alarms: [],
  experimentId: null,
};

const JOB = jobViewSchema.parse({
  id: 'j1',
  machineId: 'local',
  name: 'Two readers',
  purpose: 'training',
  commandLine: 'true',
  setUp: '',
  cwd: null,
  resources: {},
  retry: {},
  state: { kind: 'exited', code: 0, endedAt: '2026-01-01T00:00:00.000Z' },
  createdAt: '2026-01-01T00:00:00.000Z',
  startedAt: null,
  endedAt: null,
  attempts: 1,
  gpuIds: [],
  slurmId: null,
  lastOutputAt: null,
  logBytes: 0,
  timeline: [],
});

test('the notice of a training leads to the training; a training of an experiment sends none when it is done', () => {
  expect(jobNotice({ about: 'done', job: JOB }, 'here', null)).toMatchObject({ path: '/jobs/j1' });
  expect(jobNotice({ about: 'done', job: JOB }, 'here', TRAINING)).toMatchObject({ path: '/training/t1' });
  const part = { ...TRAINING, experimentId: 'e1' };
  expect(jobNotice({ about: 'done', job: JOB }, 'here', part)).toBeNull();
  expect(jobNotice({ about: 'failed', job: JOB }, 'here', part)).toMatchObject({ about: 'failed' });
});

test('the notice of a failed server that restarts by itself is replaced by how that went', () => {
  const change = new Emitter<readonly ServerView[]>();
  const events = new Emitter<WorkbenchEvent>();
  const sent: WorkbenchEvent[] = [];
  events.on((event) => sent.push(event));
  let isRestarting = true;
  const watch = notifyRestarts(
    { onChange: (listener) => change.on(listener), isRestarting: () => isRestarting },
    events,
  );
  const failure = jobNotice({ about: 'failed', job: JOB }, 'here', null, true);
  if (failure === null) throw new Error('no notice');
  expect(failure.body).toContain('It is started again by itself.');
  const [sample] = sampleLaunchedServers();
  if (sample === undefined) throw new Error('no server');
  const enter = (state: ServerView['state']) => change.emit([{ ...sample, jobId: JOB.id, state }]);

  watch(failure, JOB);
  enter({ kind: 'failed', message: 'It ended.', hint: 'Restarts in 1 s.' });
  expect(sent).toEqual([]);
  isRestarting = false;
  enter({ kind: 'ready', baseUrl: 'http://127.0.0.1:1/v1' });
  expect(sent).toMatchObject([{ about: 'done', key: failure.key, title: `${JOB.name} runs again` }]);
  // What happens later has notices of its own.
  enter({ kind: 'failed', message: 'It ended.' });
  expect(sent).toHaveLength(1);

  watch(failure, JOB);
  enter({ kind: 'failed', message: 'It ended.', hint: 'It was restarted 2 times.' });
  expect(sent[1]).toMatchObject({
    about: 'failed',
    key: failure.key,
    body: 'It ended. It was restarted 2 times.',
  });
});

test('the end of a running experiment is announced once; a pause is not', () => {
  const events = new Emitter<WorkbenchEvent>();
  const sent: string[] = [];
  events.on(
    (event) => event.kind === 'notification' && sent.push(`${event.about} ${event.title} ${event.body}`),
  );
  notifyExperimentEnds(events);
  const change = (state: ExperimentView['state']) =>
    events.emit({
      kind: 'experiment-changed',
      experiment: {
        id: 'e1',
        order: {
          name: 'Five',
          rows: [{ label: 'RS²', method: 'rs2', families: ['reader'], change: {} }],
          seeds: [1],
          training: {},
        },
        state,
        createdAt: '2026-01-01T00:00:00.000Z',
        endedAt: null,
        done: 1,
        total: 2,
        secondsLeft: null,
        trainings: [],
      },
    });
  change({ kind: 'done' });
  change({ kind: 'running' });
  change({ kind: 'paused' });
  change({ kind: 'running' });
  change({ kind: 'done' });
  change({ kind: 'running' });
  change({ kind: 'failed', message: 'The disk is full.' });
  expect(sent).toEqual([
    'done Five is done 1 of 2 trainings are done.',
    'failed Five is done, except for failed trainings 1 of 2 trainings are done. The disk is full.',
  ]);
});

test('an alarm of a training is announced once while it lasts, and again when it comes back', () => {
  const events = new Emitter<WorkbenchEvent>();
  const sent: string[] = [];
  events.on((event) => event.kind === 'notification' && sent.push(`${event.body} ${event.path}`));
  notifyAlarms(events);
  const alarm = { kind: 'nan', agentId: 'reader', message: 'The loss is no number.', step: 3 } as const;
  const change = (alarms: TrainingView['alarms']) =>
    events.emit({ kind: 'training-changed', training: { ...TRAINING, alarms } });
  change([alarm]);
  change([{ ...alarm, message: 'The loss is still no number.' }]);
  change([]);
  change([alarm]);
  expect(sent).toEqual(['The loss is no number. /training/t1', 'The loss is no number. /training/t1']);
});
