import { stat } from 'node:fs/promises';
import type { RunConfig } from '../../preload/contract/index';
import { streamJournal } from '../storage/index';

/** Tokens of one model in one month of UTC, as its server reported them. */
export type TokenUse = {
  readonly month: string;
  /** The model's name for requests. */
  readonly model: string;
  readonly promptTokens: number;
  readonly completionTokens: number;
};

/** A journal when it was read. Journals only grow, so an equal stamp means an unchanged journal. */
export type TokenStamp = { readonly bytes: number; readonly modifiedMs: number };

/** null: the run has no journal here. */
export async function tokenStamp(path: string): Promise<TokenStamp | null> {
  const stats = await stat(path).catch(() => null);
  return stats?.isFile() ? { bytes: stats.size, modifiedMs: Math.round(stats.mtimeMs) } : null;
}

/** Tokens of every node of a journal whose agent is no recording; of a damaged journal, of what can be read. */
export async function readTokens(path: string, { team }: RunConfig): Promise<readonly TokenUse[]> {
  // Tokens of a recording were written elsewhere.
  const models = new Map(
    team.agents.flatMap(({ id, serverId }) => {
      const server = team.servers.find((candidate) => candidate.id === serverId);
      return server === undefined || server.kind === 'recorded' ? [] : [[id, server.model] as const];
    }),
  );
  const sums = new Map<string, { -readonly [K in keyof TokenUse]: TokenUse[K] }>();
  await streamJournal(path, (event) => {
    if (event.kind !== 'node-added') return;
    const at = new Date(event.at);
    const model = models.get(event.agentId);
    // A time that no date can have is of a damaged line.
    if (model === undefined || Number.isNaN(at.getTime())) return;
    const month = at.toISOString().slice(0, 7);
    const key = `${month} ${model}`;
    const sum = sums.get(key) ?? { month, model, promptTokens: 0, completionTokens: 0 };
    sum.promptTokens += event.promptTokens;
    sum.completionTokens += event.completionTokens;
    sums.set(key, sum);
  });
  return [...sums.values()];
}
