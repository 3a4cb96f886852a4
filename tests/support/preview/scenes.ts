import type { StudyView } from '../../../preload/contract';
import { sampleStudy } from '../sample-study';
import type { SampleOptions } from '../sample-workbench';

const MINUTE = 60_000;

function other(id: string, name: string, minutesAgo: number, state: StudyView['state']): StudyView {
  const at = new Date(Date.now() - minutesAgo * MINUTE).toISOString();
  const done = state.kind === 'finished';
  return {
    study: sampleStudy({ id, name, createdAt: at }),
    state,
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
  };
}

const OTHERS: readonly StudyView[] = [
  other('old-1', 'Quickstart, yesterday', 1_500, { kind: 'finished' }),
  other('old-2', 'HumanEval, CodeGen-16B against gpt-3.5', 4_400, { kind: 'finished' }),
  other('old-3', 'HumanEval, repeated sampling', 180, {
    kind: 'failed',
    message: 'The recording codegen-16b has no samples for 3 of 164 problems.',
    hint: 'Import the whole file again: cli import recording samples.jsonl.gz --benchmark humaneval',
  }),
  other('old-4', 'Quickstart, latency 200 ms', 400, { kind: 'paused' }),
];

/** What there is to look at, by name. */
export const SCENES: Readonly<Record<string, SampleOptions>> = {
  first: { played: 'empty' },
  'no-sandbox': {
    played: 'empty',
    sandboxProblem: 'bubblewrap is not installed. Type:\n  sudo apt-get install bubblewrap',
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
  seeds: { played: 0.6, seeds: [1, 2], problems: 164 },
  finished: { others: OTHERS },
  failed: {
    played: 0.3,
    state: {
      kind: 'failed',
      message: 'The server pocket-tracer-base ended with exit code 1 while 3 requests were in flight.',
      hint: 'Its last words are in its log (Servers). Resume goes on from what was written.',
    },
    warnings: [
      'tracer failed on 12 of its last 12 requests.',
      'The sandbox failed on 2 candidates; they were run again.',
    ],
  },
  interrupted: { played: 0.3, state: { kind: 'interrupted' } },
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
      'node.read': { code: 'internal', message: 'The journal has no line for this node.' },
    },
  },
  'empty-library': { played: 'empty', emptyLibrary: true },
};
