import {
  foldRun,
  hasOtherLimits,
  JOURNAL_VERSION,
  planChanges,
  type Refusal,
  type RunConfig,
  type RunEvent,
  type RunView,
  type Study,
} from '../../preload/contract/index';
import { failed, ok, RANDOM_VERSION, type Result } from '../base/index';
import type { Grader } from '../grading/index';
import { type Journal, openJournal, withoutDetail } from '../storage/index';

/**
 * One run while it may grow: its journal, and the view that the journal's events fold to.
 * An event is written to the journal's file before listeners get it (and synced to the disk within a second). What the plan has
 * otherwise than the journal (`config`; the study was extended) is recorded when it is opened.
 */
export type RunSession = {
  readonly config: RunConfig;
  readonly journal: Journal;
  readonly view: () => RunView;
  readonly append: (event: RunEvent) => Promise<void>;
  readonly close: () => Promise<void>;
};

export async function openRunSession(options: {
  readonly path: string;
  readonly config: RunConfig;
  /** Left out: one that was never extended. */
  readonly study?: Pick<Study, 'extensions'>;
  readonly appVersion: string;
  /** The grader from now on; recorded when the run begins. */
  readonly grader: Pick<Grader, 'python' | 'isolation' | 'cpuFactor'> &
    Partial<Pick<Grader, 'choice' | 'packages'>>;
  readonly now: () => number;
  readonly onEvent: (event: RunEvent) => void;
}): Promise<Result<RunSession, Refusal>> {
  const opened = await openJournal(options.path);
  if (!opened.ok) return opened;
  const journal = opened.value;
  const { grader } = options;
  const first = journal.events()[0];
  if (first === undefined) {
    await journal.append({
      kind: 'run-started',
      at: options.now(),
      journalVersion: JOURNAL_VERSION,
      appVersion: options.appVersion,
      randomVersion: RANDOM_VERSION,
      config: options.config,
      grader: {
        python: grader.python,
        isolation: grader.isolation,
        cpuFactor: grader.cpuFactor,
        ...grader.choice,
        ...(grader.packages === undefined
          ? {}
          : { packages: grader.packages.map(({ name, version }) => `${name} ${version}`) }),
      },
    });
  } else if (first.kind !== 'run-started') {
    await journal.close();
    return failed({
      code: 'bad-input',
      message: `The journal ${options.path} does not begin with its run's configuration, so the run cannot be continued.`,
      hint: 'Start a new study. The file was not changed.',
    });
  } else if (first.randomVersion !== RANDOM_VERSION) {
    await journal.close();
    return failed({
      code: 'conflict',
      message: `This run began with the random generator ${first.randomVersion}; this version has ${RANDOM_VERSION} and would continue it differently.`,
      hint: 'Finish it with the version that began it, or start a new study.',
    });
  }

  let view = foldRun(null, journal.events());
  // Folding event by event would copy a tree's nodes each time: fold only when the view is requested.
  let unfolded: RunEvent[] = [];
  const currentView = (): RunView => {
    if (unfolded.length > 0) {
      view = foldRun(view, unfolded);
      unfolded = [];
    }
    if (view === null) throw new Error(`The journal ${options.path} has no run-started event`);
    return view;
  };
  const append = async (event: RunEvent): Promise<void> => {
    await journal.append(event);
    const slim = withoutDetail(event);
    unfolded.push(slim);
    options.onEvent(slim);
  };
  const changes = { at: options.now(), limitsChanged: hasOtherLimits(options.study ?? {}) };
  for (const change of planChanges(currentView(), options.config, changes)) await append(change);
  return ok({ config: options.config, journal, view: currentView, append, close: () => journal.close() });
}
