import { candidateCount, type StudyView } from '../../../preload/contract/index';
import type { ReproductionDeps } from './deps';

export type RunShares = { readonly searched01: number; readonly graded01: number };

/** How far the runs of the study that is at work are. */
export type RunProgress = {
  /** By run id. */
  readonly now: () => ReadonlyMap<string, RunShares>;
  readonly studiesAtWork: () => ReadonlySet<string>;
  /** Takes note of a study's state; true when it is time to `update`. */
  readonly observe: (view: StudyView) => boolean;
  readonly update: () => Promise<void>;
};

const UPDATE_EVERY_MS = 1_000;

export function createRunProgress(studies: ReproductionDeps['studies']): RunProgress {
  let shares: ReadonlyMap<string, RunShares> = new Map();
  const atWork = new Map<string, StudyView>();
  let updatedAt = Number.NEGATIVE_INFINITY;
  return {
    now: () => shares,
    studiesAtWork: () => new Set(atWork.keys()),
    observe: (view) => {
      const { kind } = view.state;
      if (kind === 'preparing' || kind === 'running' || kind === 'pausing') atWork.set(view.study.id, view);
      else return atWork.delete(view.study.id);
      return kind === 'running' && performance.now() - updatedAt >= UPDATE_EVERY_MS;
    },
    update: async () => {
      updatedAt = performance.now();
      const next = new Map<string, RunShares>();
      for (const { study, state } of atWork.values()) {
        if (state.kind !== 'running') continue;
        const views = await studies.results.views(study);
        for (const config of study.runs) {
          let [written, graded] = [0, 0];
          for (const tree of views.get(config.id)?.trees.values() ?? []) {
            written += tree.nodes.length;
            graded += tree.graded;
          }
          const all = candidateCount(config);
          next.set(config.id, {
            searched01: Math.min(1, written / all),
            graded01: Math.min(1, graded / all),
          });
        }
      }
      shares = next;
    },
  };
}
