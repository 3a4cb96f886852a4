// Which unit tests the changes since a commit touch: those that import a changed file, however far, and those that run
// our programs, which they build and do not import.
import { readFile } from 'node:fs/promises';
import { runChild } from '../child.mjs';
import { Refusal } from '../ensure/index.mjs';
import { inProject } from '../project.mjs';

const builtPrograms = /support\/(built-workbench|bundled-script|base-policies)'/;
const partsOfPrograms = /^(main|preload|resources)\//;

/** Paths of test files from the project's folder. `since`: a commit, or HEAD for what is not committed yet. */
export async function changedTests(since) {
  const changed = await changedFiles(since);
  const listed = await vitestList(['--changed', since]);
  if (!changed.some((path) => partsOfPrograms.test(path))) return listed;
  const builders = [];
  for (const path of await vitestList([])) {
    if (builtPrograms.test(await readFile(inProject(path), 'utf8'))) builders.push(path);
  }
  return [...new Set([...listed, ...builders])];
}

/** Paths from the project's folder, also of files that git does not know yet. */
export async function changedFiles(since) {
  const tracked = await gitLines('diff', '--name-only', since, '--');
  return [...tracked, ...(await gitLines('ls-files', '--others', '--exclude-standard'))];
}

async function gitLines(...args) {
  const { code, output } = await runChild('git', args, { cwd: inProject(), collect: true });
  if (code !== 0) throw new Refusal(`git ${args.join(' ')}: ${output.trim()}`, 2);
  return output.split('\n').filter((line) => line !== '');
}

async function vitestList(args) {
  const program = inProject('node_modules', 'vitest', 'vitest.mjs');
  const options = { cwd: inProject(), collect: true };
  const { code, output } = await runChild(
    process.execPath,
    [program, 'list', '--filesOnly', ...args],
    options,
  );
  if (code !== 0) throw new Refusal(`vitest list: ${output.trim()}`, 1);
  // A line is "[project] tests/..." where vitest has several projects.
  return output.split('\n').flatMap((line) => /(?:^|\s)(tests\/\S+)$/.exec(line)?.[1] ?? []);
}
