import { stat } from 'node:fs/promises';
import {
  countedRegrade,
  type Refusal,
  type RunView,
  regradedRun,
  type Study,
} from '../../preload/contract/index';
import { counted, failed, ok, RecentMap, type Result } from '../base/index';
import { type RegradeReading, readRegradeJournal } from '../storage/index';

/** Journals of re-grades in memory: a comparison reads the runs of one study after those of another. */
const MAX_IN_MEMORY = 4;

type Cached = { readonly stamp: string; readonly reading: Promise<Result<RegradeReading, Refusal>> };

/** The private verdicts that count for a study, where those are not its first ones. */
export type CountedVerdicts = {
  /** null: those of the first grading count. Refused where the journal of the re-grade is missing or damaged. */
  readonly of: (study: Study) => Promise<Result<RegradeReading | null, Refusal>>;
  /** The run as it counts. Refused as `of`, and where the re-grade lacks verdicts of nodes that the run has graded. */
  readonly applied: (study: Study, view: RunView) => Promise<Result<RunView, Refusal>>;
};

/** `regrade`: path of the journal of a re-grade. */
export function createCountedVerdicts(
  regrade: (studyId: string, regradeId: string) => string,
): CountedVerdicts {
  const recent = new RecentMap<string, Cached>(MAX_IN_MEMORY);
  const of: CountedVerdicts['of'] = async (study) => {
    const facts = countedRegrade(study);
    if (facts === null) return ok(null);
    const path = regrade(study.id, facts.id);
    const status = await stat(path).catch(() => null);
    const stamp = status === null ? '' : `${status.size} ${status.mtimeMs}`;
    const cached = recent.get(path);
    if (cached?.stamp === stamp) return cached.reading;
    const reading = readRegradeJournal(path);
    recent.set(path, { stamp, reading });
    return reading;
  };
  return {
    of,
    applied: async (study, view) => {
      const reading = await of(study);
      if (!reading.ok) return reading;
      if (reading.value === null) return ok(view);
      const { view: regraded, missing } = regradedRun(view, reading.value);
      return missing === 0 ? ok(regraded) : failed(lacking(missing));
    },
  };
}

/** Why a re-grade cannot count. */
export function lacking(nodes: number): Refusal {
  return {
    code: 'conflict',
    message: `The re-grade lacks the verdicts of ${counted(nodes, 'node')} of the study.`,
    hint: 'Let the first grading count, and grade the study again: programs were added since, or the journal of the re-grade lost a part.',
  };
}
