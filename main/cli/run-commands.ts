import { PRESETS, sweptConfigurations } from '../../preload/contract/index';
import { ok } from '../base/index';
import { configurationOf } from './agent-arguments';
import { lookUpAgents } from './agent-lookup';
import { type CliOptions, definedOnly, UsageError } from './cli-options';
import { type CommandSpec, JSON_OPTION, option, repeated, VERBOSE_OPTION } from './grammar';
import { ask, EXIT, type Host, outFolder, outFolderOf, printRefusal, printStatus } from './host';
import { missingPart, searchOf } from './search-arguments';
import { displayOf, finishStudy } from './study-progress';

const MAX_SEED = 2_147_483_647;

const OUT_OPTION = option('--out <dir>', 'required: folder for the CSV files (created when missing)');
const GRADE_ON_OPTION = option('--grade-on <machine>', 'where programs are graded; saved for later studies');

export const quickstartCommand: CommandSpec = {
  usage: 'quickstart',
  about: 'search with pocket agents alone and in teams, print the comparison, write CSV',
  details: `Compares two agents alone, a homogeneous and a heterogeneous team on generated
problems (pocket scale: no GPU, no network). Writes table.csv, nodes.csv and
curves.csv.`,
  options: [
    OUT_OPTION,
    option('--problems <n>', 'problems of the pocket test split, 1 to 200 (default: 60)'),
    option('--nodes <n>', 'nodes of one search tree, 1 to 1000 (default: 24)'),
    option('--batch <n>', 'expansions in flight in one tree, 1 to 16 (default: 1)'),
    option('--seed <n>', 'seed of the search (default: 1)'),
    option('--latency-ms <n>', 'delay of every answer, to watch the search, milliseconds (default: 0)'),
    option('--machine <id>', 'where the model servers run (default: this computer)'),
    GRADE_ON_OPTION,
    VERBOSE_OPTION,
    JSON_OPTION,
  ],
  run: quickstart,
};

export const runCommand: CommandSpec = {
  usage: 'run',
  about: 'search with teams of your choice over a benchmark of the library',
  details: `--configuration takes NAME=AGENT, or NAME=AGENT,AGENT,... for a team.
AGENT: pocket:reader, pocket:tracer, pocket:weak, recorded:ID, launch:ID,
checkpoint:TRAINING:CHECKPOINT (see: mars2 trainings checkpoints TRAINING),
server:ID of a server that runs (see: mars2 servers list),
url:http://host:port/v1#MODEL. An agent named again plays another role. Braces
after an agent set role, prompt, temperature, top-p, max-tokens, nodes and tokens
(its budget in one tree), extraction, machine (where a pocket or recorded
agent runs; which one sees a url) and key (its name, for url):
  pocket:reader{role=solver,temperature=0.6,nodes=20}
format=NAME chooses how an agent is asked: workbench (default), bare (the statement
alone), completion or completion-trimmed (base models: the starter code is continued
as plain text, with --strategy repeated) or file:PATH (a template of your own;
docs/search.md).
--strategy names a preset of settings; --beliefs, --selection, --depth-guidance, --feedback,
--score, --tie and the reward model change a part of it. --sweep FIELD=VALUE,VALUE searches with
each value of an option of the strategy (mcts: exploration, samples; ab-mcts-a: beliefs,
selection, depthGuidance; ...), or of nodes, score, tie and feedback: a configuration for each.
All of them ask the same model servers. Servers of launches start together, before the search. On a
Slurm cluster, launches that request the same are one job array.

Example
  mars2 run --benchmark pocket-test-1-60 --configuration alone=pocket:reader \\
    --configuration team=pocket:reader,pocket:tracer --nodes 24 --out results`,
  options: [
    option('--benchmark <id>', 'required: a benchmark of the library (see: mars2 benchmarks list)'),
    repeated('--configuration <name=agents>', 'required: a single agent or a team; repeat it'),
    option('--problems <n>', 'the first n problems (default: all)'),
    option('--from <day>', 'problems of contests from this day on, e.g. 2025-01-01'),
    option('--to <day>', 'problems of contests up to this day'),
    option('--include-excluded', 'also problems that are marked as excluded'),
    option('--with-public-tests', 'only problems that have public tests, which guide the search'),
    option('--strategy <name>', `${PRESETS.map(({ id }) => id).join(', ')} (default: ab-mcts-a)`),
    option('--beliefs <name>', 'posterior of an option: gaussian or beta'),
    option('--selection <name>', 'how an option is chosen: thompson, ucb or stack'),
    option('--depth-guidance <on|off>', 'prefer deeper nodes as a tree grows'),
    option('--feedback <name>', 'verdicts, errors or marti'),
    option('--score <name>', 'score of a node: fraction of public tests passed, or 1 for all'),
    option('--tie <name>', 'answer among equal scores: earliest or latest node'),
    option('--reward-model <source>', 'pocket, pocket:SEED or an http address'),
    option('--reward-use <name>', 'choice or score (default: choice)'),
    option('--reward-weight <w>', '0 to 1 (default: 0.2)'),
    repeated(
      '--sweep <field=values>',
      'each configuration with each of these values, e.g. exploration=0.5,1.4; repeat it for all combinations',
    ),
    option('--grading <mode>', 'as-program or as-published (default: as-program)'),
    GRADE_ON_OPTION,
    option('--nodes <n>', 'nodes of one tree (default: 60)'),
    option('--samples <n>', 'independent samples of an agent for Pass@1 (default: 8; 0 with repeated)'),
    option('--tree-tokens <n>', 'token budget of one tree'),
    option('--tree-seconds <s>', 'time budget of one tree'),
    option('--stop-when-solved', 'end a tree when a program passes the public tests'),
    option('--batch <n>', 'expansions in flight in one tree (default: 1)'),
    option(
      '--order <name>',
      'asked: results of a batch are applied in request order (reproducible); arrival: as they come (default: asked)',
    ),
    option(
      '--seeds <list>',
      'which seeds, e.g. 1,2,3 or 1-3: a run of every configuration for each (default: 1)',
    ),
    option('--name <text>', 'name of the study'),
    OUT_OPTION,
    VERBOSE_OPTION,
    JSON_OPTION,
  ],
  run,
};

