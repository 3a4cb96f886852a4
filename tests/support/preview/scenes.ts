import { otherVersionText } from '../../../main/app/logic/other-version';
import type { Refusal, StudyView, StudyWarning, WorkbenchEvent } from '../../../preload/contract';
import {
  DAMAGED_STUDY,
  GONE_STUDY,
  SAMPLE_EXHIBITS,
  sampleExhibit,
  sampleReproduction,
} from '../sample-exhibits';
import { sampleExperiment } from '../sample-experiments';
import { busyLab } from '../sample-jobs';
import { madeUpLog } from '../sample-logs';
import {
  busyMachines,
  GPU_MACHINE,
  machineAtLogin,
  SAMPLE_FORWARDS,
  THIS_COMPUTER,
} from '../sample-machines';
import { sampleRegrade } from '../sample-regrade';
import { orderedTraining, orderedWithWriter } from '../sample-requests';
import { sampleHeadline, sampleStudy } from '../sample-study';
import { FIGURE_TRAININGS, TRAINED_FIGURE } from '../sample-trained-figure';
import { sampleExperiments, sampleModelTraining, sampleTrainings } from '../sample-trainings';
import { SAMPLE_SERVICE, type SampleOptions } from '../sample-workbench';
import { ablationStudy, largeStudy, manyRuns, withOddities } from './sample-variants';

const MINUTE = 60_000;

function other(id: string, name: string, minutesAgo: number, state: StudyView['state']): StudyView {
  const at = new Date(Date.now() - minutesAgo * MINUTE).toISOString();
  const done = state.kind === 'finished';
  const study = sampleStudy({ id, name, createdAt: at });
  return {
    study,
    state,
    hues: [0, 1, 2],
    progress: {
      nodesDone: done ? 5_520 : 1_840,
      nodesTotal: 5_520,
      gradedDone: done ? 5_520 : 1_500,
      problemsDone: done ? 180 : 50,
      problemsTotal: 180,
      elapsedMs: done ? 141_000 : 52_000,
      remainingMs: null,
    },
    warnings: [],
    finishedAt: done ? at : null,
    ...(done && { headline: sampleHeadline(study) }),
  };
}

const REGRADED = sampleStudy({ problems: 24, seeds: [1, 2] });

const OTHERS: readonly StudyView[] = [
  other('old-1', 'Quickstart, yesterday', 1_500, { kind: 'finished' }),
  other('old-2', 'HumanEval, CodeGen-16B against gpt-3.5', 4_400, { kind: 'finished' }),
  other('old-3', 'HumanEval, repeated sampling', 180, {
    kind: 'failed',
    message: 'The recording codegen-16b has no samples for 3 of 164 problems.',
    hint: 'Import the complete file: mars2 recordings import samples.jsonl.gz --benchmark humaneval',
    cause: 'file',
  }),
  other('old-4', 'Quickstart, latency 200 ms', 400, { kind: 'paused' }),
];

const MISSING = {
  message:
    'The results of "Quickstart" are missing: its journals are not in /data/lab/mars2-workbench/studies/study-1.',
  hint: 'Put the folder back there, or restore it from a backup. Everything is then as before.',
};

const UNPARSED: Refusal = {
  code: 'bad-input',
  message:
    '/home/lab/strings.jsonl was not imported: it has tests that Python cannot parse, so no program can pass them: line 3 of strings.jsonl, problem "strip", private test 2: invalid syntax (line 1 of the test); line 7 of strings.jsonl, problem "pad", public test 1: \'(\' was never closed (line 4 of the test).',
  hint: 'Correct the tests. To import the file all the same, with these problems marked and left out of new studies, press Import anyway; in a terminal, add --mark-unparsed.',
  cause: 'tests',
};

type Progress = Extract<WorkbenchEvent, { kind: 'progress' }>;

function progressOf(
  task: Progress['task'],
  activity: string,
  done: number,
  total: number,
  unit: Progress['unit'],
  secondsLeft: number,
): Progress {
  return { kind: 'progress', task, activity, done, total, unit, secondsLeft };
}

