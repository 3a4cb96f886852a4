import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { RunView } from '../../../preload/contract/index';
import { makeFolder, replaceFile } from '../../storage/index';
import type { ProgramCost } from '../logic/reproductions/plan-inputs';
import type { Reproduction } from '../logic/reproductions/record';
import type { SearchWork } from '../logic/reproductions/work';

const paceSchema = z.object({
  programs: z.number().nonnegative(),
  seconds: z.number().nonnegative(),
  tokens: z.number().nonnegative(),
});
const pacesSchema = z.record(z.string(), paceSchema);
type Pace = z.output<typeof paceSchema>;

/** What counts of the past: older programs weigh half as soon as there are more. */
const MOST_PROGRAMS = 50_000;
const NAME = 'paces.json';

/** What programs of each model took in past searches, for estimates: by pocket family, or name at the hub. */
export type ProgramCosts = {
  /** null: nothing was searched with it here. */
  readonly costOf: (model: string) => ProgramCost | null;
  /** A run that is done and took so many seconds. */
  readonly learn: (one: Reproduction, work: SearchWork, view: RunView, seconds: number) => Promise<void>;
};

/** A file that can not be read is as none: it holds nothing that the next search does not tell again. */
export async function openProgramCosts(folder: string): Promise<ProgramCosts> {
  const path = join(folder, NAME);
  const text = await readFile(path, 'utf8').catch(() => '{}');
  const paces = new Map<string, Pace>(Object.entries(parsed(text)));
  return {
    costOf: (model) => {
      const pace = paces.get(model);
      if (pace === undefined || pace.programs === 0) return null;
      return { seconds: pace.seconds / pace.programs, tokens: pace.tokens / pace.programs };
    },
    learn: async (one, work, view, seconds) => {
      const wrote = programsByModel(one, work, view);
      const all = [...wrote.values()].reduce((sum, { programs }) => sum + programs, 0);
      for (const [model, { programs, tokens }] of wrote) {
        const before = paces.get(model) ?? { programs: 0, seconds: 0, tokens: 0 };
        const kept = before.programs > MOST_PROGRAMS ? 0.5 : 1;
        paces.set(model, {
          programs: before.programs * kept + programs,
          seconds: before.seconds * kept + seconds * (programs / all),
          tokens: before.tokens * kept + tokens,
        });
      }
      await makeFolder(folder);
      // An estimate is not worth failing for.
      await replaceFile(path, `${JSON.stringify(Object.fromEntries(paces))}\n`).catch(() => undefined);
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

function parsed(text: string): Record<string, Pace> {
  try {
    return pacesSchema.parse(JSON.parse(text));
  } catch {
    return {};
  }
}
