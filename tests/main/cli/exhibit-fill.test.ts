import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { dispatcher } from '../../../main/app/dispatch';
import { exhibitHandlers } from '../../../main/app/handlers/exhibit-handlers';
import { reportHandlers } from '../../../main/app/handlers/report-handlers';
import { createLongTasks } from '../../../main/app/long-tasks';
import { Emitter, ok } from '../../../main/base';
import { fillableText } from '../../../main/cli/exhibit-report';
import type { Host } from '../../../main/cli/host';
import { createExhibitLibrary } from '../../../main/exhibits';
import type { TrainingService } from '../../../main/trainings';
import type { Exhibit, ServerSpec, Study, TrainingCurve, WorkbenchEvent } from '../../../preload/contract';
import { fillAtHand, withAddedRuns } from '../../../preload/contract/plans';
import { builtInExhibit } from '../../support/plan-inputs';
import { reportProject } from '../../support/report-project';
import { sampleStudy } from '../../support/sample-study';
import { FIGURE_TRAININGS, TRAINED_FIGURE } from '../../support/sample-trained-figure';
import { temporaryFolder } from '../../support/temporary-folder';
import { typeCommand } from '../../support/typed-command';

/** The sample's journals, as if a small language model had written them. */
function deskStudy(): Study {
  const study = sampleStudy({ problems: 3, nodes: 4 });
  const server = (id: string): ServerSpec => ({
    ...{ kind: 'launch', id, model: id, launchId: id, maxInFlight: 1 },
    deskModel: 'SmolLM2-135M Q4_1',
  });
  const runs = study.runs.map((run) => ({
    ...run,
    scale: 'desk' as const,
    team: { ...run.team, servers: run.team.servers.map(({ id }) => server(id)) },
  }));
  return { ...study, scale: 'desk', runs };
}

async function hostOf(
  study: Study,
  { trainings, own }: { trainings?: Pick<TrainingService, 'list' | 'curves'>; own?: Exhibit } = {},
): Promise<Host> {
  const { reports, deps, dataDir } = await reportProject([study], {}, trainings);
  if (own !== undefined) {
    await mkdir(join(dataDir, 'exhibits'));
    await writeFile(join(dataDir, 'exhibits', `${own.id}.json`), JSON.stringify(own));
  }
  const exhibits = createExhibitLibrary({
    builtInFolder: 'resources/exhibits',
    ownFolder: join(dataDir, 'exhibits'),
  });
  const events = new Emitter<WorkbenchEvent>();
  const call = dispatcher(
    {
      ...exhibitHandlers({
        exhibits,
        fillExhibit: deps.fillExhibit,
        studies: { list: () => [] },
        trainings: { list: () => [] },
      }),
      ...reportHandlers({ reports, tasks: createLongTasks(events, () => 0) }),
    },
    (error) => {
      throw error;
    },
  );
  return { call, events };
}

const ROWS = ['--row', 'single-base=single', '--row', 'homogeneous-base=homogeneous'];

