import {
  type ComparedRuns,
  type Settings,
  type StudyView,
  trainingCutoffSchema,
} from '../../preload/contract/index';
import { type CliOptions, UsageError } from './cli-options';
import { comparisonText } from './comparison-report';
import { type CommandSpec, JSON_OPTION, option, repeated, VERBOSE_OPTION } from './grammar';
import { ask, EXIT, type Host, printJson, printRefusal, printStatus } from './host';
import { JUDGE_OPTIONS, serverAt } from './judge-options';
import { diversityText, warningText } from './report';
import { withTaskProgress } from './task-progress';

export const compareCommand: CommandSpec = {
  usage: 'compare <run-or-study...>',
  about: 'compare any runs of any studies: who solves what, gains, costs, differences',
  details: `Write ID or ID=LABEL. Runs with one label are pooled over their seeds; without a
label a run goes under the name of its configuration.`,
  options: [
    option('--diversity', 'measure diversity too'),
    repeated('--cutoff <model=month>', "last month or day of a model's training data; remembered"),
    ...JUDGE_OPTIONS,
    VERBOSE_OPTION,
    JSON_OPTION,
  ],
  run: compare,
};

async function compare(workbench: Host, options: CliOptions): Promise<number> {
  const studies = await ask(workbench, 'study.list', {});
  if (!studies.ok) return printRefusal(studies.error);
  const runs = options.words.flatMap((word) => parseRuns(word, studies.value));
  if (runs.length === 0) throw new UsageError('The runs or studies to compare are missing.');
  const cutoffs = parseCutoffs(options.all('cutoff'));
  if (Object.keys(cutoffs).length > 0) {
    const saved = await saveCutoffs(workbench, cutoffs);
    if (!saved.ok) return printRefusal(saved.error);
  }
  const compared = await withTaskProgress(workbench, 'comparison', () =>
    ask(workbench, 'comparison.read', { runs }),
  );
  if (!compared.ok) return printRefusal(compared.error);
  const diversity = options.flag('diversity') ? await diversityOf(workbench, options, runs) : null;
  if (diversity !== null && !diversity.ok) return printRefusal(diversity.error);
  for (const text of warningTexts(studies.value, runs)) printStatus(text);
  if (options.flag('json')) {
    const all = diversity === null ? compared.value : { ...compared.value, diversity: diversity.value };
    printJson(all);
  } else {
    process.stdout.write(comparisonText(compared.value, options.flag('verbose')));
    // What is damaged is said with the comparison.
    if (diversity !== null) process.stdout.write(`\n${diversityText({ ...diversity.value, damage: [] })}`);
  }
  return EXIT.done;
}

/** The warnings that a study's screen shows: without them its numbers would stand alone. */
function warningTexts(studies: readonly StudyView[], runs: ComparedRuns): readonly string[] {
  const compared = studies.filter(({ study }) =>
    study.runs.some(({ id }) => runs.some(({ runId }) => runId === id)),
  );
  return compared.flatMap(({ study, warnings }) =>
    warnings.map((warning) => `${compared.length > 1 ? `${study.name}: ` : ''}${warningText(warning)}`),
  );
}

function diversityOf(workbench: Host, options: CliOptions, runs: ComparedRuns) {
  const judge = serverAt(options.text('judge'));
  const similarity = serverAt(options.text('similarity'));
  return withTaskProgress(workbench, 'diversity', () =>
    ask(workbench, 'comparison.diversity', {
      runs,
      ...(judge === undefined ? {} : { judge }),
      ...(similarity === undefined ? {} : { similarity }),
    }),
  );
}

/** MODEL=2024-10 or MODEL=2024-10-31; the model's name may contain "=". */
export function parseCutoffs(texts: readonly string[]): Settings['modelCutoffs'] {
  return Object.fromEntries(
    texts.map((text) => {
      const at = text.lastIndexOf('=');
      const date = trainingCutoffSchema.safeParse(text.slice(at + 1));
      if (at < 1 || !date.success)
        throw new UsageError(`--cutoff takes MODEL=2024-10 or MODEL=2024-10-31, not "${text}".`);
      return [text.slice(0, at), date.data];
    }),
  );
}

/** As a setting, so that the window and later exports have them too. */
async function saveCutoffs(workbench: Host, cutoffs: Settings['modelCutoffs']) {
  const settings = await ask(workbench, 'settings.read', {});
  if (!settings.ok) return settings;
  const { modelCutoffs } = settings.value;
  return ask(workbench, 'settings.change', { modelCutoffs: { ...modelCutoffs, ...cutoffs } });
}

/** Ids of runs contain no "=". An id that is no study is taken for a run; the comparison reports an unknown one. */
export function parseRuns(word: string, studies: readonly StudyView[]): ComparedRuns {
  const [id = '', ...rest] = word.split('=');
  const label = rest.length === 0 ? {} : { label: rest.join('=') };
  const study = studies.find((study) => study.study.id === id)?.study;
  if (study === undefined) return [{ runId: id, ...label }];
  return study.runs.map((run) => ({ runId: run.id, ...label }));
}
