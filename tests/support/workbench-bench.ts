import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { environmentSecrets } from '../../main/app/secrets';
import { openWorkbench, type Workbench } from '../../main/app/workbench';
import { isFamily } from '../../main/pocket';
import {
  type CommandName,
  commands,
  type Exhibit,
  type Payload,
  type ReproductionView,
  type StepState,
  type StudyView,
  type Value,
} from '../../preload/contract';
import { saveBasePolicies } from './base-policies';
import { eventually } from './eventually';
import { makeTemporaryFolder } from './temporary-folder';

export type WorkbenchBench = {
  readonly dataDir: string;
  readonly workbench: Workbench;
  /** The answer; throws where it is refused, or is not what the contract says. */
  readonly ask: <N extends CommandName>(name: N, payload: Payload<N>) => Promise<Value<N>>;
  /** Waits for a view that is as wanted. */
  readonly until: (id: string, condition: (view: ReproductionView) => boolean) => Promise<ReproductionView>;
  /** Waits for the end of a study. */
  readonly endedStudy: (studyId: string) => Promise<StudyView>;
  /** Opens the workbench of this folder again. */
  readonly reopened: () => Promise<WorkbenchBench>;
  /** Stops what runs, closes the workbench, removes the folder. */
  readonly dispose: () => Promise<void>;
};

/** Writes the exhibits as files of the lab's own. */
export async function writeExhibits(dataDir: string, exhibits: readonly Exhibit[]): Promise<void> {
  await mkdir(join(dataDir, 'exhibits'), { recursive: true });
  for (const exhibit of exhibits) {
    await writeFile(join(dataDir, 'exhibits', `${exhibit.id}.json`), JSON.stringify(exhibit));
  }
}

/**
 * A whole workbench over real trainers, servers and sandboxes, in a temporary data folder that has the base policies of
 * its exhibits. `project`: a built one.
 */
export async function openWorkbenchBench(
  project: string,
  exhibits: readonly Exhibit[],
): Promise<WorkbenchBench> {
  const folder = await makeTemporaryFolder();
  const dataDir = join(folder.path, 'data');
  await mkdir(dataDir);
  await writeExhibits(dataDir, exhibits);
  for (const { models, scales } of exhibits) {
    const families = models.flatMap(({ pocket }) => pocket?.family ?? []).filter(isFamily);
    for (const seed of scales.pocket?.seeds ?? [])
      await saveBasePolicies(join(dataDir, 'checkpoints'), families, seed);
  }
  return openIn(project, dataDir, folder.dispose);
}

/** The same over a packed data folder that an earlier version wrote. */
export async function openPackedDataFolder(
  project: string,
  archive: string,
  change: (dataDir: string) => Promise<void> = async () => undefined,
): Promise<WorkbenchBench> {
  const folder = await makeTemporaryFolder();
  execFileSync('tar', ['-xzf', archive, '-C', folder.path]);
  await change(join(folder.path, 'data'));
  return openIn(project, join(folder.path, 'data'), folder.dispose);
}

const STUDY_ENDS: ReadonlySet<string> = new Set(['finished', 'failed', 'interrupted']);
const STUDY_PATIENCE_MS = 300_000;

async function openIn(
  project: string,
  dataDir: string,
  removeFolder: () => Promise<void>,
): Promise<WorkbenchBench> {
  const opened = await openWorkbench({
    dataDir,
    project,
    appVersion: 'test',
    kind: 'terminal',
    nodeRuntime: { command: process.execPath, env: {} },
    secrets: environmentSecrets({}),
    reconnects: false,
  });
  if (!opened.ok) throw new Error(opened.error.message);
  const workbench = opened.value;
  const ask: WorkbenchBench['ask'] = async (name, payload) => {
    const answer = await workbench.call(name, payload, 'terminal');
    if (!answer.ok) throw new Error(`${name}: ${answer.error.message}`);
    // As a window gets it that shows the service of a machine: anything else is refused there.
    const checked = commands[name].value.safeParse(JSON.parse(JSON.stringify(answer.value)));
    if (!checked.success) throw new Error(`${name} answers against the contract: ${checked.error.message}`);
    return answer.value as never;
  };
  const viewOf = async (id: string): Promise<ReproductionView | undefined> =>
    (await ask('reproduction.list', {})).find((view) => view.id === id);
  return {
    dataDir,
    workbench,
    ask,
    until: (id, condition) =>
      eventually(
        'the reproduction to come so far',
        async () => {
          const view = await viewOf(id);
          return view !== undefined && condition(view) ? view : null;
        },
        200_000,
      ),
    endedStudy: (studyId) =>
      eventually(
        'the end of the study',
        async () => {
          const view = (await ask('study.list', {})).find(({ study }) => study.id === studyId);
          return view !== undefined && STUDY_ENDS.has(view.state.kind) ? view : null;
        },
        STUDY_PATIENCE_MS,
      ),
    reopened: async () => {
      await workbench.close();
      return openIn(project, dataDir, removeFolder);
    },
    dispose: async () => {
      for (const { id, state } of await ask('reproduction.list', {})) {
        if (state.kind === 'running') await ask('reproduction.pause', { reproductionId: id });
      }
      for (const { id } of await ask('server.list', {})) await ask('server.stop', { serverId: id });
      await workbench.close();
      await removeFolder();
    },
  };
}

/** How far steps of this kind are, by title. */
export function statesOf(view: ReproductionView, kind: string): Record<string, StepState['kind']> {
  return Object.fromEntries(
    view.steps.filter((step) => step.kind === kind).map(({ title, state }) => [title, state.kind]),
  );
}
