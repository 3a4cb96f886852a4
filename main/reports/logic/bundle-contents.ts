import type { BundleContents } from '../../../preload/contract/index';
import { counted } from '../../base/index';

/** The parts of a bundle that would be written. */
export type BundleParts = {
  readonly studies: readonly string[];
  readonly journals: readonly { readonly bytes: number }[];
  /** Titles of reproductions and experiments; of each its plan and decisions. */
  readonly plans: readonly string[];
  readonly planFiles: number;
};

/** What the bundle holds and what it leaves out, a line each, to be read before it is written. */
export function bundleContentsOf(parts: BundleParts): BundleContents {
  const { studies, journals, plans, planFiles } = parts;
  const megabytes = (journals.reduce((sum, { bytes }) => sum + bytes, 0) / 1e6).toFixed(1);
  return {
    studies: [...studies],
    lines: [
      ...(studies.length === 0
        ? []
        : [
            `${counted(studies.length, 'study', 'studies')} with settings, notes and tags`,
            `${counted(journals.length, 'journal', 'journals')} with every prompt, answer, program and verdict: ${megabytes} MB`,
          ]),
      ...(plans.length === 0
        ? []
        : [
            `plan, decisions and measurements of ${plans.join(', ')}: ${counted(planFiles, 'file', 'files')}`,
          ]),
      'the tables in every format',
      'names of models and machines, and addresses of servers: check these before you publish it',
      'what made its servers and trainings: code with its changes, packages, weights, GPUs, images',
      'dates, difficulty and titles of the problems',
    ],
    leftOut: [
      'saved keys, values of environment variables, typed commands of servers and trainings',
      'jobs and their logs, settings of the workbench',
      'statements and tests of the problems, except where a prompt quotes them',
    ],
  };
}
