import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type {
  Grade,
  NodeDetail,
  OptionPosterior,
  Problem,
  Refusal,
  RunConfig,
  RunEvent,
  TestCase,
  TreePart,
} from '../../preload/contract/index';
import { programKeyOf } from '../../preload/contract/index';
import { assertNever, failed, ok, RANDOM_VERSION, type Result } from '../base/index';
import { betaQuantile, studentHalfWidth } from '../metrics/index';
import { type PosteriorSummary, posteriorsAtNode, promptFor } from '../search/index';
import type { NodeRecord, RegradeReading } from '../storage/index';

/** Probability inside the shown interval of a posterior, as the contract says. */
const SHARE = 0.9;

function testsWith(tests: readonly TestCase[], grade: Grade | null | undefined): NodeDetail['publicTests'] {
  return tests.map((test, i) => ({ test, result: grade?.results[i] ?? null }));
}

/** Everything about one node. The prompt is made again from the tree and compared by digest with the one sent. */
export async function readNode(options: {
  readonly config: RunConfig;
  readonly problemId: string;
  /** null: its benchmark is not in the library, so prompt and tests are left out. */
  readonly problem: Problem | null;
  readonly part: TreePart;
  readonly index: number;
  readonly read: (problemId: string, part: TreePart, index: number) => Promise<NodeRecord | null>;
  readonly digest: (text: string) => string;
  /** The re-grade that counts; null or left out: the first grading does. */
  readonly regrade?: Pick<RegradeReading, 'started' | 'readDetail'> | null;
}): Promise<Result<NodeDetail, Refusal>> {
  const { config, problemId, problem, part, index, regrade = null } = options;
  const record = await options.read(problemId, part, index);
  const agent = config.team.agents.find(({ id }) => id === record?.node.agentId);
  const detail = record?.node.detail;
  if (record === null || detail === undefined || agent === undefined) {
    return failed({
      code: 'not-found',
      message: `Node ${index} of ${problemId} is not in this run's journal.`,
    });
  }
  const parent = record.node.parent === -1 ? null : await options.read(problemId, part, record.node.parent);
  const parentDetail = parent?.node.detail;
  const known = {
    answer: detail.answer,
    program: detail.program,
    parentProgram: parentDetail?.program ?? null,
    why: detail.why ?? null,
  };
  if (problem === null) {
    const missing = { prompt: [], promptIsExact: false, publicTests: [], privateTests: [] };
    return ok({ ...known, ...missing, problemIsMissing: true });
  }
  const prompt = promptFor(
    problem,
    agent,
    parent === null || parentDetail === undefined
      ? null
      : {
          program: parentDetail.program,
          answer: parentDetail.answer,
          publicVerdicts: parent.node.publicVerdicts,
          publicResults: parentDetail.publicGrade.results,
        },
    config.search.feedback,
  );
  const key = regrade === null ? null : programKeyOf(config, problemId, record.node, regrade);
  const again = regrade === null || key === null ? null : await regrade.readDetail(key);
  return ok({
    ...known,
    prompt: [...prompt],
    promptIsExact: options.digest(JSON.stringify(prompt)) === detail.promptDigest,
    publicTests: testsWith(problem.publicTests, detail.publicGrade),
    privateTests: testsWith(problem.privateTests, again ?? record.graded?.detail?.privateGrade),
    ...(again === null || record.graded === null ? {} : { firstVerdict: record.graded.privateVerdict }),
  });
}

/** The search's posteriors for the options behind one node, from its journal's events (without detail). */
export async function readPosteriors(
  events: readonly RunEvent[],
  node: { readonly problemId: string; readonly part: TreePart; readonly index: number },
): Promise<Result<(OptionPosterior | null)[][], Refusal>> {
  const [first] = events;
  if (first?.kind !== 'run-started' || first.randomVersion !== RANDOM_VERSION) {
    return failed({
      code: 'conflict',
      message:
        'The posteriors of the search cannot be recomputed: the run used another version of the random generator.',
      hint: 'Open it with the version of the workbench that made it.',
    });
  }
  const shapes = await posteriorsAtNode({
    config: first.config,
    events,
    ...node,
    yieldToEventLoop: () => yieldToEventLoop(),
  });
  if (shapes === null) {
    return failed({
      code: 'not-found',
      message: `The posteriors of the search at node ${node.index} of ${node.problemId} cannot be recomputed: its journal does not replay.`,
      hint: 'Verify the journals of the study.',
    });
  }
  return ok(shapes.map((options) => options.map((shape) => (shape === null ? null : shown(shape)))));
}

function shown(shape: PosteriorSummary): OptionPosterior {
  switch (shape.kind) {
    case 'mean':
      return { observations: shape.observations, mean: shape.mean, low: null, high: null };
    case 'student': {
      const { observations, mean, scale, degreesOfFreedom } = shape;
      const half = scale * studentHalfWidth(SHARE, degreesOfFreedom);
      return { observations, mean, low: mean - half, high: mean + half };
    }
    case 'beta': {
      const { observations, alpha, beta } = shape;
      const tail = (1 - SHARE) / 2;
      return {
        observations,
        mean: alpha / (alpha + beta),
        low: betaQuantile(tail, alpha, beta),
        high: betaQuantile(1 - tail, alpha, beta),
      };
    }
    default:
      return assertNever(shape);
  }
}
