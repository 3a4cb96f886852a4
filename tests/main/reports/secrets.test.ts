import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { expect, it } from 'vitest';
import { openJournal } from '../../../main/storage';
import { exportStudy } from '../../../main/studies/study-export';
import type { RunEvent, Study } from '../../../preload/contract';
import { foldRun, type RunView } from '../../../preload/contract/folds';
import { type ReportProject, reportProject } from '../../support/report-project';
import { sampleExhibit, sampleReproduction, sampleResult } from '../../support/sample-exhibits';
import { sampleEvents, sampleStudy } from '../../support/sample-study';
import { temporaryFolder } from '../../support/temporary-folder';

/** Stands in every secret below, so that any of them is found in a file. */
const MARK = 'PLANTED';
let planted = 0;
/** A new secret after this start of a known form. */
const secret = (start = ''): string => {
  planted += 1;
  return `${start}${MARK}${planted}abcdefgh`;
};

function valued<T>(answer: { ok: true; value: T } | { ok: false; error: { message: string } }): T {
  if (!answer.ok) throw new Error(answer.error.message);
  return answer.value;
}

/** Keys where a study can have them: names, labels, prompts, addresses of servers. */
function studyWithSecrets(): Study {
  const plain = sampleStudy({ problems: 3, nodes: 4, name: `Monday ${secret('sk-')}` });
  const runs = plain.runs.map((run, at) => {
    const [server, ...others] = run.team.servers;
    const [agent, ...agents] = run.team.agents;
    if (at !== 0 || server === undefined || agent === undefined) return run;
    const url = {
      kind: 'url' as const,
      id: server.id,
      model: 'm',
      baseUrl: `https://ada:${secret()}@host/v1?api_key=${secret()}`,
      maxInFlight: 4,
    };
    const role = { name: 'solver', systemPrompt: `Ask with "Authorization: Bearer ${secret()}".` };
    return {
      ...run,
      configuration: `single HF_TOKEN=${secret('hf_')}`,
      team: { ...run.team, servers: [url, ...others], agents: [{ ...agent, role }, ...agents] },
    };
  });
  return { ...plain, runs };
}

const EXHIBIT = sampleExhibit('homogeneous');
const REPRODUCTION = sampleReproduction({ exhibitId: 'homogeneous', done01: 1 });

/** A lab with a key in each place that it has for one. */
async function labWithSecrets(): Promise<{ readonly project: ReportProject; readonly study: Study }> {
  const study = studyWithSecrets();
  const project = await reportProject([study], {
    list: () => [REPRODUCTION],
    exhibitOf: () => EXHIBIT,
    result: async () => ({ ok: true, value: sampleResult(EXHIBIT, 'pocket', REPRODUCTION) }),
  });
  await project.registry.update((data) => ({
    ...data,
    settings: { ...data.settings, webhookUrl: `https://hooks.slack.com/services/${secret()}` },
    studies: data.studies.map((record) => ({
      ...record,
      note: `Log in with: wandb login ${secret()}0123456789`,
      tags: [`token=${secret()}`],
    })),
  }));
  // A program that a model wrote, and what a server said.
  for (const run of study.runs) {
    const path = project.deps.journal(study.id, run.id);
    const events: RunEvent[] = sampleEvents(study).flatMap(({ runId, event }) =>
      runId === run.id ? [event] : [],
    );
    const node = events.findIndex((event) => event.kind === 'node-added');
    const added = events[node];
    if (added?.kind !== 'node-added') throw new Error('The sample has nodes.');
    const program = `key = "${secret('sk-')}"\nprint(1)\n`;
    const answer = `-----BEGIN RSA PRIVATE KEY-----\n${secret()}\n-----END RSA PRIVATE KEY-----\nDone.`;
    const publicGrade = { verdict: 'passed' as const, results: [] };
    events[node] = { ...added, detail: { program, answer, promptDigest: '0', publicGrade } };
    await writeFile(path, '');
    const journal = valued(await openJournal(path));
    for (const event of events) await journal.append(event);
    await journal.close();
  }
  const folder = project.deps.reproductions.folder(REPRODUCTION.id);
  await mkdir(folder, { recursive: true });
  const launch = {
    id: 'served',
    env: { WANDB_API_KEY: secret(), SOMETHING: secret() },
    commandLine: `vllm serve m --odd ${secret()}`,
    extraArguments: `--api-key ${secret()} --other ${secret()}`,
  };
  const request = { name: 'x', setUp: `export KEY=${secret()}`, env: { AWS_SECRET_ACCESS_KEY: secret() } };
  const work = { serve: { server: { place: { launch } } }, train: { order: request } };
  await writeFile(join(folder, 'plan.json'), JSON.stringify({ version: 1, work }));
  const decision = { at: 'now', text: `The server refused "Bearer ${secret()}".` };
  await writeFile(join(folder, 'decisions.jsonl'), `${JSON.stringify(decision)}\n{"text":"${secret()}`);
  return { project, study };
}

