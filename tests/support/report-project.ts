import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { exhibitFilling } from '../../main/app/exhibit-filling';
import { usageOf } from '../../main/app/usage/usage-table';
import { failed } from '../../main/base';
import { createBenchmarkLibrary } from '../../main/benchmarks';
import { createExhibitLibrary } from '../../main/exhibits';
import {
  type BundleDeps,
  createReportService,
  openBenchmarkOutlines,
  type ReportService,
} from '../../main/reports';
import { renderFigure } from '../../main/reports/render-figure';
import { openJournal, openRegistry, type Registry } from '../../main/storage';
import {
  createRunComparison,
  hueAssignments,
  type RunComparisons,
  readOrigins,
  studyFiles,
} from '../../main/studies';
import { createStudyResults } from '../../main/studies/study-results';
import type { TrainingService } from '../../main/trainings';
import type { Study } from '../../preload/contract';
import { sampleEvents, sampleStudyView } from './sample-study';
import { temporaryFolder } from './temporary-folder';
import { TrainingsStandIn } from './trainings-stand-in';

export type ReportProject = {
  readonly dataDir: string;
  readonly registry: Registry;
  readonly reports: ReportService;
  readonly deps: BundleDeps;
  readonly comparison: RunComparisons;
  readonly running: Set<string>;
};

/**
 * A data folder whose registry, journals, archive and comparison are the real ones; no study service, so `adopt` writes
 * to the registry as it does. `reproductions`: what the test says of them. `trainings`: left out, there are none.
 */
export async function reportProject(
  studies: readonly Study[] = [],
  reproductions: Partial<BundleDeps['reproductions']> = {},
  trainings: Pick<TrainingService, 'list' | 'curves'> = new TrainingsStandIn(),
): Promise<ReportProject> {
  const dataDir = await temporaryFolder();
  const files = studyFiles(dataDir);
  for (const study of studies) {
    for (const run of study.runs) {
      const journal = await openJournal(files.journal(study.id, run.id));
      if (!journal.ok) throw new Error(journal.error.message);
      for (const { runId, event } of sampleEvents(study))
        if (runId === run.id) await journal.value.append(event);
      await journal.value.close();
    }
  }
  const opened = await openRegistry(join(dataDir, 'registry.json'));
  if (!opened.ok) throw new Error(opened.error.message);
  const registry = opened.value;
  await registry.update((data) => ({
    ...data,
    studies: studies.map((study) => ({
      study,
      stopped: null,
      elapsedMs: 1_000,
      progress: null,
      finishedAt: '2026-01-06T00:00:00.000Z',
      removed: false,
    })),
  }));
  const outlines = openBenchmarkOutlines(join(dataDir, 'outlines'));
  const library = outlines.extend(createBenchmarkLibrary({ dataDir, clock: () => 0 }));
  const archive = createStudyResults({
    registry,
    deps: { files, library, now: () => 0, appVersion: '1', digest: (text) => text },
    activeOf: () => undefined,
  });
  onTestFinished(() => archive.release());
  const running = new Set<string>();
  const comparison = createRunComparison({
    registry,
    results: archive,
    library,
    // No policy is trained for a test of reports: what needs its gradients is not measured.
    checkpoints: { ensure: async () => failed({ code: 'unavailable', message: 'No checkpoint is here.' }) },
  });
  const exhibits = createExhibitLibrary({
    builtInFolder: 'resources/exhibits',
    ownFolder: join(dataDir, 'exhibits'),
  });
  const views = studies.map((study) => ({ ...sampleStudyView(), study }));
  const deps: BundleDeps = {
    hues: hueAssignments(registry),
    comparison,
    fillExhibit: exhibitFilling({
      exhibits,
      comparison,
      studies: { list: () => views, inTrash: async () => [] },
      trainings,
    }),
    registry,
    library,
    journal: files.journal,
    regrade: files.regrade,
    outcomes: archive.outcomes,
    origins: { ofStudy: (id) => readOrigins(files, id), ofReproduction: async () => [] },
    draw: renderFigure,
    usage: async (request) => ({ ok: true, value: usageOf([], request, () => true, []) }),
    appVersion: '1.2.3',
    dataDir,
    outlines,
    exhibits: { save: async () => undefined },
    studies: {
      isRunning: (studyId) => running.has(studyId),
      folder: files.folder,
      readable: archive.readable,
      analysis: archive.analysis,
      exportCsv: archive.exportCsv,
      adopt: async (records) => {
        await registry.update((data) => ({ ...data, studies: [...data.studies, ...records] }));
        return { ok: true, value: null };
      },
      regrade: archive.regrade,
      saveRegrade: archive.saveRegrade,
    },
    experiments: {
      list: () => [],
      result: async () => ({ ok: false, error: { code: 'not-found', message: 'There is none.' } }),
      details: async () => ({ ok: false, error: { code: 'not-found', message: 'There is none.' } }),
      lines: async () => ({ ok: true, value: [] }),
      outcomeFiles: async () => [],
      folderOf: (id) => join(dataDir, 'experiments', id),
      exportCsv: async () => ({ ok: false, error: { code: 'not-found', message: 'There is none.' } }),
      adopt: async () => ({ ok: true, value: null }),
    },
    reproductions: {
      list: () => [],
      exhibitOf: () => null,
      outcomeFiles: async () => [],
      result: async () => ({ ok: false, error: { code: 'not-found', message: 'There is none.' } }),
      folder: (id) => join(dataDir, 'reproductions', id),
      adopt: async () => ({ ok: true, value: null }),
      ...reproductions,
    },
  };
  return { dataDir, registry, reports: createReportService(deps), deps, comparison, running };
}
