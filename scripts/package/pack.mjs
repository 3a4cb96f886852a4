// Runs the program that makes a package of the prepared files. The same sources give the same bytes.
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { runChild } from '../child.mjs';
import { Refusal } from '../ensure/refusal.mjs';
import { formatMegabytes, formatSeconds, withElapsedLine } from '../ensure/reporter.mjs';
import { inProject } from '../project.mjs';

/** A time in 2026, for sources without a history. */
const UNKNOWN_TIME = '1767225600';

/** `name`: the file that is made, for messages. */
export async function pack(name, program, args, reporter) {
  // Such programs read the time of the package and of its files from this variable.
  const env = { ...process.env, SOURCE_DATE_EPOCH: await sourceTime() };
  const result = await withElapsedLine(reporter, `packing ${name}`, () =>
    runChild(program, args, { collect: true, env }),
  );
  if (result.code !== 0) throw new Refusal(`${program} could not make ${name}:\n${result.output.trim()}`);
}

/** The time that files in a package get, in seconds: that of the last commit. */
async function sourceTime(env = process.env) {
  if (env.SOURCE_DATE_EPOCH) return env.SOURCE_DATE_EPOCH;
  const { code, output } = await runChild('git', ['log', '-1', '--format=%ct'], {
    cwd: inProject(),
    collect: true,
  });
  return code === 0 && /^\d+$/.test(output.trim()) ? output.trim() : UNKNOWN_TIME;
}

export async function reportMade(file, startedAt, reporter) {
  const { size } = await stat(file);
  const seconds = formatSeconds(Date.now() - startedAt);
  reporter.say(`made dist/${basename(file)} (${formatMegabytes(size)}, ${seconds})`);
}
