import { join } from 'node:path';
import { z } from 'zod';
import type { RunView } from '../../../preload/contract/index';
import { readJson, writeJson } from '../../storage/index';
import type { ProgramCost } from '../logic/reproductions/plan-inputs';
import type { Reproduction } from '../logic/reproductions/record';
import type { SearchWork } from '../logic/reproductions/work';
import type { OnProblem } from '../plan-store';

const costSchema = z.object({
  programs: z.number().nonnegative(),
  seconds: z.number().nonnegative(),
  tokens: z.number().nonnegative(),
});
const costsSchema = z.record(z.string(), costSchema);
type MeasuredCost = z.output<typeof costSchema>;

/** Older programs count half as soon as there are more than this. */
const MAX_PROGRAMS = 50_000;
const NAME = 'paces.json';

/** What programs of each model cost in past searches, for estimates: by pocket family, or name at the hub. */
export type ProgramCosts = {
  /** null: nothing was searched with it here. */
  readonly costOf: (model: string) => ProgramCost | null;
  /** Records how many seconds a finished run took. */
  readonly learn: (
    reproduction: Reproduction,
    work: SearchWork,
    view: RunView,
    seconds: number,
  ) => Promise<void>;
};

/** A file that cannot be read counts as missing: the next search measures the same again. */
export async function openProgramCosts(folder: string, onError: OnProblem): Promise<ProgramCosts> {
  const path = join(folder, NAME);
  const stored = await readJson(path, costsSchema);
  const costs = new Map<string, MeasuredCost>(stored.kind === 'read' ? Object.entries(stored.value) : []);
  return {
    costOf: (model) => {
      const cost = costs.get(model);
      if (cost === undefined || cost.programs === 0) return null;
      return { seconds: cost.seconds / cost.programs, tokens: cost.tokens / cost.programs };
    },
    learn: async (reproduction, work, view, seconds) => {
      const wrote = programsByModel(reproduction, work, view);
      const all = [...wrote.values()].reduce((sum, { programs }) => sum + programs, 0);
      for (const [model, { programs, tokens }] of wrote) {
        const before = costs.get(model) ?? { programs: 0, seconds: 0, tokens: 0 };
        const weight = before.programs > MAX_PROGRAMS ? 0.5 : 1;
        costs.set(model, {
          programs: before.programs * weight + programs,
          seconds: before.seconds * weight + seconds * (programs / all),
          tokens: before.tokens * weight + tokens,
        });
      }
      try {
        await writeJson(path, Object.fromEntries(costs));
      } catch (error) {
        // A search does not fail for the sake of an estimate.
        onError({ name: 'reproductions', key: null, error, failures: 1, waitMs: 0 });
      }
    },
  };
}

function programsByModel(
  { record }: Reproduction,
  work: SearchWork,
  view: RunView,
): Map<string, { programs: number; tokens: number }> {
  const { team } = view.config;
  const modelOf = (agentId: string): string | null => {
    const agent = team.agents.find(({ id }) => id === agentId);
    const server = team.servers.find(({ id }) => id === agent?.serverId);
    if (server?.kind === 'pocket') return server.family;
    const planned = work.servers.find(({ modelId }) => modelId === server?.id);
    return record.exhibit.models.find(({ id }) => id === planned?.modelId)?.paper?.hub ?? null;
  };
  const models = new Map(team.agents.map(({ id }) => [id, modelOf(id)]));
  const wrote = new Map<string, { programs: number; tokens: number }>();
  for (const tree of view.trees.values()) {
    for (const { agentId, promptTokens, completionTokens } of tree.nodes) {
      const model = models.get(agentId) ?? null;
      if (model === null) continue;
      const sum = wrote.get(model) ?? { programs: 0, tokens: 0 };
      sum.programs += 1;
      sum.tokens += promptTokens + completionTokens;
      wrote.set(model, sum);
    }
  }
  return wrote;
}
