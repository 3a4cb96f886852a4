import type { ComparedRuns, StudyView } from '../../preload/contract/index';
import { type CliOptions, UsageError } from './cli-options';
import { comparisonText } from './comparison-report';
import { diversityText } from './report';
import { ask, EXIT, type Host, sayRefusal } from './study-command';
import { serverAt } from './study-commands';
import { followingTask } from './task-progress';

/** Any runs and whole studies side by side, each as ID or ID=LABEL. */
export async function compare(workbench: Host, options: CliOptions): Promise<number> {
  const studies = await ask(workbench, 'study.list', {});
  if (!studies.ok) return sayRefusal(studies.error);
  const runs = options.words.flatMap((word) => runsNamed(word, studies.value));
  if (runs.length === 0) throw new UsageError('The runs or studies to compare are missing.');
  const compared = await followingTask(workbench, 'comparison', () =>
    ask(workbench, 'comparison.read', { runs }),
  );
  if (!compared.ok) return sayRefusal(compared.error);
  const diversity = options.flag('diversity') ? await diversityOf(workbench, options, runs) : null;
  if (diversity !== null && !diversity.ok) return sayRefusal(diversity.error);
  if (options.flag('json')) {
    const all = diversity === null ? compared.value : { ...compared.value, diversity: diversity.value };
    process.stdout.write(`${JSON.stringify(all, null, 2)}\n`);
  } else {
    process.stdout.write(comparisonText(compared.value));
    if (diversity !== null) process.stdout.write(`\n${diversityText(diversity.value)}`);
  }
  return EXIT.done;
}

function diversityOf(workbench: Host, options: CliOptions, runs: ComparedRuns) {
  const judge = serverAt(options.text('judge'));
  const similarity = serverAt(options.text('similarity'));
  return followingTask(workbench, 'diversity', () =>
    ask(workbench, 'comparison.diversity', {
      runs,
      ...(judge === undefined ? {} : { judge }),
      ...(similarity === undefined ? {} : { similarity }),
    }),
  );
}

/** Ids of runs hold no "=". What is no study is taken for a run; the comparison says so where it is none. */
export function runsNamed(word: string, studies: readonly StudyView[]): ComparedRuns {
  const [id = '', ...rest] = word.split('=');
  const label = rest.length === 0 ? {} : { label: rest.join('=') };
  const study = studies.find((one) => one.study.id === id)?.study;
  if (study === undefined) return [{ runId: id, ...label }];
  return study.runs.map((run) => ({ runId: run.id, ...label }));
}

/** Writes a note and tags to a study; what is not given stays as it is. */
export async function annotate(workbench: Host, options: CliOptions): Promise<number> {
  const studyId = options.word(0, 'The study');
  const [note, tags] = [options.text('note'), options.text('tags')];
  if (note === undefined && tags === undefined) throw new UsageError('--note TEXT or --tags A,B is missing.');
  const studies = await ask(workbench, 'study.list', {});
  if (!studies.ok) return sayRefusal(studies.error);
  const known = studies.value.find(({ study }) => study.id === studyId);
  const written = await ask(workbench, 'study.annotate', {
    studyId,
    note: note ?? known?.note ?? '',
    tags: tags === undefined ? (known?.tags ?? []) : tags.split(',').filter((tag) => tag !== ''),
  });
  if (!written.ok) return sayRefusal(written.error);
  const { study, note: kept = '', tags: tagged = [] } = written.value;
  if (options.flag('json'))
    process.stdout.write(`${JSON.stringify({ studyId: study.id, note: kept, tags: tagged })}\n`);
  else process.stdout.write(`${study.id}  ${tagged.join(', ') || 'no tags'}  ${kept}\n`);
  return EXIT.done;
}