export const resumeCommand: CommandSpec = {
  usage: 'resume [study]',
  about: 'resume a study that was paused, interrupted or killed (the newest unfinished one)',
  details:
    'Shows its progress until it ends; Ctrl+C pauses it. Where every study is finished: prints the newest one.',
  options: [
    option('--out <dir>', 'folder for the CSV files of the finished study (default: none are written)'),
    VERBOSE_OPTION,
    JSON_OPTION,
  ],
  run: resume,
};

async function quickstart(workbench: Host, options: CliOptions): Promise<number> {
  const requestedOut = options.required('out');
  const request = definedOnly({
    seed: options.count('seed', 0, MAX_SEED),
    problems: options.count('problems', 1, 200),
    nodes: options.count('nodes', 1, 1_000),
    batch: options.count('batch', 1, 16),
    latencyMs: options.count('latency-ms', 0, 60_000),
    machineId: options.text('machine'),
  });
  const out = await outFolder(requestedOut);
  if (!out.ok) return printRefusal(out.error);
  const graded = await chooseGradingMachine(workbench, options);
  if (!graded.ok) return printRefusal(graded.error);
  const started = await ask(workbench, 'quickstart.start', request);
  if (!started.ok) return printRefusal(started.error);
  return finishStudy(workbench, started.value.studyId, displayOf(options, out.value));
}

async function run(workbench: Host, options: CliOptions): Promise<number> {
  options.requireAll('benchmark', 'configuration', 'out');
  const out = options.required('out');
  const benchmarkId = options.required('benchmark');
  const known = await lookUpAgents(workbench, options.all('configuration'));
  if (!known.ok) return printRefusal(known.error);
  const configurations = options.all('configuration').map((text) => {
    const read = configurationOf(text, known.value);
    if (!read.ok) throw new UsageError(read.error.message);
    return read.value;
  });
  if (configurations.length === 0) throw new UsageError('--configuration NAME=AGENT is missing.');
  const names = configurations.map(({ configuration }) => configuration).join(' / ');
  const search = searchOf(options);
  const swept = sweptConfigurations(configurations, search, options.swept());
  if (!swept.ok) throw new UsageError(`--sweep: ${swept.problem.message}`);
  const part = definedOnly({
    problems: options.count('problems', 1, 1_000_000),
    from: options.text('from'),
    to: options.text('to'),
  });
  const seeds = options.seeds() ?? [1];
  const missing = missingPart(options);
  if (missing !== null) printStatus(missing);
  const folder = await outFolder(out);
  if (!folder.ok) return printRefusal(folder.error);
  const graded = await chooseGradingMachine(workbench, options);
  if (!graded.ok) return printRefusal(graded.error);
  const created = await ask(workbench, 'study.create', {
    name: options.text('name') ?? `${names} on ${benchmarkId}`.slice(0, 120),
    benchmarkId,
    configurations: [...swept.value],
    seeds,
    search,
    includeExcluded: options.flag('include-excluded'),
    needsPublicTests: options.flag('with-public-tests'),
    ...part,
  });
  if (!created.ok) return printRefusal(created.error);
  return start(workbench, created.value.studyId, folder.value, options);
}

/** `--grade-on` is saved, as the window's setting is: a study that is resumed is graded on the same machine. */
async function chooseGradingMachine(workbench: Host, options: CliOptions) {
  const gradingMachine = options.text('grade-on');
  return ask(workbench, 'settings.change', gradingMachine === undefined ? {} : { gradingMachine });
}

async function resume(workbench: Host, options: CliOptions): Promise<number> {
  const list = await ask(workbench, 'study.list', {});
  if (!list.ok) return printRefusal(list.error);
  const studies = list.value;
  const unfinished = studies.findLast(({ state }) => state.kind !== 'finished');
  const studyId = options.words[0] ?? (unfinished ?? studies.at(-1))?.study.id;
  if (studyId === undefined) {
    printStatus('There are no studies to resume. Start one with: mars2 quickstart --out DIR');
    return EXIT.failed;
  }
  const named = studies.find(({ study }) => study.id === studyId);
  const out = named === undefined ? ok(null) : await outFolderOf(options);
  if (!out.ok) return printRefusal(out.error);
  // A command that ended between its study's end and its tables leaves only those.
  if (named?.state.kind === 'finished') {
    printStatus(
      options.words[0] === undefined
        ? `Nothing to resume: every study is finished. This is the newest one, ${studyId}.`
        : `The study ${studyId} is already finished.`,
    );
    return finishStudy(workbench, studyId, displayOf(options, out.value));
  }
  return start(workbench, studyId, out.value, options);
}

async function start(
  workbench: Host,
  studyId: string,
  out: string | null,
  options: CliOptions,
): Promise<number> {
  const started = await ask(workbench, 'study.start', { studyId });
  if (!started.ok) return printRefusal(started.error);
  return finishStudy(workbench, studyId, displayOf(options, out));
}