/** As many as a lab gathers in a year; a few have notes. */
function manyStudies(): StudyView[] {
  const names = ['HumanEval, CodeGen-16B', 'LiveCodeBench v6, team', 'Quickstart', 'T+ without feedback'];
  const states: readonly StudyView['state'][] = [
    { kind: 'finished' },
    { kind: 'finished' },
    { kind: 'paused' },
    { kind: 'interrupted' },
  ];
  return Array.from({ length: 500 }, (_, at) => ({
    ...other(
      `many-${at}`,
      at % 7 === 0 ? `Study ${499 - at}` : `${names[at % names.length]} ${499 - at}`,
      100 + at * 700,
      states[at % states.length] ?? { kind: 'finished' },
    ),
    ...(at % 5 === 2 ? { tags: ['ablation', ...(at % 10 === 2 ? ['paper'] : [])] } : {}),
    ...(at % 6 === 0 ? { note: 'Seeds 11 to 15; temperature 0.8 instead of 1, as in the appendix.' } : {}),
  }));
}

const WARNINGS: StudyWarning[] = [
  [
    'single',
    'cut-answers reader',
    '131 of 412 answers of reader were cut off at the token limit. Raise its maximum (now 2048).',
  ],
  [
    'homogeneous',
    'failed-calls reader-refiner',
    "12 requests to reader-refiner failed. The last error: The server closed the connection. Failed requests use no budget; check its server's log if more follow.",
  ],
  [
    'homogeneous',
    'equal-programs reader-solver',
    'In 22 of 30 trees all programs of reader-solver are equal. Raise its temperature (now 0), or check that its server uses the seed.',
  ],
  [
    'heterogeneous',
    'failed-calls tracer',
    "All 9 calls of tracer failed. The last error: Connection refused. Pause the study and check its server's log and address.",
  ],
].map(([configuration = '', about = '', text = '']) => ({
  id: `${configuration}: ${about}`,
  configuration,
  text,
}));

const DAMAGED = {
  message:
    'The journal /home/lab/.local/share/mars2-workbench/studies/study-1/study-1.homogeneous.1.jsonl is damaged at line 2,113: its check sum does not fit. What is before it is shown.',
  hint: 'Repair it, then resume the study: what is missing is searched again.',
  repairable: true,
};

/** `events`: what main says once the window is there. */
type Scene = SampleOptions & { readonly events?: readonly WorkbenchEvent[] };

/** A window beside a service of another version, with what it says at first. */
function besideService(
  version: string,
  otherWindow: { readonly version: string; readonly isOlder: boolean },
): Scene {
  const own = { version: otherWindow.version, name: 'this window' };
  const message = otherVersionText({ kind: 'service', version }, own, null) ?? '';
  return {
    service: { ...SAMPLE_SERVICE, kind: 'service', version, otherWindow },
    events: [{ kind: 'notice', level: 'warning', message, upgradesService: !otherWindow.isOlder }],
  };
}

