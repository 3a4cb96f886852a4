import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { STUDY, studyBytes, TRAINING, trainingBytes } from './workload';
import { type CommandOptions, openWorkplace, type Workplace, type WorkplaceOptions } from './workplace';

type Texts = Readonly<Record<string, string>>;

/** A built workbench, folders for what is done with it, and what comes out when nothing disturbs it. */
export type Site = {
  readonly project: string;
  readonly checkpoints: string;
  /** Holds everything that is done; removed at the end. */
  readonly folder: string;
  readonly workplace: (options?: Pick<WorkplaceOptions, 'dataDir' | 'env'>) => Promise<Workplace>;
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
  const open: Workplace[] = [];
  let count = 0;
  const workplace: Site['workplace'] = async (options = {}) => {
    count += 1;
    const place = await openWorkplace({
      project,
      checkpoints,
      folder: join(folder, `w${count}`),
      ...options,
    });
    open.push(place);
    return place;
  };
  const once = (make: (place: Workplace) => Promise<Texts>) => {
    let made: Promise<Texts> | null = null;
    return () => {
      made ??= workplace().then(async (place) => {
        const texts = await make(place);
        await place.dispose();
        return texts;
      });
      return made;
    };
  };
  return {
    project,
    checkpoints,
    folder,
    workplace,
    undisturbedStudy: once(async (place) => {
      await mustRun(place, [...STUDY, '--out', place.outDir]);
      return studyBytes(place);
    }),
    undisturbedTraining: once(async (place) => {
      const { id } = JSON.parse(await mustRun(place, [...TRAINING, '--json'])) as { id: string };
      await mustRun(place, ['trainings', 'follow', id]);
      return trainingBytes(join(place.dataDir, 'trainings', id));
    }),
    dispose: async () => {
      for (const place of open) await place.dispose();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Its standard output. */
export async function mustRun(
  place: Workplace,
  args: readonly string[],
  options?: CommandOptions,
): Promise<string> {
  const { code, out, err } = await place.run(args, options);
  if (code !== 0) throw new Error(`mars2 ${args.slice(0, 2).join(' ')} ended with ${code}: ${err}`);
  return out;
}
