import {
  extensionCost,
  extensionKind,
  extensionNote,
  extensionText,
  looksSentence,
  PRESETS,
  type SearchChange,
  studyIsRunning,
} from '../../preload/contract/index';
import { configurationOf } from './agent-arguments';
import { lookUpAgents } from './agent-lookup';
import { type CliOptions, definedOnly, UsageError } from './cli-options';
import { type CommandSpec, JSON_OPTION, option, repeated } from './grammar';
import { ask, EXIT, type Host, printJson, printRefusal, printStatus } from './host';

export const extendStudyCommand: CommandSpec = {
  usage: 'extend <study>',
  about: 'more seeds, problems or configurations of a study, or other limits of its trees',
  details: `Everything that it has stays as it is; 'mars2 resume' then searches what is new. A study that runs stops for
it and goes on by itself: programs on their way then are asked for again. Where results were there before, its tables
say that their intervals do not account for looking again. Where a new agent does not answer, --take-back gives the
study back as it was; journals that were begun for it are kept in its folder, under taken-back.`,
  options: [
    option('--seeds <list>', 'seeds that it does not have, e.g. 4,5 or 4-8'),
    option('--problems <n>', 'how many problems it has then, the next ones of its benchmark'),
    option('--nodes <n>', 'nodes of one tree then. More: every tree goes on. Fewer: the first ones count'),
    option('--tree-tokens <n>', 'most tokens of one tree then; max: no limit'),
    option('--tree-seconds <n>', 'most seconds of writing and grading of one tree then; max: no limit'),
    repeated(
      '--configuration <name=agents>',
      'as for run, also of agents that it did not ask yet; repeat it',
    ),
    option('--strategy <name>', "of these configurations (default: the study's)"),
    option(
      '--take-back',
      'alone: takes the seeds and configurations of its last extension out of the plan again',
    ),
    option('--yes', 'do it; without it the command only says what it would add'),
    JSON_OPTION,
  ],
  run: extendStudy,
};

async function extendStudy(workbench: Host, options: CliOptions): Promise<number> {
  const studyId = options.word(0, 'The study');
  const apply = options.flag('yes');
  const search = strategyOf(options);
  const known = await lookUpAgents(workbench, options.all('configuration'));
  if (!known.ok) return printRefusal(known.error);
  const configurations = options.all('configuration').map((text) => {
    const read = configurationOf(text, known.value);
    if (!read.ok) throw new UsageError(read.error.message);
    return { ...read.value, ...search };
  });
  if (search !== undefined && configurations.length === 0)
    throw new UsageError('--strategy needs --configuration: it is the strategy of what is added.');
  const extended = await ask(workbench, 'study.extend', {
    ...{ studyId, apply },
    ...definedOnly({
      seeds: options.seeds(),
      problems: options.count('problems', 1, 1_000_000),
      nodes: options.count('nodes', 1, 100_000),
      tokens: tokensOf(options),
      seconds: secondsOf(options),
    }),
    ...(configurations.length === 0 ? {} : { configurations }),
    ...(options.flag('take-back') && { takeBack: true as const }),
  });
  if (!extended.ok) return printRefusal(extended.error);
  if (options.flag('json')) return printJson({ applied: apply, ...extended.value });
  const { extension, programs } = extended.value;
  const what = `${extensionText(extension)}: ${extensionCost(programs)}.`;
  const kind = extensionKind(extension);
  if (!apply) {
    printStatus(`This would ${WORDS[kind].would} ${what}`);
    const looks = looksSentence({ extensions: [extension] });
    if (looks !== null) printStatus(`Its results are there already. ${looks.caution}`);
    const note = extensionNote(extension);
    if (note !== null) printStatus(note);
    printStatus('To do it, repeat the command with --yes.');
    return EXIT.done;
  }
  printStatus(`${WORDS[kind].done} ${what}`);
  const studies = await ask(workbench, 'study.list', {});
  const view = studies.ok ? studies.value.find(({ study }) => study.id === studyId) : undefined;
  if (view?.state.kind === 'finished') printStatus('The study is finished.');
  else if (view !== undefined && studyIsRunning(view.state)) printStatus('The study goes on with it.');
  else printStatus(`Search what is new with: mars2 resume ${studyId}`);
  return EXIT.done;
}

const WORDS = {
  adds: { would: 'add', done: 'Added' },
  sets: { would: 'set', done: 'Set' },
  'takes back': { would: 'take back', done: 'Took back' },
} as const;

/** null: no limit. */
function tokensOf(options: CliOptions): number | null | undefined {
  return options.text('tree-tokens') === 'max' ? null : options.count('tree-tokens', 1, 1_000_000_000);
}

function secondsOf(options: CliOptions): number | null | undefined {
  return options.text('tree-seconds') === 'max' ? null : options.number('tree-seconds', 0.001, 1_000_000);
}

/** The method of a preset, as a change of the study's. */
function strategyOf(options: CliOptions): { readonly search: SearchChange } | undefined {
  const id = options.choice(
    'strategy',
    PRESETS.map((preset) => preset.id),
  );
  const preset = PRESETS.find((candidate) => candidate.id === id);
  if (preset === undefined) return undefined;
  const { guided: _guided, ...method } = preset.method;
  return { search: method };
}
