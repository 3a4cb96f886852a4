import { z } from 'zod';
import type { DoctorCheck, MartiTraining, TrainingRequest } from '../../../../preload/contract';
import { exportLines, parsedJson, SET_UP_FAILED, setUpLines, setUpScript } from '../../../base';
import { homePath, shellWordWithHome } from '../home-path';
import { martiPackages } from './marti-set-up';
import { martiValues } from './marti-values';

const MARKER = '@mars2-probe@';

/** A POSIX shell script that collects what a training needs; the Python program is read from stdin. */
export function martiProbeScript({ setUp, env }: TrainingRequest, spec: MartiTraining): string {
  const values = martiValues(spec);
  const question = {
    checkout: spec.checkout.trim(),
    data: spec.data.trim(),
    output: spec.output.trim(),
    models: [...new Set(spec.agents.map(({ model }) => model.trim()))],
    packages: martiPackages(spec.preset),
    splits: ['prompt_split', 'eval_split'].map((name) => String(values.get(name) ?? '')),
    ownRay: spec.rayAddress === null,
  };
  const inner = [
    // The training's own environment: PYTHONPATH may point to the packages.
    ...exportLines(env),
    // Which must not read the program on stdin.
    ...setUpLines(setUp),
    `exec ${shellWordWithHome(homePath(spec.python))} - "$1"`,
  ];
  return setUpScript(inner, ['mars2-probe', JSON.stringify(question)]);
}

const probeSchema = z.object({
  executable: z.string(),
  version: z.tuple([z.number(), z.number(), z.number()]),
  /** null: not installed; empty: installed, version unknown. */
  packages: z.record(z.string(), z.string().nullable()),
  checkout: z.object({
    isThere: z.boolean(),
    hasEntry: z.boolean(),
    hasPackage: z.boolean(),
    commit: z.string().nullable(),
    changes: z.string().nullable(),
  }),
  data: z.object({
    isThere: z.boolean(),
    splits: z.record(
      z.string(),
      z.object({ files: z.array(z.string()), fields: z.array(z.string()).nullable() }),
    ),
  }),
  models: z.array(z.object({ model: z.string(), place: z.string().nullable(), bytes: z.number() })),
  disk: z.object({ place: z.string(), free: z.number(), total: z.number(), canWrite: z.boolean() }),
  portIsFree: z.boolean().nullable(),
});
export type MartiProbe = z.infer<typeof probeSchema>;

/** Parses the output of `martiProbeScript`; without a valid one, the check that says why. */
export function parseMartiProbe(
  output: { readonly code: number; readonly stdout: string; readonly stderr: string },
  spec: Pick<MartiTraining, 'python'>,
): MartiProbe | DoctorCheck {
  const line = output.stdout.split('\n').find((candidate) => candidate.startsWith(MARKER));
  const parsed = line === undefined ? null : probeSchema.safeParse(parsedJson(line.slice(MARKER.length)));
  if (parsed?.success) return parsed.data;
  const lastLine = output.stderr.trim().split('\n').at(-1) ?? '';
  if (output.code === SET_UP_FAILED) {
    return bad(
      'set-up',
      'Set-up',
      `It failed: ${lastLine}`,
      'Fix the set-up lines, which run before the training.',
    );
  }
  return bad(
    'python',
    'Python',
    `Cannot run "${spec.python}": ${lastLine || `it ended with code ${output.code}`}`,
    "Choose the Python that has MARTI's packages, e.g. /opt/envs/marti/bin/python3.",
  );
}

function bad(id: string, title: string, found: string, todo: string): DoctorCheck {
  return { id, title, state: 'bad', found, todo };
}
