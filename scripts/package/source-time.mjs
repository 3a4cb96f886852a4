// The time that files in a package get, in seconds: that of the last commit, so that the same sources give the same bytes.
import { runChild } from '../child.mjs';
import { inProject } from '../project.mjs';

/** Of 2026: for sources without a history. */
const UNKNOWN = '1767225600';

export async function sourceTime(env = process.env) {
  if (env.SOURCE_DATE_EPOCH) return env.SOURCE_DATE_EPOCH;
  const { code, output } = await runChild('git', ['log', '-1', '--format=%ct'], {
    cwd: inProject(),
    collect: true,
  });
  return code === 0 && /^\d+$/.test(output.trim()) ? output.trim() : UNKNOWN;
}
