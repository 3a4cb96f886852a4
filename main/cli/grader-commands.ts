import { spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { isFaultVerdict, type Value } from '../../preload/contract/index';
import { missingPackagesText } from '../../preload/contract/plans/index';
import { counted } from '../base/index';
import type { CliOptions } from './cli-options';
import { type CommandGroup, JSON_OPTION, option } from './grammar';
import { ask, EXIT, type Host, printJson, printRefusal, printStatus } from './host';
import { withTaskProgress } from './task-progress';

export const graderCommands: CommandGroup = {
  name: 'grader',
  about: 'the sandbox that grades programs',
  commands: [
    {
      usage: 'serve',
      about: 'grade programs over HTTP, as the reward of any trainer, until Ctrl+C',
      options: [
        option('--port <n>', 'port (default: a free one, printed)'),
        option('--host <address>', 'where to listen (default: 127.0.0.1, this computer alone)'),
        option('--workers <n>', 'programs at a time (default: processor cores)'),
        option(
          '--token-file <file>',
          'the bearer token; made where it is missing, and kept (default: one for this start)',
        ),
        option('--grace <seconds>', 'how long requests may go on after Ctrl+C (default: 30)'),
      ],
      details: `Prints its address and the file with its token, which every request must
bring. Items bring their tests, or name a problem of the library. Clients for
verl, TRL and OpenRLHF are in resources/grader-clients; what is sent is in docs/grading.md.
Trainings of the workbench use it with: mars2 trainings start pocket --grader URL

Example
  mars2 grader serve --port 8765 --token-file ~/.mars2-grader-token`,
      standalone: serve,
    },
    {
      usage: 'grade <file>',
      about: 'grade the programs of a file of samples, a verdict beside each row',
      options: [
        option('--benchmark <id>', 'the benchmark whose problems they solve'),
        option('--out <file>', 'write the rows there with their verdicts (default: print the verdicts)'),
        option('--overwrite', 'replace a file that exists'),
        JSON_OPTION,
      ],
      details: `The file is read as for "recordings import", in any form of docs/recordings.md:
human-eval, EvalPlus, LiveCodeBench's submissions, OpenAI's answers and others. Each program
runs on all tests of its problem, public and private, up to the first that it does not pass.
Nothing is imported. The rows of the file written are its own, with "problem_id" and "verdicts",
one for each program of the row.

Example
  mars2 grader grade samples.jsonl --benchmark humaneval --out graded.jsonl`,
      run: grade,
    },
  ],
};

async function grade(workbench: Host, options: CliOptions): Promise<number> {
  const out = options.text('out');
  const request = {
    path: resolve(options.word(0, 'The file')),
    benchmarkId: options.required('benchmark'),
    out: out === undefined ? null : resolve(out),
    overwrite: options.flag('overwrite'),
  };
  const graded = await withTaskProgress(workbench, 'grade-file', () =>
    ask(workbench, 'grader.gradeFile', request),
  );
  if (!graded.ok) return printRefusal(graded.error);
  if (options.flag('json')) printJson(graded.value);
  else if (out === undefined) {
    const lines = graded.value.map((row) => gradedRowText(row, request.benchmarkId));
    process.stdout.write(`${lines.join('\n')}\n`);
  }
  const verdicts = graded.value.flatMap((row) => row.verdicts);
  const passed = verdicts.filter((verdict) => verdict === 'passed').length;
  const faults = verdicts.filter(isFaultVerdict).length;
  const unknown = graded.value.filter(({ problemId }) => problemId === null).length;
  printStatus(`${passed} of ${counted(verdicts.length, 'program passes', 'programs pass')} all tests.`);
  if (faults > 0)
    printStatus(`${faults} could not be graded (sandbox-fault, grader-fault): grade them again.`);
  const missing = graded.value.flatMap((row) => row.missingPackages);
  if (missing.length > 0) {
    const failures = missingPackagesText([...new Set(missing)].sort(), missing.length);
    printStatus(`${failures} The doctor names that Python and says what to install.`);
  }
  if (unknown > 0) {
    const rows = counted(unknown, 'row names', 'rows name');
    printStatus(`${rows} no problem of ${request.benchmarkId}: without a verdict.`);
  }
  if (out !== undefined) printStatus(`Written: ${resolve(out)}`);
  return EXIT.done;
}

/** "line 7  HumanEval/3  passed, wrong answer" */
export function gradedRowText(
  { where, problemId, named, verdicts }: Value<'grader.gradeFile'>[number],
  benchmarkId: string,
): string {
  if (problemId === null) return `${where}  ${named ?? '?'}  not a problem of ${benchmarkId}`;
  const words = verdicts.map((verdict) => verdict.replaceAll('-', ' '));
  return `${where}  ${problemId}  ${words.join(', ') || 'no program'}`;
}

/** Runs the service in the foreground; it prints its address, and ends with Ctrl+C or SIGTERM. */
function serve(
  options: CliOptions,
  { project, dataDir }: { readonly project: string; readonly dataDir: string },
): Promise<number> {
  const named = options.text('token-file');
  // Two services of one data folder do not share a token.
  const tokenPath = named === undefined ? join(dataDir, `grader-${process.pid}.token`) : resolve(named);
  const counts = {
    port: options.count('port', 0, 65_535),
    workers: options.count('workers', 1, 1_024),
    grace: options.count('grace', 0, 86_400),
  };
  const numbers = Object.entries(counts).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}`, String(value)],
  );
  const host = options.text('host');
  const child = spawn(
    process.execPath,
    [
      join(project, 'out', 'main', 'grader-service.js'),
      ...['--resources', join(project, 'resources'), '--data', dataDir],
      ...['--token-file', tokenPath],
      ...(host === undefined ? [] : ['--host', host]),
      ...numbers,
    ],
    // Apart from the terminal's group: Ctrl+C reaches it once, through this process.
    { stdio: 'inherit', detached: true },
  );
  const pass = (signal: NodeJS.Signals): void => void child.kill(signal);
  process.on('SIGINT', pass);
  process.on('SIGTERM', pass);
  process.on('SIGHUP', () => pass('SIGTERM'));
  return new Promise((done) => {
    child.on('error', (error) => done(printRefusal({ code: 'internal', message: error.message })));
    child.on('close', async (code) => {
      // A token file that the user named is kept for the next start.
      if (named === undefined) await rm(tokenPath, { force: true });
      done(code ?? EXIT.stopped);
    });
  });
}
