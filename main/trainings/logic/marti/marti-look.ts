import { z } from 'zod';
import type { DoctorCheck, MartiTraining, TrainingOrder } from '../../../../preload/contract';
import { shellWord } from '../../../base';
import { homePath, homeWord } from '../home-words';
import { martiPackages } from './marti-set-up';
import { martiValues } from './marti-values';

const MARK = '@mars2-look@';
/** Exit codes of the script below, before Python could say anything. */
const SET_UP_FAILED = 97;

/** A script for a POSIX shell that asks a machine what a training needs; the Python program comes on its stdin. */
export function martiLookScript({ setUp, env }: TrainingOrder, spec: MartiTraining): string {
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
    // As the training itself will have it: PYTHONPATH may say where the packages are.
    ...Object.entries(env).map(([name, value]) => `export ${name}=${shellWord(value)}`),
    // "source" is no word of every shell, and a set-up may read what is meant for Python.
    ...(setUp.trim() === '' ? [] : [`{ ${setUp.trim()}\n} </dev/null >/dev/null || exit ${SET_UP_FAILED}`]),
    `exec ${homeWord(homePath(spec.python))} - "$1"`,
  ].join('\n');
  return `shell=$(command -v bash || echo /bin/sh)
exec "$shell" -c ${shellWord(inner)} mars2-look ${shellWord(JSON.stringify(question))}`;
}

const lookSchema = z.object({
  executable: z.string(),
  version: z.tuple([z.number(), z.number(), z.number()]),
  /** null: absent; empty: there, without a version. */
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
export type MartiLook = z.infer<typeof lookSchema>;

/** The answer to `martiLookScript`; where there is none, the check that says why. */
export function readMartiLook(
  told: { readonly code: number; readonly stdout: string; readonly stderr: string },
  spec: Pick<MartiTraining, 'python'>,
): MartiLook | DoctorCheck {
  const line = told.stdout.split('\n').find((one) => one.startsWith(MARK));
  const parsed = line === undefined ? null : lookSchema.safeParse(jsonOf(line.slice(MARK.length)));
  if (parsed?.success) return parsed.data;
  const said = told.stderr.trim().split('\n').at(-1) ?? '';
  if (told.code === SET_UP_FAILED) {
    return bad('set-up', 'Set-up', `It failed: ${said}`, 'Mend the lines that run before the training.');
  }
  return bad(
    'python',
    'Python',
    `"${spec.python}" could not be asked: ${said || `it ended with code ${told.code}`}`,
    "Name the Python that has MARTI's packages, e.g. /opt/envs/marti/bin/python3.",
  );
}

function bad(id: string, title: string, found: string, todo: string): DoctorCheck {
  return { id, title, state: 'bad', found, todo };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
