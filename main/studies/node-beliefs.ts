import { setImmediate as nextTick } from 'node:timers/promises';
import type { OptionPosterior, Refusal, RunEvent, TreePart } from '../../preload/contract/index';
import { assertNever, failed, ok, RANDOM_VERSION, type Result } from '../base/index';
import { betaQuantile, studentHalfWidth } from '../metrics/index';
import { type PosteriorSummary, posteriorsAtNode } from '../search/index';

/** As the contract says. */
const SHARE = 0.9;

/** What the search believed of the options behind one node, by its journal's events (without detail). */
export async function nodeBeliefs(
  events: readonly RunEvent[],
  place: { readonly problemId: string; readonly part: TreePart; readonly index: number },
): Promise<Result<(OptionPosterior | null)[][], Refusal>> {
  const [first] = events;
  if (first?.kind !== 'run-started' || first.randomVersion !== RANDOM_VERSION) {
    return failed({
      code: 'conflict',
      message:
        'The beliefs of the search cannot be recomputed: the run used another version of the random generator.',
      hint: 'Open it with the version of the workbench that made it.',
    });
  }
  const shapes = await posteriorsAtNode({
    config: first.config,
    events,
    ...place,
    yieldToOthers: () => nextTick(),
  });
  if (shapes === null) {
    return failed({
      code: 'not-found',
      message: `The beliefs of the search at node ${place.index} of ${place.problemId} cannot be recomputed: its journal does not replay.`,
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