const TABLES = ['csv', 'csv-long', 'latex', 'markdown', 'json'] as const;
/** The packed formats draw the same labels. */
const FIGURES = ['csv', 'json', 'svg'] as const;

async function filesUnder(folder: string): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>();
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isFile()) continue;
    const bytes = await readFile(path);
    files.set(path, bytes);
    if (!path.endsWith('.zip')) continue;
    for (const [name, inside] of Object.entries(unzipSync(bytes)))
      files.set(`${path}/${name}`, Buffer.from(inside));
  }
  return files;
}

it('no file that leaves the workbench has a key that was planted anywhere in it', async () => {
  const { project, study } = await labWithSecrets();
  const out = await temporaryFolder();
  const { reports } = project;
  const sources = [
    { kind: 'study' as const, studyId: study.id },
    { kind: 'reproduction' as const, reproductionId: REPRODUCTION.id },
  ];
  for (const source of sources) {
    for (const { id, kind } of valued(await reports.parts(source))) {
      const formats = kind === 'table' ? TABLES : FIGURES;
      for (const format of formats) {
        const request = { source, format, part: id, width: 'one-column' as const };
        valued(await reports.write({ request, path: join(out, `${source.kind}-${id}.${format}`) }));
      }
    }
    valued(await reports.writeBundle({ source, path: join(out, `${source.kind}.zip`) }));
    await writeFile(
      join(out, `${source.kind}.txt`),
      JSON.stringify(valued(await reports.bundleContents(source))),
    );
  }
  const views: RunView[] = [];
  for (const { id } of study.runs) {
    const lines = (await readFile(project.deps.journal(study.id, id), 'utf8')).trim().split('\n');
    const events = lines.map((line) => JSON.parse(line) as RunEvent);
    const view = foldRun(null, events);
    if (view !== null) views.push(view);
  }
  const { analysis } = valued(
    await project.deps.comparison.read(study.runs.map(({ id }) => ({ runId: id }))),
  );
  for (const kind of ['table', 'curves', 'pairs', 'breakdowns', 'nodes', 'marti'] as const) {
    const path = join(out, kind === 'marti' ? 'scores' : `${kind}.csv`);
    valued(await exportStudy({ kind, path }, { analysis: async () => analysis, views: async () => views }));
  }

  const files = await filesUnder(out);
  expect(planted).toBeGreaterThan(15);
  expect([...files].flatMap(([path, bytes]) => (bytes.includes(MARK) ? [path] : []))).toEqual([]);
  // Programs and names are still there without their keys.
  const named = (ending: string): string =>
    [...files].find(([path]) => path.endsWith(ending))?.[1].toString() ?? '';
  expect(named(`study.zip/studies/${study.id}/${study.runs[0]?.id}.jsonl`)).toContain('key = \\"•••\\"');
  expect(named(`reproduction.zip/reproductions/${REPRODUCTION.id}/plan.json`)).toContain('"SOMETHING":"•••"');
});

it('a bundle without its keys opens in another lab with the same tables', async () => {
  const { project, study } = await labWithSecrets();
  const path = join(await temporaryFolder(), 'x.zip');
  valued(await project.reports.writeBundle({ source: { kind: 'study', studyId: study.id }, path }));
  const lab = await reportProject();
  expect(valued(await lab.reports.openBundle(path)).differing).toEqual([]);
});