test('prints the rows that a study fills, with what answered in whose place', async () => {
  const study = deskStudy();
  const command = ['exhibits', 'fill', 'scaling-law', '--study', study.id, ...ROWS];
  const filled = await typeCommand(await hostOf(study), ...command);
  expect(filled).toMatchObject({ code: 0 });
  expect(filled.out).toMatch(/^Untrained: Ours: single +\d+\.\d \[.*\| - +\d+\.\d \[.*\| -$/m);
  expect(filled.out).toContain('Ours at desk scale');
  expect(filled.out).toContain('SmolLM2-135M Q4_1 in the place of Nemotron-32B');
  expect(filled.out).not.toMatch(/Trained|Pocket scale/);
  const reasons = filled.out.split("Not comparable with the paper's numbers:\n")[1]?.split('\n\n')[0];
  expect(reasons).toMatch(/^ {2}Desk scale: a small language model answers/);
  expect(reasons).toContain('  It covers 3 problems; the exhibit has 175.\n');
  expect(new Set(reasons?.split('\n')).size).toBe(reasons?.split('\n').length);
  // Lines in percent, as cells.
  expect(filled.out).toMatch(/ {2}\d+\.\d at 4$/m);
});

test('the ids that rows take are shown with the exhibit', () => {
  const text = fillableText(builtInExhibit('scaling-law'));
  expect(text).toMatch(/^single-base /m);
  expect(text).toContain('mars2 exhibits fill scaling-law --study STUDY --row ID=NAME');
  expect(text).not.toContain('single-trained');
});

test('is a report like others, whose manifest says how to make it again', async () => {
  const study = deskStudy();
  const { call } = await hostOf(study);
  const row = (configurationId: string, configuration: string) => ({ configurationId, configuration });
  const filled = [row('single-base', 'single'), row('homogeneous-base', 'homogeneous')];
  const fill = { exhibitId: 'scaling-law', studyId: study.id, filled };
  const path = join(await temporaryFolder(), 'exhibit.csv');
  const request = { source: { kind: 'filled-exhibit' as const, fill }, format: 'csv' as const };
  expect((await call('report.write', { request, path }, 'terminal')).ok).toBe(true);
  expect((await readFile(path, 'utf8')).match(/,SmolLM2-135M Q4_1,Nemotron-32B,1,1,desk,/g)).toHaveLength(2);
  expect(await readFile(`${path}.manifest.json`, 'utf8')).toContain(
    `exhibits fill scaling-law --study ${study.id} ${ROWS.join(' ')} --out DIR`,
  );
});

test('--line takes trainings for a line of a figure of one’s own, one a seed, and says which', async () => {
  const trainings: Pick<TrainingService, 'list' | 'curves'> = {
    list: () => FIGURE_TRAININGS,
    curves: async (id) => ok(['reader', 'tracer'].map((agentId) => evaluations(agentId, id))),
  };
  const { exhibit } = TRAINED_FIGURE;
  const host = await hostOf(deskStudy(), { trainings, own: exhibit });
  const fill = ['exhibits', 'fill', exhibit.id];
  const line = (seed: number) => ['--line', `together=training-heter-mars2-${seed}`];
  const two = await typeCommand(host, ...fill, ...line(12), ...line(11));
  expect(two.out).toMatch(/^Reader, with the tracer +done \(reused\) +3 +21\.5 at 2$/m);
  expect(two.out).toContain('seeds 11, 12; reader; mean of the trainings "Heter-MARS², seed 11"');
  expect(two.out).not.toContain('Reader alone');
  const whole = await typeCommand(host, ...fill);
  expect(whole.out).toMatch(/^Reader alone +done \(reused\) +3 +21\.0 at 2$/m);
  expect((await typeCommand(host, ...fill, '--line', 'together')).err).toContain('Write --line ID=TRAINING.');
  const unknown = await typeCommand(host, ...fill, '--line', 'together=gone');
  expect(unknown).toMatchObject({ code: 1, err: expect.stringContaining('There is no training "gone".') });
  expect(unknown.err).toContain('mars2 trainings list');
});

test('--out writes the first figure with values of ours, and with --figures all every one, under a name that says which it is', async () => {
  const study = deskStudy();
  const trainings: Pick<TrainingService, 'list' | 'curves'> = {
    list: () => FIGURE_TRAININGS,
    curves: async (id) => ok(['reader', 'tracer'].map((agentId) => evaluations(agentId, id))),
  };
  const own = withAddedRuns(TRAINED_FIGURE.exhibit, { id: study.id, configuration: 'single' });
  const folder = join(await temporaryFolder(), 'out');
  const host = await hostOf(study, { trainings, own });
  const out = ['exhibits', 'fill', own.id, '--out', folder];
  const first = await typeCommand(host, ...out);
  expect(first).toMatchObject({ code: 0, err: expect.stringContaining('5 files written') });
  const [figure, ...others] = await readdir(join(folder, 'figures'));
  expect(others).toEqual([]);
  const filled = await typeCommand(host, ...out, '--figures', 'all');
  expect(filled).toMatchObject({ code: 0, err: expect.stringContaining('6 files written') });
  const all = ['curves-pass-1-updates.one-column.pdf', 'curves-pass-n-nodes.one-column.pdf'];
  expect((await readdir(join(folder, 'figures'))).sort()).toEqual(all);
  expect(all).toContain(figure);
  expect(await readFile(join(folder, 'manifest.json'), 'utf8')).toContain('--figures all --out DIR');
  const fill = fillAtHand(own);
  if (fill === null) throw new Error('It names runs');
  const source = { kind: 'filled-exhibit', fill } as const;
  const parts = JSON.stringify(await host.call('report.parts', { source }, 'terminal'));
  expect(parts).toContain('How the reader learns: Pass@1 over updates"');
  expect(parts).toContain('How the reader learns: Pass@N over nodes"');
});

/** Made up: ends at 0.1 and a hundredth for each of the seed. */
function evaluations(agentId: string, trainingId: string): TrainingCurve {
  const end = 0.1 + Number(trainingId.slice(-2)) / 100;
  return {
    ...{ agentId, key: 'pass@1', part: 'evaluation', steps: [0, 1, 2], values: [0.1, 0.1, end] },
    ...{ samples: null, seconds: null },
  };
}

test.each([
  [[], 2, 'Name a row to fill: --row ID=CONFIGURATION.'],
  [['--row', 'single-base'], 2, '"single-base" is not a row. Write --row ID=CONFIGURATION.'],
  [['--row', 'single-trained=single'], 1, 'is trained by Vanilla GRPO'],
])('refuses %j and says what to write', async (rows, code, message) => {
  const study = deskStudy();
  const typed = await typeCommand(
    await hostOf(study),
    ...['exhibits', 'fill', 'scaling-law', '--study', study.id, ...rows],
  );
  expect([typed.code, typed.err]).toEqual([code, expect.stringContaining(message)]);
});
