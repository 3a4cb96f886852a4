import { describe, expect, test } from 'vitest';
import { treeKey } from '../../../preload/contract/folds';
import { createWorkbenchState, readyValue, type WorkbenchState } from '../../../renderer/state';
import { nodeKey } from '../../../renderer/state/resource-keys';
import { catchingFailures } from '../../../renderer/workbench-client';
import { eventually } from '../../support/eventually';
import { memoryLocation } from '../../support/memory-location';
import {
  createSampleWorkbench,
  type SampleOptions,
  type SampleWorkbench,
} from '../../support/sample-workbench';

const STUDY = 'study-1';
const RUN = 'study-1.single.1';
const PROBLEM = 'pocket/test/001';

function open(options: SampleOptions = {}): { sample: SampleWorkbench; state: WorkbenchState } {
  const sample = createSampleWorkbench({ problems: 4, ...options });
  return { sample, state: createWorkbenchState(catchingFailures(sample.api), memoryLocation()) };
}

const resolved = (state: WorkbenchState) =>
  eventually(
    'studies and settings',
    () =>
      state.studies.store.getState().kind !== 'loading' && state.settings.store.getState().kind !== 'loading',
  );

describe('runs', () => {
  test('a run that is wanted in the middle ends like one that was followed from its start', async () => {
    const { sample, state } = open({ played: 0 });
    state.runs.subscribe(RUN);
    await eventually('the snapshot', () => state.runs.store.getState().get(RUN)?.kind === 'ready');
    while (sample.play(7)) {}
    const followed = state.runs.store.getState().get(RUN);

    const late = open({ played: 1, problems: 4 });
    late.state.runs.subscribe(RUN);
    await eventually('the snapshot', () => late.state.runs.store.getState().get(RUN)?.kind === 'ready');
    expect(followed).toEqual(late.state.runs.store.getState().get(RUN));
  });

  test('events that arrive while the snapshot loads are neither lost nor doubled', async () => {
    const { sample, state } = open({ played: 0.3 });
    state.runs.subscribe(RUN);
    sample.play(40);
    sample.play(40);
    await eventually('the snapshot', () => state.runs.store.getState().get(RUN)?.kind === 'ready');
    const answer = await sample.api.call('run.events', { runId: RUN });
    const added = answer.ok ? answer.value.filter(({ kind }) => kind === 'node-added').length : -1;
    const value = state.runs.store.getState().get(RUN);
    const view = value?.kind === 'ready' ? value.value : null;
    const nodes = [...(view?.trees.values() ?? [])].reduce((sum, tree) => sum + tree.nodes.length, 0);
    expect(nodes).toBe(added);
  });

  test('a gap in the events loads the whole run again', async () => {
    const { sample, state } = open({ played: 0.2 });
    state.runs.subscribe(RUN);
    await eventually('the snapshot', () => state.runs.store.getState().get(RUN)?.kind === 'ready');
    const before = sample.calls.filter((name) => name === 'run.events').length;
    const far = 10_000;
    sample.emit({
      kind: 'run-events',
      runId: RUN,
      events: [
        {
          kind: 'node-added',
          at: 0,
          problemId: PROBLEM,
          part: 'search',
          index: far,
          trial: far,
          parent: -1,
          agentId: 'reader',
          score: 0,
          publicVerdict: 'no-code',
          publicVerdicts: [],
          generationSeed: 0,
          programDigest: null,
          promptTokens: 0,
          completionTokens: 0,
          generateMs: 0,
          gradeMs: 0,
        },
      ],
    });
    await eventually(
      'a second snapshot',
      () => sample.calls.filter((name) => name === 'run.events').length > before,
    );
  });

  test('a run that no screen shows is not loaded', async () => {
    const { sample, state } = open({ played: 0.2 });
    await resolved(state);
    sample.play(50);
    expect(sample.calls).not.toContain('run.events');
  });

  test('trees that rest keep their identity, so their squares are not drawn again', async () => {
    const { sample, state } = open({ played: 0.9 });
    state.runs.subscribe(RUN);
    await eventually('the snapshot', () => state.runs.store.getState().get(RUN)?.kind === 'ready');
    const tree = () => {
      const value = state.runs.store.getState().get(RUN);
      return value?.kind === 'ready' ? value.value?.trees.get(treeKey(PROBLEM, 'search')) : undefined;
    };
    const before = tree();
    sample.play(10);
    expect(before).toBeDefined();
    expect(tree()).toBe(before);
  });
});

