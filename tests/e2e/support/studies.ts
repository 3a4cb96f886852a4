import { expect, type Page } from '@playwright/test';
import type { SearchChange } from '../../../preload/contract/index';
import {
  PLAIN_SEARCH,
  type PocketFamily,
  PRESETS,
  pocketServer,
  teamOfMembers,
} from '../../../preload/contract/plans/index';

type Row = {
  readonly configuration: string;
  readonly team: readonly PocketFamily[];
  readonly search?: SearchChange;
};

/** A study of the pocket benchmark, run to its end in the window: a start of the terminal's program takes seconds more. */
export async function runStudy(
  page: Page,
  {
    rows,
    ...study
  }: { name: string; problems: number; nodes: number; samples: number; rows: readonly Row[] },
): Promise<string> {
  const preset = PRESETS.find(({ id }) => id === 'ab-mcts-a');
  if (preset === undefined) throw new Error('There is no preset ab-mcts-a');
  const { guided: _guided, ...method } = preset.method;
  const request: object = {
    name: study.name,
    benchmarkId: 'pocket-test-1-60',
    problems: study.problems,
    configurations: rows.map(({ team, ...row }) => ({
      ...row,
      team: teamOfMembers(team.map((family) => ({ server: pocketServer(family) }))),
    })),
    search: { ...PLAIN_SEARCH, ...method, nodes: study.nodes, samplesPerAgent: study.samples, batch: 1 },
    seeds: [1],
  };
  const studyId = await page.evaluate(async (payload) => {
    const created = await window.workbench.call('study.create', payload as never);
    if (!created.ok) throw new Error(created.error.message);
    await window.workbench.call('study.start', created.value);
    return created.value.studyId;
  }, request);
  await untilFinished(page, studyId);
  return studyId;
}

export async function untilFinished(page: Page, studyId: string): Promise<void> {
  await expect
    .poll(
      async () => {
        const list = await page.evaluate(() => window.workbench.call('study.list', {}));
        return list.ok
          ? list.value.find(({ study }) => study.id === studyId)?.state.kind
          : list.error.message;
      },
      { timeout: 120_000 },
    )
    .toBe('finished');
}
