import { basename } from 'node:path';
import type { ExperimentRequest, ExperimentView } from '../../preload/contract/index';
import type { ReportDeps } from './deps';
import { digestOfFile, type FileDigest } from './file-digests';

/** Facts of an experiment: its request, and its trainings that are in the files. */
export type ExperimentFacts = {
  readonly id: string;
  readonly request: ExperimentRequest;
  readonly trainings: readonly {
    readonly label: string;
    readonly seed: number;
    readonly trainingId: string;
    /** The file with what it measured, as it was for these files; null: it is not done. */
    readonly outcome: FileDigest | null;
  }[];
};

/** Its trainings that have begun, with what they measured. */
export async function experimentFacts(
  { id, order, trainings }: ExperimentView,
  deps: ReportDeps,
): Promise<ExperimentFacts> {
  const files = new Map((await deps.experiments.outcomeFiles(id)).map((file) => [file.stepId, file.path]));
  const facts: ExperimentFacts['trainings'][number][] = [];
  for (const [at, { label, seed, trainingId }] of trainings.entries()) {
    if (trainingId === null) continue;
    // A step's id is its place among the trainings.
    const path = files.get(String(at));
    const now = path === undefined ? null : await digestOfFile(path);
    const outcome =
      path === undefined || now === null
        ? null
        : { name: `outcomes/${basename(path)}`, bytes: now.bytes, sha256: now.sha256 };
    facts.push({ label, seed, trainingId, outcome });
  }
  return { id, request: order, trainings: facts };
}
