import type {
  Answer,
  CommandName,
  DiagnosticsPart,
  DiagnosticsPartId,
  Payload,
  Value,
} from '../../preload/contract';

type Handlers = { readonly [N in CommandName]?: (payload: Payload<N>) => Answer<Value<N>> };

const LINES: Readonly<Record<DiagnosticsPartId, readonly string[]>> = {
  versions: [
    'Workbench: 0.1.0, with its window',
    'Electron: 39.2.7, Chromium 142.0.7444.175',
    'Node: 22.21.1',
    'System: Debian GNU/Linux 12 (bookworm), Linux 6.1.0-28-amd64, x64',
    'Hardware: 16 processors, 64312 MiB of memory',
    'Python: Python 3.11.2',
    'bubblewrap: bubblewrap 0.8.0',
    'Grading: Python 3.11.2, in the sandbox, limits x 1',
  ],
  'data-folder': [
    'app.log            1 file, 214.3 kB',
    'checkpoints/       96 files, 41.7 MB',
    'jobs/              1204 files, 388.1 MB',
    'studies/           311 files, 2114.0 MB',
    'Free on its disk: 310.4 GB',
  ],
  machines: [
    'This computer: connected since 2026-01-05T08:00:00.000Z',
    'Machine 1, ssh: unreachable since 2026-01-05T09:12:44.000Z: Connection to <machine 1> timed out.',
  ],
  running: ['studies: 1 running, 14 finished', 'jobs: 3 running, 211 done, 4 failed', 'trainings: none'],
  doctor: [
    'Of this computer:',
    'ok       Clock: within 1 second',
    'BAD      Temporary files: 0.4 GB are free in /tmp',
    '           Remove what is not needed there.',
  ],
  messages: [
    '2026-01-05T09:31:02.114Z study.start, internal: The command "study.start" failed because of an error in the workbench.',
  ],
  log: Array.from(
    { length: 60 },
    (_, at) =>
      `2026-01-05T09:${String(at).padStart(2, '0')}:02.114Z error study.start: TypeError: Cannot read properties of undefined\n        at startStudy (<workbench>/out/main/index.js:48211:17)\n        at process.processTicksAndRejections (node:internal/process/task_queues:105:5)`,
  ),
};

/** The report of a problem of a made-up workbench. `problems`: parts that cannot be collected, and why. */
export function sampleDiagnosticsHandlers(
  problems: Partial<Record<DiagnosticsPartId, string>> = {},
): Handlers {
  const partOf = (id: DiagnosticsPartId): DiagnosticsPart => {
    const problem = problems[id];
    return problem === undefined
      ? { id, text: LINES[id].join('\n'), problem: null }
      : { id, text: '', problem };
  };
  return {
    'diagnostics.part': ({ part }) => ({ ok: true, value: partOf(part) }),
    'diagnostics.hide': ({ text }) => ({ ok: true, value: { text: text.replaceAll('gpu1', '<machine 1>') } }),
    'diagnostics.choose': ({ text }) => ({
      ok: true,
      value: { path: '/home/lab/workbench-problem.txt', bytes: text.length },
    }),
    'diagnostics.log': () => ({ ok: true, value: null }),
  };
}