/** What there is to look at, by name. */
export const SCENES: Readonly<Record<string, Scene>> = {
  first: { played: 'empty' },
  'no-sandbox': {
    played: 'empty',
    sandboxProblem: 'bubblewrap is not installed. Type:\n  sudo apt-get install bubblewrap',
  },
  // Settings name a program that is no Python.
  'no-python': {
    sandboxProblem:
      'Programs cannot be graded: /bin/ls is not a Python 3.9 or later that starts. Name another one under Settings, Grading, or none: then the best that is found grades.',
    pythonIsAtFault: true,
    grader: null,
  },
  unplanned: {
    played: 'empty',
    refuse: {
      'quickstart.plan': {
        code: 'unavailable',
        message: 'Python 3 was not found.',
        hint: 'apt-get install python3',
      },
    },
  },
  preparing: { played: 0, state: { kind: 'preparing', step: 'pre-training reader' } },
  early: { played: 0.04 },
  running: { played: 0.55, others: OTHERS },
  'long-name': {
    played: 0.55,
    study: {
      ...sampleStudy({ problems: 60, seeds: [1] }),
      name: `${'Every configuration, '.repeat(12)}again`,
    },
  },
  seeds: { played: 0.6, seeds: [1, 2], problems: 164 },
  finished: { others: OTHERS },
  'import-refused': { refuse: { 'import.chooseBenchmark': UNPARSED } },
  extended: {
    study: {
      ...sampleStudy({ problems: 24, seeds: [1, 2] }),
      extensions: [
        {
          at: '2026-01-12T14:02:00.000Z',
          ...{ afterResults: true, seeds: [2], problems: 12, nodes: { before: 12, since: 24 } },
          configurations: ['heterogeneous'],
        },
      ],
    },
  },
  // Graded again with corrected tests, which count.
  regraded: {
    study: {
      ...REGRADED,
      regrades: [
        sampleRegrade(REGRADED, 'regrade-1', REGRADED.runs[0]?.benchmarkId ?? ''),
        sampleRegrade(REGRADED, 'regrade-2', 'pocket-test-1-fixed'),
      ],
      countedRegrade: 'regrade-2',
    },
  },
  // Small language models have answered.
  desk: { study: { ...sampleStudy(), scale: 'desk' }, played: 1 },
  // As of a benchmark with dates, and models whose cut-off somebody has set, but for one.
  dated: {
    dated: true,
    settings: { modelCutoffs: { 'pocket-reader-base': '2025-02' } },
  },
  priced: {
    others: OTHERS,
    settings: { prices: { currency: 'EUR', perGpuHour: 2.5, perMillionTokens: null } },
  },
  failed: {
    played: 0.3,
    state: {
      kind: 'failed',
      message: 'The server pocket-tracer-base ended with exit code 1 while 3 requests were in flight.',
      hint: 'See its log under Servers. Resume continues from the saved results.',
    },
    warnings: WARNINGS.slice(0, 2),
  },
  queued: {
    played: 0,
    state: { kind: 'queued', behind: 'RS² on 60 problems', where: 'on this computer' },
  },
  interrupted: { played: 0.3, state: { kind: 'interrupted' } },
  pausing: { played: 0.3, state: { kind: 'pausing' } },
  unreadable: {
    refuse: {
      'study.list': {
        code: 'internal',
        message: 'The registry of this data folder is damaged: registry.json ends in the middle of a value.',
        hint: 'The copy before it is registry.json.bak; put it in its place and start again.',
      },
      'run.events': { code: 'internal', message: 'The journal ends in the middle.' },
    },
  },
  refusing: {
    played: 0.5,
    refuse: {
      'study.pause': {
        code: 'internal',
        message: 'The study could not be paused: the disk is full.',
        hint: 'df -h',
      },
      'study.analysis': { code: 'internal', message: 'The journal of one run could not be read.' },
      'comparison.read': {
        code: 'internal',
        message: 'The journal of single, seed 1 could not be read: permission denied.',
        hint: 'ls -l ~/.local/share/mars2-workbench/studies',
      },
      'node.read': { code: 'internal', message: 'The journal has no line for this node.' },
    },
  },
  // A thunk each, where making it up takes a while.
  get large() {
    return { study: largeStudy(), played: 0.7 };
  },
  // Without the analysis, which in this sample would be made in the page itself.
  get 'large-squares'() {
    return {
      study: largeStudy(),
      played: 0.7,
      refuse: { 'study.analysis': { code: 'unavailable' as const, message: 'Left out of this scene.' } },
    };
  },
  get 'large-finished'() {
    return { study: largeStudy() };
  },
  get ablation() {
    return {
      study: ablationStudy(new Date(Date.now() - 90_000).toISOString()),
      change: withOddities,
      differingVerdicts: 12,
    };
  },
  'under-way': {
    underWay: {
      'comparison.read': progressOf('comparison', 'reading runs', 412, 500, 'runs', 3.4),
      'bundle.choose': progressOf('bundle-writing', 'packing journals', 1.31e9, 4.86e9, 'bytes', 74),
      'bundle.chooseOpen': progressOf('bundle-opening', 'checking files', 3.9e9, 4.87e9, 'bytes', 21),
    },
  },
  'report-troubled': {
    played: 0.3,
    refuse: {
      'bundle.contents': {
        code: 'conflict',
        message: '"Quickstart" is running, and its journals would change while they are packed.',
        hint: 'Pause it first, or wait until it is done.',
      },
    },
    diagnosticsProblems: {
      doctor: 'this part did not finish within 60 seconds.',
      log: 'permission denied (EACCES).',
    },
  },
  'report-collecting': {
    played: 0.3,
    underWay: { 'diagnostics.part': progressOf('doctor', 'Ports', 3, 20, 'checks', 9) },
  },
  'bundle-problem': {
    refuse: {
      'benchmark.problem': {
        code: 'unavailable',
        message:
          'Paths in a grid (medium, leetcode, 2024-11-02, 3 public tests). A bundle does not contain statements and tests, which belong to their authors.',
        hint: 'To read them, import LiveCodeBench, v6 in the library under the id livecodebench-v6.',
      },
    },
  },
  warnings: { played: 0.5, warnings: WARNINGS },
  'warnings-finished': { warnings: WARNINGS },
  damaged: {
    played: 0.5,
    state: { kind: 'paused' },
    journalProblems: { 'study-1.homogeneous.1': DAMAGED },
    others: OTHERS,
  },
  'damaged-all': {
    played: 0.5,
    state: { kind: 'interrupted' },
    seeds: [1, 2],
    journalProblems: Object.fromEntries(
      ['single.1', 'single.2', 'homogeneous.1', 'heterogeneous.2'].map((run) => [`study-1.${run}`, DAMAGED]),
    ),
  },
  missing: {
    state: { kind: 'missing', ...MISSING },
    refuse: Object.fromEntries(
      (['study.outcomes', 'study.analysis', 'run.events', 'comparison.read'] as const).map((name) => [
        name,
        { code: 'unavailable', ...MISSING },
      ]),
    ),
  },
  'no-outcomes': {
    refuse: {
      'study.outcomes': {
        code: 'internal',
        message: 'The folder of the study cannot be read: permission denied.',
        hint: 'ls -l ~/.local/share/mars2-workbench/studies',
      },
    },
  },
  'sick-grader': {
    grader: {
      python: '3.11.2',
      isolation: 'sandbox',
      cpuFactor: 1.62,
      problem: 'A program that is right was graded wrong twice: the sandbox has run out of processes.',
    },
  },
  ungraded: { grader: null },
  service: { service: { ...SAMPLE_SERVICE, kind: 'service' } },
  'older-service': besideService('0.0.9', { version: '0.1.0', isOlder: false }),
  'newer-service': besideService('0.2.0', { version: '0.1.0', isOlder: true }),
  'service-there': {
    service: { ...SAMPLE_SERVICE, kind: 'service', host: 'gpu-login', through: 'gpu-login' },
  },
  odd: {
    change: withOddities,
    tests: 'reference',
    differingVerdicts: 1,
    marks: [{ problemId: 'pocket/test/007', reason: 'several right answers', exclude: true }],
  },
  lab: {
    lab: busyLab(),
    settings: { stalledMinutes: 30, webhookUrl: 'https://chat.example.org/hooks/mars2' },
  },
  // 50 MB a second from the opening of the page on, behind 10 GB that were written before.
  get flood() {
    const begun = Date.now();
    const size = (): number => 10_000_000_000 + (Date.now() - begun) * 50_000;
    return { lab: { ...busyLab(), logs: { 'job-huge': madeUpLog(size) } } };
  },
  'lab-refusing': {
    refuse: {
      'job.list': {
        code: 'internal',
        message: 'The records of jobs cannot be read: permission denied.',
        hint: 'ls -l ~/.local/share/mars2-workbench/jobs',
      },
      'launch.list': { code: 'internal', message: 'The registry cannot be read.' },
      'secret.list': {
        code: 'unavailable',
        message: 'There is no key store.',
        hint: 'apt-get install gnome-keyring',
      },
    },
  },
  machines: {
    machines: {
      machines: busyMachines(),
      forwards: SAMPLE_FORWARDS,
      busyMachineId: 'gpu-a',
      terminals: [
        { machineId: 'gpu-a' },
        { machineId: 'gpu-a' },
        { machineId: 'basement', state: 'detached' },
        { machineId: 'local', durable: false },
        { machineId: 'gpu-b', state: 'ended', durable: false },
      ],
    },
  },
  'machines-first': { machines: { machines: [THIS_COMPUTER] }, lab: { jobs: [] } },
  'machines-no-hosts': { machines: { machines: [THIS_COMPUTER], hosts: [] } },
  'machines-asking': {
    machines: {
      machines: [THIS_COMPUTER, GPU_MACHINE, machineAtLogin()],
      terminals: [
        {
          machineId: 'vault',
          isLogin: true,
          durable: false,
          text: "Two-factor login. Questions: it@lab.example\r\nuser1@vault's password: ",
        },
      ],
    },
  },
  'machines-refusing': {
    machines: { machines: busyMachines(), terminals: [] },
    refuse: {
      'machine.list': {
        code: 'internal',
        message: 'The registry of this data folder is damaged.',
        hint: 'The copy before it is registry.json.bak; put it in its place and start again.',
      },
      'terminal.list': { code: 'internal', message: 'The terminals cannot be listed.' },
      'job.usage': {
        code: 'internal',
        message:
          'The ledger /home/lab/.local/share/mars2-workbench/usage/starts.jsonl cannot be read: permission denied.',
        hint: 'Give the file back to your account, then open this screen again.',
      },
    },
  },
  'machine-stubborn': {
    machines: { machines: busyMachines(), terminals: [] },
    refuse: {
      'machine.add': {
        code: 'bad-input',
        message: 'ssh does not accept the name "gpu-a;rm": it is no name that ssh could reach.',
      },
      'machine.room': {
        code: 'unreachable',
        message: 'gpu-a does not answer any more.',
        hint: 'Connect again, then look again.',
      },
      'machine.doctor': {
        code: 'unreachable',
        message: 'gpu-a does not answer any more.',
        hint: 'Connect again, then check again.',
      },
      'terminal.open': {
        code: 'unreachable',
        message: 'gpu-a does not answer any more, so no terminal was opened.',
      },
    },
  },
  get training() {
    const trainings = sampleTrainings();
    return { lab: busyLab(), training: { trainings, experiments: sampleExperiments(trainings) } };
  },
  get experiments() {
    const running = sampleExperiment('five-methods', 27);
    const done = sampleExperiment('ablations', 40, { kind: 'done' });
    const failed = sampleExperiment('three-families', 44, {
      kind: 'failed',
      message: 'Heter-MARS², seed 12: the disk of this computer is full. Make room, then try again.',
    });
    const begun = sampleExperiment('tiny', 0);
    const all = [running, done, failed, begun];
    return {
      lab: busyLab(),
      training: {
        trainings: [
          ...all.flatMap(({ trainings }) => trainings),
          ...(['pocket', 'marti', 'recipe'] as const).map(orderedTraining),
        ],
        experiments: all.map(({ experiment }) => experiment),
      },
    };
  },
  get 'experiments-refusing'() {
    const { experiment, trainings } = sampleExperiment('five-methods', 27);
    return {
      training: { trainings, experiments: [experiment] },
      refuse: {
        'experiment.list': {
          code: 'internal' as const,
          message: 'The folder of experiments cannot be read: permission denied.',
          hint: 'ls -l ~/.local/share/mars2-workbench/experiments',
        },
      },
    };
  },
  get 'experiments-unreadable'() {
    const { experiment, trainings } = sampleExperiment('five-methods', 27);
    return {
      training: { trainings, experiments: [experiment] },
      refuse: {
        'experiment.result': {
          code: 'internal' as const,
          message: 'The evaluation of RS², seed 11 ends in the middle.',
          hint: 'Resume the experiment: what is damaged is trained again.',
        },
      },
    };
  },
  // Curves of ten thousand points each.
  get 'training-model'() {
    const training = sampleModelTraining();
    return {
      lab: busyLab(),
      training: { trainings: [training, orderedTraining('model'), orderedWithWriter()] },
    };
  },
  get 'training-model-done'() {
    const endedAt = new Date().toISOString();
    const state = { kind: 'exited', code: 0, endedAt } as const;
    return {
      lab: busyLab(),
      training: { trainings: [{ ...sampleModelTraining(), step: 40, state, endedAt }] },
    };
  },
  get 'training-long'() {
    const trainings = sampleTrainings();
    return {
      lab: busyLab(),
      training: { trainings, experiments: sampleExperiments(trainings), points: 10_000 },
    };
  },
  'training-refusing': {
    get training() {
      return { trainings: sampleTrainings() };
    },
    refuse: {
      'training.list': {
        code: 'internal',
        message: 'The folder of trainings cannot be read: permission denied.',
        hint: 'ls -l ~/.local/share/mars2-workbench/trainings',
      },
    },
  },
  'training-unreadable': {
    get training() {
      return { trainings: sampleTrainings() };
    },
    refuse: Object.fromEntries(
      (['training.curves', 'training.checkpoints', 'training.rollouts', 'training.evaluation'] as const).map(
        (name) => [
          name,
          {
            code: 'unreachable' as const,
            message: 'gpu1 does not answer, so its files cannot be read now.',
            hint: 'They are read as soon as it answers: connect it under Machines.',
          },
        ],
      ),
    ),
  },
  get many() {
    return { others: manyStudies() };
  },
  get 'many-runs'() {
    return { study: manyRuns() };
  },
  'large-library': { largeLibrary: true },
  'empty-library': { played: 'empty', emptyLibrary: true },
  // Reproductions in every state, one an exhibit.
  get exhibits() {
    return {
      played: 0.55,
      lab: busyLab(),
      exhibits: {
        reuse: true,
        reproductions: [
          sampleReproduction({ exhibitId: 'homogeneous', done01: 0.62 }),
          sampleReproduction({ exhibitId: 'heterogeneous-pass1', done01: 1, minutesAgo: 140 }),
          sampleReproduction({
            exhibitId: 'scaling-law',
            done01: 0.7,
            minutesAgo: 35,
            state: { kind: 'paused' },
          }),
          sampleReproduction({ exhibitId: 'diversity', done01: 1, minutesAgo: 1_500 }),
          sampleReproduction({
            exhibitId: 'mars2-systems',
            done01: 1,
            failedSearch: 5,
            minutesAgo: 300,
            state: { kind: 'failed', message: 'One search failed; everything else is done.' },
          }),
          sampleReproduction({ exhibitId: 'learning-curves', done01: 1, minutesAgo: 2_900 }),
        ],
      },
    };
  },
  // A table of the lab's own of studies at hand.
  get 'exhibits-at-hand'() {
    const from = sampleExhibit('homogeneous');
    const rows = from.rows.slice(0, 3);
    const cells = from.cells.filter(({ row }) => rows.some(({ id }) => id === row));
    const own = {
      ...from,
      ...{ id: 'our-runs', title: 'What we have measured', place: 'Table 1', series: [], claims: [] },
      paper: { title: 'Our next paper', arxiv: null },
      rows: rows.map((row, at) => ({
        ...row,
        label: ['Alone', 'Two roles', 'Trained'][at] ?? row.label,
        group: '',
      })),
      cells: cells.map((cell) => ({ ...cell, reference: [] })),
      configurations: from.configurations
        .filter(({ id }) => cells.some(({ configuration }) => configuration === id))
        .map((one) => ({ ...one, study: { id: 'study-1', configuration: 'single' } })),
      scales: { paper: null, pocket: null },
    };
    return {
      exhibits: { entries: [...SAMPLE_EXHIBITS, { exhibit: own, origin: 'own' as const, digest: 'e5f6' }] },
    };
  },
  // The same where a study is in the trash, a training is gone, and a file has errors.
  get 'exhibits-lacking'() {
    const table = SCENES['exhibits-at-hand']?.exhibits?.entries?.at(-1);
    const broken = SCENES['exhibits-own']?.exhibits?.broken ?? [];
    if (table === undefined) throw new Error('The scene has a table');
    const [first, second, ...others] = table.exhibit.configurations;
    const damaged = { ...first, study: { id: DAMAGED_STUDY, configuration: 'single' } } as typeof first;
    const gone = { ...second, study: { id: GONE_STUDY, configuration: 'single' } } as typeof second;
    const [together, alone] = TRAINED_FIGURE.exhibit.series;
    const curve = { ...alone?.curve, training: 'training-gone' } as NonNullable<typeof alone>['curve'];
    const entries = [
      ...SAMPLE_EXHIBITS,
      {
        ...table,
        exhibit: {
          ...table.exhibit,
          configurations: [damaged, gone, ...others].flatMap((one) => one ?? []),
        },
      },
      {
        ...TRAINED_FIGURE,
        exhibit: {
          ...TRAINED_FIGURE.exhibit,
          series: [together, alone && { ...alone, curve }].flatMap((one) => one ?? []),
        },
      },
    ];
    return { exhibits: { entries, broken }, training: { trainings: [...FIGURE_TRAININGS] } };
  },
  get 'exhibits-unfilled'() {
    const message = '"Old" is in the trash. Restore it: Studies, Trash.';
    return {
      ...SCENES['exhibits-at-hand'],
      refuse: { 'exhibit.fill': { code: 'not-found' as const, message } },
    };
  },
  // A figure of the lab's own over trainings at hand.
  get 'exhibits-trainings'() {
    return {
      exhibits: { entries: [...SAMPLE_EXHIBITS, TRAINED_FIGURE] },
      training: { trainings: [...FIGURE_TRAININGS] },
    };
  },
  // The same in two figures: one over updates, one over samples.
  get 'exhibits-two-figures'() {
    const { exhibit } = TRAINED_FIGURE;
    const series = exhibit.series.map((line, at) => ({
      ...line,
      curve: at === 0 ? line.curve : ({ ...line.curve, x: 'samples' } as typeof line.curve),
    }));
    return {
      exhibits: { entries: [...SAMPLE_EXHIBITS, { ...TRAINED_FIGURE, exhibit: { ...exhibit, series } }] },
      training: { trainings: [...FIGURE_TRAININGS] },
    };
  },
  // Values that the lab has read in the papers.
  get 'exhibits-entered'() {
    const systems = sampleExhibit('mars2-systems');
    const lacking = systems.cells.filter(({ row, reference }) => /^14b-/.test(row) && reference.length === 0);
    return {
      exhibits: {
        reproductions: [sampleReproduction({ exhibitId: 'mars2-systems', done01: 1, minutesAgo: 300 })],
        entered: [
          {
            exhibitId: 'mars2-systems',
            values: lacking.slice(0, 3).map(({ row, column }, at) => ({
              at: { kind: 'cell' as const, row, column },
              ...{ value: 70.3 + at, page: 7, where: 'Table 3', note: at === 1 ? 'second column' : '' },
            })),
          },
          {
            exhibitId: 'learning-curves',
            values: [50, 100, 200, 300].map((x) => ({
              at: { kind: 'point' as const, line: 'Qwen3-8B, Homo-MARS²', x },
              ...{ value: 40 + x / 25, page: 8, where: 'Figure 4', note: '' },
            })),
          },
        ],
      },
    };
  },
  // What a lab finds in the morning.
  get morning() {
    const trainings = sampleTrainings();
    return {
      played: 0.55,
      others: [
        other('new-1', 'HumanEval, Qwen3-8B + AReaL-8B, MARS²-T', 190, { kind: 'finished' }),
        other('new-2', 'Quickstart, seed 12', 420, { kind: 'finished' }),
        ...OTHERS,
      ],
      lab: busyLab(),
      machines: { machines: busyMachines(), busyMachineId: 'gpu-a' },
      training: { trainings, experiments: sampleExperiments(trainings) },
      exhibits: {
        reproductions: [
          sampleReproduction({ exhibitId: 'homogeneous', done01: 0.62 }),
          sampleReproduction({ exhibitId: 'heterogeneous-pass1', done01: 1, minutesAgo: 140 }),
        ],
      },
    };
  },
  'exhibits-none': { exhibits: { entries: [] } },
  get 'exhibits-own'() {
    const own = {
      ...sampleExhibit('homogeneous'),
      id: 'our-teams',
      title: 'Teams of the lab',
      scales: { ...sampleExhibit('homogeneous').scales, paper: null },
    };
    return {
      exhibits: {
        entries: [...SAMPLE_EXHIBITS, { exhibit: own, origin: 'own' as const, digest: 'c3d4' }],
        broken: [
          {
            file: '/home/lab/.local/share/mars2-workbench/exhibits/half-done.json',
            problems: [
              { path: 'cells[3].configuration', message: 'No configuration is called "qwen3-8b-gpro".' },
              { path: 'scales.pocket.seeds', message: 'At least one seed is needed.' },
            ],
          },
        ],
      },
    };
  },
  'exhibits-refusing': {
    refuse: {
      'exhibit.list': {
        code: 'internal',
        message: 'The folder of exhibits cannot be read: permission denied.',
        hint: 'ls -l ~/.local/share/mars2-workbench/exhibits',
      },
      'reproduction.list': {
        code: 'internal',
        message: 'The reproductions cannot be read: permission denied.',
      },
    },
  },
  get 'exhibits-unreadable'() {
    return {
      exhibits: { reproductions: [sampleReproduction({ exhibitId: 'homogeneous', done01: 0.62 })] },
      refuse: {
        'exhibit.result': {
          code: 'internal' as const,
          message: 'The journal of one run ends in the middle: Qwen3-8B, base, seed 11.',
          hint: 'Repair it in its study, then look again.',
        },
        'reproduction.plan': {
          code: 'unavailable' as const,
          message: 'The machines were not looked at yet.',
        },
        'reproduction.decisions': { code: 'internal' as const, message: 'decisions.jsonl cannot be read.' },
      },
    };
  },
};
