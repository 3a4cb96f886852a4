// Every sample of the shared data through our grader by both readings and, where their checkouts are given, through
// the published graders. Lists every difference. Takes hours on two cores; a part is chosen by the variables below.
//
// Run: LIVECODEBENCH=DIR HUMAN_EVAL=DIR EVALPLUS=DIR npx vitest run --config tests/bench/grading/agreement/bench.config.ts
//   AGREEMENT_SETS  text that the names of the sets hold, e.g. "mapcoder"; all sets when left out
//   AGREEMENT_EVERY only each so many-th case of a set
//   AGREEMENT_OUT   folder for verdicts.jsonl; published verdicts that are there are not measured again
//   AGREEMENT_STEP  "published", "as-published" or "as-program": only that; what the others found in AGREEMENT_OUT is
//                   compared. Published verdicts depend on what else the computer does, ours do not.
//   AGREEMENT_DIFFERING  1: only cases of which the published grader and we as a program say different things so far
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { passes } from '../../../main/grading/agreement/passes';
import { openGrader } from '../../../main/grading/sandbox';
import { type GradingCase, PUBLISHED_SECONDS } from '../../../support/grading-case';
import { type SharedSample, sharedSamples } from '../../../support/shared-samples';

const { env } = process;
const OUT = env.AGREEMENT_OUT ?? 'test-results/agreement';
const WORKERS = 2;
const verdictSchema = z.object({ key: z.string(), passed: z.boolean(), said: z.unknown() });
type Found = ReadonlyMap<string, z.infer<typeof verdictSchema>>;

test('all samples of the shared data', async () => {
  mkdirSync(OUT, { recursive: true });
  const samples = chosen();
  const all = new Map(samples.map((sample) => [keyOf(sample.case), sample.case]));
  const cases = env.AGREEMENT_DIFFERING === '1' ? differing(all) : all;
  console.log(`${samples.length} samples, ${all.size} different cases, ${cases.size} of them asked for`);
  const isWanted = (step: string) => (env.AGREEMENT_STEP ?? step) === step;
  if (isWanted('published')) await askPublished(cases);
  for (const reading of ['as-program', 'as-published'] as const) {
    if (isWanted(reading)) await askOurs(cases, reading);
  }
  const differences = report(samples, held('published'), held('as-published'), held('as-program'));
  if (env.AGREEMENT_STEP === undefined) expect(differences).toEqual([]);
});

function chosen(): SharedSample[] {
  const every = Number(env.AGREEMENT_EVERY ?? 1);
  const wanted = env.AGREEMENT_SETS;
  const counts = new Map<string, number>();
  return [...sharedSamples()].filter(({ set }) => {
    const count = counts.get(set) ?? 0;
    counts.set(set, count + 1);
    return (wanted === undefined || set.includes(wanted)) && count % every === 0;
  });
}

/** Equal cases are measured once. The name of the file is no part of it, but for EvalPlus' data set. */
function keyOf({ rules, program, entryPoint, tests }: GradingCase): string {
  return createHash('sha256')
    .update(JSON.stringify([rules, program, entryPoint, tests]))
    .digest('hex')
    .slice(0, 24);
}

function differing(cases: ReadonlyMap<string, GradingCase>): ReadonlyMap<string, GradingCase> {
  const [published, asProgram] = [held('published'), held('as-program')];
  return new Map(
    [...cases].filter(([key]) => {
      const [theirs, ours] = [published.get(key), asProgram.get(key)];
      return theirs !== undefined && ours !== undefined && theirs.passed !== ours.passed;
    }),
  );
}

const fileOf = (name: string) => join(OUT, `${name}.jsonl`);

function held(name: string): Found {
  if (!existsSync(fileOf(name))) return new Map();
  const rows = readFileSync(fileOf(name), 'utf8')
    .split('\n')
    .filter((line) => line.endsWith('}'));
  return new Map(rows.map((line) => verdictSchema.parse(JSON.parse(line))).map((row) => [row.key, row]));
}

/** In the order of their digests: whoever stops early has a fair sample of all sets. */
const missing = (cases: ReadonlyMap<string, GradingCase>, known: Found) =>
  [...cases].filter(([key]) => !known.has(key)).sort(([a], [b]) => (a < b ? -1 : 1));

