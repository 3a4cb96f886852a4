#!/usr/bin/env node
// mars2 ARGS, from a checkout npm run -s cli -- ARGS: the workbench in a terminal. Its standard output is the command's alone, for scripts to read.
import { pathToFileURL } from 'node:url';
import { createReporter, ensure, ensureBuilt, runScript } from './ensure/index.mjs';
import { asksFirst } from './launch-options.mjs';
import { inProject, userFolder } from './project.mjs';

/** Commands that grade candidates, and so need a sandbox; the others also run without one. */
const gradingCommands = [
  ...[
    'quickstart',
    'run',
    'resume',
    'reproduce',
    'gpu-day',
    'studies regrade',
    'grader grade',
    'experiments start',
    'experiments resume',
  ],
  ...['reproductions resume', 'reproductions retry', 'trainings evaluate'],
];

await runScript(async () => {
  const args = process.argv.slice(2);
  const asksForHelp = args.includes('--help') || args.includes('-h');
  const grades =
    !asksForHelp &&
    [args[0], args.slice(0, 2).join(' ')].some((command) => gradingCommands.includes(command));
  const reporter = createReporter(process.stderr);
  // A command's own --yes is about what it does, not about system packages.
  await ensure(grades ? ['sandbox'] : [], reporter, {
    asks: asksFirst([], process.stdin, process.stderr),
  });
  await ensureBuilt(reporter);
  // In this process, so that signals, exit codes and a `kill -9` reach the command itself.
  const program = inProject('out', 'main', 'cli.js');
  process.chdir(userFolder('cli'));
  process.argv = [process.argv[0], program, ...args];
  await import(pathToFileURL(program).href);
});
