import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { STUDY, studyBytes, TRAINING, trainingBytes } from './workload';
import { type CommandOptions, openWorkspace, type Workspace, type WorkspaceOptions } from './workspace';

type Texts = Readonly<Record<string, string>>;

/** A built workbench, folders for what is done with it, and what comes out when nothing disturbs it. */
export type Site = {
  readonly project: string;
  readonly checkpoints: string;
  /** Holds everything that is done; removed at the end. */
  readonly folder: string;
  readonly workspace: (options?: Pick<WorkspaceOptions, 'dataDir' | 'env'>) => Promise<Workspace>;
  readonly undisturbedStudy: () => Promise<Texts>;
  readonly undisturbedTraining: () => Promise<Texts>;
  readonly dispose: () => Promise<void>;
};

/** `project`: a built one. `checkpoints`: a folder with the base policies of reader and tracer. */
export async function openSite(project: string, checkpoints: string): Promise<Site> {
  // Not below the usual folder for temporary files, whose path may be too long for sockets.
  const folder = await mkdtemp('/tmp/m2faults-');
  // Candidates of root are graded as an ordinary user, who has to get to their folder.
  await chmod(folder, 0o755);
  const open: Workspace[] = [];
  let count = 0;
  const workspace: Site['workspace'] = async (options = {}) => {
    count += 1;
    const opened = await openWorkspace({
      project,
      checkpoints,
      folder: join(folder, `w${count}`),
      ...options,
    });
    open.push(opened);
    return opened;
  };
  const once = (make: (opened: Workspace) => Promise<Texts>) => {
    let made: Promise<Texts> | null = null;
    return () => {
      made ??= workspace().then(async (opened) => {
        const texts = await make(opened);
        await opened.dispose();
        return texts;
      });
      return made;
    };
  };
  return {
    project,
    checkpoints,
    folder,
    workspace,
    undisturbedStudy: once(async (opened) => {
      await mustRun(opened, [...STUDY, '--out', opened.outDir]);
      return studyBytes(opened);
    }),
    undisturbedTraining: once(async (opened) => {
      const { id } = JSON.parse(await mustRun(opened, [...TRAINING, '--json'])) as { id: string };
      await mustRun(opened, ['trainings', 'follow', id]);
      return trainingBytes(join(opened.dataDir, 'trainings', id));
    }),
    dispose: async () => {
      for (const opened of open) await opened.dispose();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Its standard output. */
export async function mustRun(
  opened: Workspace,
  args: readonly string[],
  options?: CommandOptions,
): Promise<string> {
  const { code, out, err } = await opened.run(args, options);
  if (code !== 0) throw new Error(`mars2 ${args.slice(0, 2).join(' ')} ended with ${code}: ${err}`);
  return out;
}