describe('analysis and detail', () => {
  test('the analysis is asked for again when main says so, and only while it is wanted', async () => {
    const { sample, state } = open({ played: 0.5 });
    const callCount = () => sample.calls.filter((name) => name === 'study.analysis').length;
    sample.emit({ kind: 'analysis-changed', studyId: STUDY });
    expect(callCount()).toBe(0);
    const end = state.analyses.subscribe(STUDY);
    await eventually('the analysis', () => state.analyses.store.getState().get(STUDY)?.kind === 'ready');
    sample.emit({ kind: 'analysis-changed', studyId: STUDY });
    expect(callCount()).toBe(2);
    await eventually('the second answer', () => state.analyses.store.getState().get(STUDY)?.kind === 'ready');
    end();
    sample.emit({ kind: 'analysis-changed', studyId: STUDY });
    expect(callCount()).toBe(2);
  });

  test('many changes during one request ask once more, not many times', async () => {
    const { sample, state } = open({ played: 0.5 });
    state.analyses.subscribe(STUDY);
    for (let i = 0; i < 10; i++) sample.emit({ kind: 'analysis-changed', studyId: STUDY });
    await eventually('the answers', () => state.analyses.store.getState().get(STUDY)?.kind === 'ready');
    await new Promise((done) => setTimeout(done, 0));
    expect(sample.calls.filter((name) => name === 'study.analysis')).toHaveLength(2);
  });

  test('the detail of a node is read again when its private grade arrives', async () => {
    const { sample, state } = open({ played: 0.5 });
    const key = nodeKey({ runId: RUN, problemId: PROBLEM, part: 'search', index: 0 });
    state.details.subscribe(key);
    await eventually('the detail', () => state.details.store.getState().get(key)?.kind === 'ready');
    sample.emit({
      kind: 'run-events',
      runId: RUN,
      events: [
        {
          kind: 'node-graded',
          at: 0,
          problemId: PROBLEM,
          part: 'search',
          index: 0,
          privateVerdict: 'passed',
          privateVerdicts: [],
        },
      ],
    });
    expect(sample.calls.filter((name) => name === 'node.read')).toHaveLength(2);
  });

  test('a refused value is asked for again when it is wanted again', async () => {
    const { sample, state } = open({
      refuse: { 'quickstart.plan': { code: 'unavailable', message: 'Python 3 was not found.' } },
    });
    state.plan.subscribe('only')();
    await eventually('the refusal', () => state.plan.store.getState().get('only')?.kind === 'failed');
    state.plan.subscribe('only');
    expect(sample.calls.filter((name) => name === 'quickstart.plan')).toHaveLength(2);
  });
});

describe('outcomes', () => {
  const callCount = (sample: SampleWorkbench) =>
    sample.calls.filter((name) => name === 'study.outcomes').length;

  test('the squares of a study need no journal of its runs', async () => {
    const { sample, state } = open({ played: 0.5 });
    state.outcomes.subscribe(STUDY);
    await eventually('the outcomes', () => state.outcomes.store.getState().get(STUDY)?.kind === 'ready');
    expect(sample.calls).not.toContain('run.events');
  });

  test('they follow a running study, a few times a second for any number of events', async () => {
    const { sample, state } = open({ played: 0.1 });
    state.outcomes.subscribe(STUDY);
    await eventually('the outcomes', () => state.outcomes.store.getState().get(STUDY)?.kind === 'ready');
    const before = state.outcomes.store.getState().get(STUDY);
    for (let batch = 0; batch < 40; batch++) sample.play(20);
    await eventually('newer outcomes', () => state.outcomes.store.getState().get(STUDY) !== before);
    await eventually('the last of them', () => callCount(sample) === 3);
    const last = state.outcomes.store.getState().get(STUDY);
    const nodes = last?.kind === 'ready' ? last.value.runs.flatMap((run) => run.nodes) : [];
    const answer = await sample.api.call('study.outcomes', { studyId: STUDY });
    expect(nodes).toEqual(answer.ok ? answer.value.runs.flatMap((run) => run.nodes) : null);
    state.dispose();
  });

  test('repairing a journal reloads its run and reports what was kept and where the damaged file is', async () => {
    const { sample, state } = open({
      played: 0.5,
      journalProblems: { [RUN]: { message: 'Damaged at line 3.', repairable: true } },
    });
    state.runs.subscribe(RUN);
    state.outcomes.subscribe(STUDY);
    const problemOf = () => {
      const value = state.outcomes.store.getState().get(STUDY);
      return value?.kind === 'ready' ? value.value.runs[0]?.problem : undefined;
    };
    await eventually('the problem', () => problemOf()?.repairable === true);
    await eventually('the run', () => state.runs.store.getState().get(RUN)?.kind === 'ready');
    await state.studyCommands.repair(RUN, 'single');
    await eventually('no problem any more', () => problemOf() === null);
    expect(sample.calls.filter((name) => name === 'run.events')).toHaveLength(2);
    expect(state.notices.store.getState().at(-1)?.message).toBe(
      `Repaired the journal of single: 4,112 events kept, 1 line lost and 23 events after them. Resume the study to search again what is missing. The damaged file was moved to /home/lab/.local/share/mars2-workbench/studies/${STUDY}/${RUN}.damaged-1.jsonl`,
    );
    state.dispose();
  });
});

