import { configurationOf, wholeNumber } from './arguments';
import { type CliOptions, given, UsageError } from './cli-options';
import { missingPart, searchOf } from './search-arguments';
import { ask, EXIT, finishStudy, type Host, outFolder, say, sayRefusal } from './study-command';

const MOST_SEED = 2_147_483_647;

export async function quickstart(workbench: Host, options: CliOptions): Promise<number> {
  const wished = options.needed('out');
  const order = given({
    seed: options.count('seed', 0, MOST_SEED),
    problems: options.count('problems', 1, 200),
    nodes: options.count('nodes', 1, 1_000),
    batch: options.count('batch', 1, 16),
    latencyMs: options.count('latency-ms', 0, 60_000),
    machineId: options.text('machine'),
  });
  const out = await outFolder(wished);
  if (!out.ok) return sayRefusal(out.error);
  const graded = await chooseGradingMachine(workbench, options);
  if (!graded.ok) return sayRefusal(graded.error);
  const started = await ask(workbench, 'quickstart.start', order);
  if (!started.ok) return sayRefusal(started.error);
  return finishStudy(workbench, started.value.studyId, { out: out.value, json: options.flag('json') });
}

export async function run(workbench: Host, options: CliOptions): Promise<number> {
  const out = options.needed('out');
  const benchmarkId = options.needed('benchmark');
  const configurations = options.all('configuration').map((text) => {
    const read = configurationOf(text);
    if (!read.ok) throw new UsageError(read.error.message);
    return read.value;
  });
  if (configurations.length === 0) throw new UsageError('--configuration NAME=AGENT is missing.');
  const names = configurations.map(({ configuration }) => configuration).join(' / ');
  const search = searchOf(options);
  const part = given({
    problems: options.count('problems', 1, 1_000_000),
    from: options.text('from'),
    to: options.text('to'),
  });
  const seeds = seedsOf(options);
  const missing = missingPart(options);
  if (missing !== null) say(missing);
  const folder = await outFolder(out);
  if (!folder.ok) return sayRefusal(folder.error);
  const graded = await chooseGradingMachine(workbench, options);
  if (!graded.ok) return sayRefusal(graded.error);
  const created = await ask(workbench, 'study.create', {
    name: options.text('name') ?? `${names} on ${benchmarkId}`.slice(0, 120),
    benchmarkId,
    configurations,
    seeds,
    search,
    includeExcluded: options.flag('include-excluded'),
    ...part,
  });
  if (!created.ok) return sayRefusal(created.error);
  return start(workbench, created.value.studyId, folder.value, options);
}

/** `--grade-on` is kept, as the window's setting is: a study that is resumed is graded where it began. */
async function chooseGradingMachine(workbench: Host, options: CliOptions) {
  const gradingMachine = options.text('grade-on');
  return ask(workbench, 'settings.change', gradingMachine === undefined ? {} : { gradingMachine });
}

export async function resume(workbench: Host, options: CliOptions): Promise<number> {
  const out = await outFolder(options.needed('out'));
  if (!out.ok) return sayRefusal(out.error);
  const list = await ask(workbench, 'study.list', {});
  if (!list.ok) return sayRefusal(list.error);
  const newest = list.value.findLast(({ state }) => state.kind !== 'finished');
  const studyId = options.words[0] ?? newest?.study.id;
  if (studyId === undefined) {
    say('No study is unfinished. See: list');
    return EXIT.failed;
  }
  return start(workbench, studyId, out.value, options);
}

async function start(workbench: Host, studyId: string, out: string, options: CliOptions): Promise<number> {
  const started = await ask(workbench, 'study.start', { studyId });
  if (!started.ok) return sayRefusal(started.error);
  return finishStudy(workbench, studyId, { out, json: options.flag('json') });
}

function seedsOf(options: CliOptions): number[] {
  return (options.text('seeds') ?? options.text('seed') ?? '1').split(',').map((text) => {
    const read = wholeNumber(text, 'seeds', 0, MOST_SEED);
    if (!read.ok || read.value === undefined)
      throw new UsageError('--seeds takes whole numbers, e.g. 1,2,3.');
    return read.value;
  });
}
