import type { TrainingView } from '../../preload/contract';
import { isEvaluatedAtEnd } from '../../preload/contract/plans';
import { ok } from '../base';
import type { Job, JobService } from '../jobs';
import type { RecordStore } from '../storage';
import { exportCurves } from './export-curves';
import { exportedRun } from './logic/export/exported-run';
import { exportedGpus, onCurveAxis } from './logic/gpu-curves';
import type { TrainingRecord } from './logic/training-record';
import type { createOwnFiles } from './own-files';
import { readEvaluation } from './pocket-files';
import type { TrainingService } from './training-api';
import type { WatchManager } from './watch-manager';

/** More than a series keeps. */
const MAX_EXPORTED_POINTS = 100_000;

/** What trainings have written: curves, samples, checkpoints and results. */
export function readTrainings(parts: {
  readonly jobs: JobService;
  readonly records: RecordStore<TrainingRecord>;
  readonly watches: WatchManager;
  readonly ownFiles: ReturnType<typeof createOwnFiles>;
  readonly jobOf: (record: TrainingRecord) => Job | null;
  readonly viewOf: (record: TrainingRecord) => TrainingView;
}): Pick<
  TrainingService,
  'curves' | 'gpus' | 'exportCurves' | 'rollouts' | 'checkpoints' | 'fetchCheckpoint' | 'evaluation'
> {
  const { jobs, records, watches, ownFiles, jobOf, viewOf } = parts;
  const checkpoints: TrainingService['checkpoints'] = async (id) => {
    const record = records.find(id);
    const watch = await watches.read(record);
    if (!record.ok) return record;
    if (!watch.ok) return watch;
    const listed = await watch.value.checkpoints();
    return listed.ok ? ownFiles.fetchCheckpoints(record.value, listed.value) : listed;
  };
  const curvesOf: TrainingService['curves'] = async (id, points) => {
    const watch = await watches.read(records.find(id));
    if (!watch.ok) return watch;
    const curves = watch.value.curves(points);
    const spec = records.get(id)?.order.spec;
    const isEvaluated = spec === undefined || isEvaluatedAtEnd(spec);
    return ok(isEvaluated ? curves : curves.filter(({ part }) => part !== 'evaluation'));
  };
  const gpusOf: TrainingService['gpus'] = async (id, points) => {
    const record = records.find(id);
    if (!record.ok) return record;
    const watch = await watches.read(record);
    if (!watch.ok) return watch;
    const job = jobOf(record.value);
    const curves = job === null ? ok({ fromMs: null, gpus: [] }) : await jobs.gpus(job.id, points);
    return curves.ok ? ok(onCurveAxis(curves.value, watch.value.clock())) : curves;
  };

  return {
    curves: curvesOf,
    gpus: gpusOf,
    exportCurves: async (id, format, folder) => {
      const curves = await curvesOf(id, MAX_EXPORTED_POINTS);
      if (!curves.ok) return curves;
      const record = records.find(id);
      if (!record.ok) return record;
      const gpus = await gpusOf(id, MAX_EXPORTED_POINTS);
      // Without them the curves are still worth exporting, as where the job was removed.
      const all = gpus.ok ? [...curves.value, ...exportedGpus(gpus.value)] : curves.value;
      const view = viewOf(record.value);
      const startedAtS = Math.floor(Date.parse(view.createdAt) / 1_000);
      return exportCurves(exportedRun(view, all, startedAtS), format, folder);
    },
    rollouts: async (id, query) => {
      const watch = await watches.read(records.find(id));
      return watch.ok ? watch.value.rollouts(query) : watch;
    },
    checkpoints,
    fetchCheckpoint: async (id, checkpointId) => {
      const record = records.find(id);
      if (!record.ok) return record;
      const all = await checkpoints(id);
      return all.ok ? ownFiles.fetchCheckpoint(record.value, checkpointId, all.value) : all;
    },
    evaluation: async (id) => {
      const record = records.find(id);
      if (!record.ok) return record;
      const fetched = await ownFiles.fetchEvaluation(record.value);
      return fetched.ok ? readEvaluation(records.folderOf(id), record.value.order) : fetched;
    },
  };
}
