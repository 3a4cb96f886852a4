import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { z } from 'zod';
import {
  gradingLimitsSchema,
  gradingRulesSchema,
  type Problem,
  problemSchema,
} from '../../preload/contract/index';
import { randomStream, shuffled } from '../base/index';
import type { Grader } from '../grading/index';
import { LineSplitter, LineTooLongError, reasonOf, textDigest } from '../storage/index';
import type { LearningInput } from './learning-input';
import { TrainerError } from './trainer-error';
import type { TrainingEnvironment } from './training-environment';
import { VerdictCache } from './verdict-cache';

/** First line of the problems that are shipped with a training. */
const problemsHeaderSchema = z.strictObject({
  kind: z.literal('training-problems'),
  version: z.literal(1),
  benchmarkId: z.string().min(1),
  /** Name of the held-out problems, e.g. "test" or another benchmark's id. */
  split: z.string().min(1),
  /** The benchmark's, for all its problems. */
  limits: gradingLimitsSchema,
  rules: gradingRulesSchema,
  /** Of the held-out problems, where they are of another benchmark. */
  heldOut: z.strictObject({ limits: gradingLimitsSchema, rules: gradingRulesSchema }).optional(),
});
export type ProblemsHeader = z.output<typeof problemsHeaderSchema>;

/** Every other line: a problem with all its tests. */
const problemLineSchema = z.strictObject({
  part: z.enum(['training', 'held-out']),
  problem: problemSchema,
});
export type ProblemLine = z.output<typeof problemLineSchema>;

/** Private tests of some published problems have hundreds of megabytes. */
const MAX_LINE_BYTES = 1024 ** 3;

type ProblemLocation = { readonly id: string; readonly offset: number; readonly bytes: number };

type Contents = {
  readonly header: ProblemsHeader;
  readonly training: ProblemLocation[];
  readonly heldOut: ProblemLocation[];
};

/**
 * The environment of a training on a benchmark's problems, read from the file that was shipped with it. Problems are read when
 * they are needed, for their tests may not fit into memory together. Throws TrainerError, also if a problem of the
 * training is among the held-out ones.
 */
export async function openProblemFile(options: {
  readonly path: string;
  readonly spec: LearningInput['spec'];
  readonly grader: Pick<Grader, 'grade' | 'health'>;
}): Promise<TrainingEnvironment> {
  const { path, spec, grader } = options;
  const { header, training, heldOut } = await readContents(path);
  if (training.length === 0 && spec.method !== 'base') throw refused(path, 'it has no problem to train on');
  const heldOutLocations = new Map(
    heldOut.slice(0, spec.evaluation.problems).map((location) => [location.id, location]),
  );
  const inPasses = (locations: readonly ProblemLocation[]): TrainingEnvironment['problemOf'] => {
    const order = passes(locations, spec);
    return (tree) => readProblem(path, order(tree));
  };
  const trainingLocations = new Map(training.map((location) => [location.id, location]));
  const verdictsBy = ({ limits, rules }: Pick<ProblemsHeader, 'limits' | 'rules'>): VerdictCache =>
    new VerdictCache(grader, { limits, rules, faults: 'failed' });
  const verdicts = verdictsBy(header);
  const heldOutVerdicts = header.heldOut === undefined ? verdicts : verdictsBy(header.heldOut);
  const isHeldOut = new WeakSet<Problem>();
  const verdictsOf = (problem: Problem): VerdictCache =>
    isHeldOut.has(problem) ? heldOutVerdicts : verdicts;
  return {
    benchmarkId: header.benchmarkId,
    problemOf: inPasses(training),
    training: {
      ids: [...trainingLocations.keys()],
      problem: (id) => readProblem(path, trainingLocations.get(id) as ProblemLocation),
      problemOfAmong: (ids) => inPasses(training.filter(({ id }) => ids.has(id))),
    },
    heldOut: [...heldOutLocations.keys()],
    heldOutProblem: async (id) => {
      const problem = await readProblem(path, heldOutLocations.get(id) as ProblemLocation);
      isHeldOut.add(problem);
      return problem;
    },
    split: header.split,
    verdicts: {
      publicGrade: (problem, program) => verdictsOf(problem).publicGrade(problem, program),
      passes: (problem, program) => verdictsOf(problem).passes(problem, program),
      get statistics() {
        const [one, other] = [verdicts.statistics, heldOutVerdicts.statistics];
        if (heldOutVerdicts === verdicts) return one;
        return { asked: one.asked + other.asked, pairs: one.pairs + other.pairs };
      },
    },
  };
}