const lineSchema = z.object({ id: z.string(), passed: z.boolean(), said: z.unknown() });

async function askPublished(cases: ReadonlyMap<string, GradingCase>): Promise<void> {
  const checkouts = {
    livecodebench: env.LIVECODEBENCH,
    'human-eval': env.HUMAN_EVAL,
    evalplus: env.EVALPLUS,
  };
  const configured = Object.entries(checkouts).flatMap(([name, path]) =>
    path === undefined ? [] : [`--${name}`, path],
  );
  if (configured.length === 0) return;
  const script = join(import.meta.dirname, 'published.py');
  const args = ['-W', 'ignore', script, ...configured, '--workers', String(WORKERS)];
  const child = spawn(env.PYTHON ?? 'python3', args, { stdio: ['pipe', 'pipe', 'inherit'] });
  let rest = '';
  child.stdout.setEncoding('utf8').on('data', (data: string) => {
    const lines = (rest + data).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const { id, passed, said } = lineSchema.parse(JSON.parse(line));
      const key = id.split(' ')[0] ?? '';
      appendFileSync(fileOf('published'), `${JSON.stringify({ key, passed, said })}\n`);
    }
  });
  for (const [key, one] of missing(cases, held('published'))) {
    child.stdin.write(
      `${JSON.stringify({ ...one, rules: one.rules, id: `${key} ${one.id}`, seconds: PUBLISHED_SECONDS[one.rules] })}\n`,
    );
  }
  child.stdin.end();
  await new Promise((resolve) => child.once('close', resolve));
}

async function askOurs(
  cases: ReadonlyMap<string, GradingCase>,
  reading: 'as-published' | 'as-program',
): Promise<void> {
  const grader = await openGrader(WORKERS);
  await Promise.all(
    missing(cases, held(reading)).map(async ([key, one]) => {
      const grade = await passes(grader, one, reading);
      const row = { key, passed: grade.passed, said: grade.explanation };
      appendFileSync(fileOf(reading), `${JSON.stringify(row)}\n`);
    }),
  );
  await grader.dispose();
}

type Row = z.infer<typeof verdictSchema>;
const differs = (one: Row | undefined, other: Row | undefined) =>
  one !== undefined && other !== undefined && one.passed !== other.passed;

/** Prints counts for each set and what differs; gives the cases on which as-published and published do. */
function report(
  samples: readonly SharedSample[],
  published: Found,
  asPublished: Found,
  asProgram: Found,
): readonly string[] {
  const perSet = new Map<string, Record<string, number>>();
  const differences: string[] = [];
  const otherModes: string[] = [];
  const seen = new Set<string>();
  for (const sample of samples) {
    const key = keyOf(sample.case);
    const [theirs, ours, program] = [published.get(key), asPublished.get(key), asProgram.get(key)];
    const counts = perSet.get(sample.set) ?? {};
    perSet.set(sample.set, counts);
    const add = (name: string, is: boolean) => {
      if (is) counts[name] = (counts[name] ?? 0) + 1;
    };
    add('samples', true);
    add('as program', program !== undefined);
    add('as published', ours !== undefined);
    add('published', theirs !== undefined);
    add('passed as program', program?.passed === true);
    add('readings differ', program !== undefined && ours !== undefined && ours.passed !== program.passed);
    add('published: program differs', differs(theirs, program));
    add('published: as published differs', differs(theirs, ours));
    add('recorded otherwise', sample.recorded !== null && program?.passed === !sample.recorded);
    if (seen.has(key)) continue;
    seen.add(key);
    const line = `${key} ${sample.set} ${sample.case.id}: ${JSON.stringify({ published: theirs?.said, asPublished: ours?.said, asProgram: program?.said })}`;
    if (differs(theirs, ours)) differences.push(line);
    else if (differs(theirs, program)) otherModes.push(line);
  }
  console.table(Object.fromEntries(perSet));
  for (const one of otherModes) console.log(`as a program: ${one.slice(0, 600)}`);
  for (const one of differences) console.log(`as published: ${one.slice(0, 600)}`);
  return differences;
}