describe('studies and commands', () => {
  test('an event of a study replaces its view and keeps the object of the study', async () => {
    const { sample, state } = open({ played: 0.1 });
    await resolved(state);
    const first = readyValue(state.studies.store.getState())?.[0];
    sample.play(60);
    const second = readyValue(state.studies.store.getState())?.[0];
    expect(second?.progress.nodesDone).toBeGreaterThan(first?.progress.nodesDone ?? 0);
    expect(second?.study).toBe(first?.study);
  });

  test('starting the quickstart goes to its study', async () => {
    const { state } = open({ played: 'empty' });
    await resolved(state);
    await state.studyCommands.startQuickstart();
    expect(state.location.store.getState().path).toBe(`/studies/${STUDY}`);
    expect(readyValue(state.studies.store.getState())).toHaveLength(1);
  });

  test('removing leaves the study and offers to undo, which brings it back', async () => {
    const { state } = open();
    await resolved(state);
    state.location.goToPath(`/studies/${STUDY}`);
    const study = readyValue(state.studies.store.getState())?.[0]?.study;
    if (study === undefined) throw new Error('the sample has no study');
    await state.studyCommands.remove(study);
    expect(readyValue(state.studies.store.getState())).toEqual([]);
    expect(state.location.store.getState().path).toBe('/studies');
    state.notices.store.getState().at(-1)?.action?.run();
    await eventually('the study', () => readyValue(state.studies.store.getState())?.length === 1);
  });

  test('a refusal becomes a notice with its hint; a closed dialog says nothing', async () => {
    const { state } = open({
      refuse: {
        'study.pause': { code: 'internal', message: 'The disk is full.', hint: 'df -h' },
        'export.choose': { code: 'cancelled', message: 'Nothing was chosen.' },
      },
    });
    await state.studyCommands.pause(STUDY);
    await state.studyCommands.exportCsv(STUDY, 'nodes');
    expect(state.notices.store.getState()).toMatchObject([
      { level: 'error', message: 'The disk is full.', hint: 'df -h' },
    ]);
  });

  test('an export says how many rows are where', async () => {
    const { state } = open();
    await state.studyCommands.exportCsv(STUDY, 'nodes');
    expect(state.notices.store.getState().at(-1)?.message).toBe(
      'Exported the nodes: 15 rows in /home/lab/nodes.csv',
    );
  });

  test('a refused change of a setting is taken back', async () => {
    const { state } = open({
      theme: 'light',
      refuse: { 'settings.change': { code: 'internal', message: 'The settings could not be written.' } },
    });
    await resolved(state);
    const change = state.settings.change({ theme: 'dark' });
    expect(readyValue(state.settings.store.getState())?.theme).toBe('dark');
    await change;
    expect(readyValue(state.settings.store.getState())?.theme).toBe('light');
    expect(state.notices.store.getState()).toHaveLength(1);
  });

  test('main can ask the window to go somewhere', async () => {
    const { sample, state } = open();
    sample.emit({ kind: 'go-to', path: '/settings' });
    expect(state.location.store.getState().route).toEqual({ kind: 'settings' });
  });

  test('a call that main never received is a refusal that says what to do', async () => {
    const { api } = createSampleWorkbench();
    const client = catchingFailures({
      ...api,
      call: () => Promise.reject(new Error('the channel is closed')),
    });
    const answer = await client.call('study.list', {});
    expect(answer).toMatchObject({ ok: false, error: { code: 'internal' } });
  });

  test('a disposed state listens to nothing any more', () => {
    const { sample, state } = open();
    expect(sample.listeners()).toBe(1);
    state.dispose();
    expect(sample.listeners()).toBe(0);
  });
});

describe('an error of the workbench itself', () => {
  test('is shown with the report of a problem beside it, an ordinary refusal without', () => {
    const { sample, state } = open();
    const actions = (): readonly (string | undefined)[] =>
      state.notices.store.getState().map(({ action }) => action?.label);
    state.notices.showRefusal({ code: 'bad-input', message: 'No such file.' });
    state.notices.showRefusal({ code: 'internal', message: 'The command "x" failed.' });
    sample.emit({ kind: 'notice', level: 'error', message: 'The disk is full.' });
    sample.emit({ kind: 'notice', level: 'error', message: 'A step failed.', isBug: true });
    const report = 'Report a problem…';
    expect(actions()).toEqual([undefined, report, undefined, report]);
    expect(state.diagnostics.store.getState().isOpen).toBe(false);
    state.notices.store.getState().at(-1)?.action?.run();
    expect(state.diagnostics.store.getState().isOpen).toBe(true);
  });
});