/** The problem of a tree: all of them in turn, shuffled again for each pass. */
function passes(
  locations: readonly ProblemLocation[],
  { kind, seed }: LearningInput['spec'],
): (tree: number) => ProblemLocation {
  let [pass, order]: [number, readonly ProblemLocation[]] = [-1, []];
  return (tree) => {
    const treeCount = Math.floor(tree / locations.length);
    if (treeCount !== pass) {
      order = shuffled(locations, randomStream(`${kind}-training-order`, seed, treeCount));
      pass = treeCount;
    }
    return order[tree % locations.length] as ProblemLocation;
  };
}

async function readContents(path: string): Promise<Contents> {
  let header: ProblemsHeader | null = null;
  const locations: Record<ProblemLine['part'], ProblemLocation[]> = { training: [], 'held-out': [] };
  /** Of each statement, the part in which it occurs. */
  const parts = new Map<string, ProblemLine['part']>();
  const ids = new Set<string>();
  let shared = 0;
  for await (const { bytes, offset } of linesOf(path)) {
    if (header === null) {
      header = parsed(path, bytes, problemsHeaderSchema);
      continue;
    }
    const { part, problem } = parsed(path, bytes, problemLineSchema);
    if (ids.has(`${part} ${problem.id}`)) throw refused(path, `it has the problem ${problem.id} twice`);
    ids.add(`${part} ${problem.id}`);
    const statement = textDigest(problem.statement);
    const other = parts.get(statement) ?? part;
    if (other !== part) shared += 1;
    parts.set(statement, other);
    locations[part].push({ id: problem.id, offset, bytes: bytes.length });
  }
  if (header === null) throw refused(path, 'it is empty');
  if (shared > 0) throw refused(path, `${shared} of its problems are both trained and evaluated on`);
  return { header, training: locations.training, heldOut: locations['held-out'] };
}

async function* linesOf(path: string): AsyncGenerator<{ readonly bytes: Buffer; readonly offset: number }> {
  const lines = new LineSplitter(MAX_LINE_BYTES);
  try {
    for await (const chunk of createReadStream(path)) yield* lines.push(chunk as Buffer);
  } catch (error) {
    if (error instanceof TrainerError) throw error;
    throw refused(path, error instanceof LineTooLongError ? error.message : reasonOf(error));
  }
  const rest = lines.rest();
  if (rest !== null) yield rest;
}

async function readProblem(path: string, { offset, bytes }: ProblemLocation): Promise<Problem> {
  try {
    const file = await open(path);
    try {
      const line = Buffer.alloc(bytes);
      await file.read(line, 0, bytes, offset);
      return parsed(path, line, problemLineSchema).problem;
    } finally {
      await file.close();
    }
  } catch (error) {
    if (error instanceof TrainerError) throw error;
    throw refused(path, reasonOf(error));
  }
}

function parsed<T>(path: string, line: Buffer, schema: z.ZodType<T>): T {
  let data: unknown;
  try {
    data = JSON.parse(line.toString());
  } catch {
    throw refused(path, 'a line is not JSON');
  }
  const read = schema.safeParse(data);
  if (read.success) return read.data;
  const issue = read.error.issues[0];
  throw refused(path, `${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`.trim());
}

function refused(path: string, reason: string): TrainerError {
  return new TrainerError({
    code: 'bad-input',
    message: `The training problems ${path} cannot be used: ${reason}.`,
  });
}
