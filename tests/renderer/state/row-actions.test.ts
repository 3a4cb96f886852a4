import { expect, onTestFinished, test } from 'vitest';
import {
  createWorkbenchState,
  exhibitRowActions,
  experimentRowActions,
  pathOf,
  studyRowActions,
  trainingRowActions,
} from '../../../renderer/state';
import { catchingFailures } from '../../../renderer/workbench-client';
import { memoryLocation } from '../../support/memory-location';
import { sampleExperiment } from '../../support/sample-experiments';
import { sampleStudy } from '../../support/sample-study';
import { sampleTrainings } from '../../support/sample-trainings';
import { createSampleWorkbench } from '../../support/sample-workbench';

type Actions = readonly { readonly label: string; readonly run: () => void }[];

function opened() {
  const state = createWorkbenchState(catchingFailures(createSampleWorkbench().api), memoryLocation());
  onTestFinished(() => state.dispose());
  return {
    state,
    /** Where the entry leads to. */
    press: (actions: Actions, label: string): string => {
      actions.find((action) => action.label === label)?.run();
      return pathOf(state.location.store.getState().route);
    },
  };
}

const labels = (actions: Actions): readonly string[] => actions.map(({ label }) => label);
const study = {
  study: sampleStudy({}),
  state: { kind: 'finished' } as const,
  hues: [0],
  progress: {
    ...{ nodesDone: 1, nodesTotal: 1, gradedDone: 1, problemsDone: 1, problemsTotal: 1 },
    ...{ elapsedMs: 0, remainingMs: null },
  },
  warnings: [],
  finishedAt: null,
};

test("a study's row exports it and edits its note on its page, in the dialogs that are there", () => {
  const { state, press } = opened();
  const actions = studyRowActions(state, study, () => undefined);
  expect(press(actions, 'Note and tags…')).toBe(`/studies/${study.study.id}?check=note`);
  expect(press(actions, 'Export…')).toBe(`/studies/${study.study.id}?check=export`);
});

test("another lab's study is exported, but its note is not ours to change", () => {
  const { state } = opened();
  const actions = labels(studyRowActions(state, { ...study, fromBundle: 'theirs.zip' }, () => undefined));
  expect(actions).toContain('Export…');
  expect(actions).not.toContain('Note and tags…');
});

test("an experiment's row exports it once there is a result", () => {
  const { state, press } = opened();
  const { experiment: view } = sampleExperiment('tiny', 1);
  expect(labels(experimentRowActions(state, { ...view, done: 0 }))).not.toContain('Export…');
  const actions = experimentRowActions(state, { ...view, done: 1 });
  expect(press(actions, 'Export…')).toBe(`/experiments/${view.id}?dialog=export`);
});

test("a training's row exports its curves in each format, as its page does", () => {
  const { state } = opened();
  const [training] = sampleTrainings();
  if (training === undefined) throw new Error('the sample has no training');
  expect(
    labels(trainingRowActions(state, training)).filter((label) => label.startsWith('Export')),
  ).toHaveLength(3);
});

test('an exhibit of the gallery exports its newest reproduction, and without one shows its plan', () => {
  const { state, press } = opened();
  expect(labels(exhibitRowActions(state, 'homogeneous', 'paper', null))).toEqual(['Open', 'Show the plan']);
  const actions = exhibitRowActions(state, 'homogeneous', 'paper', 'r1');
  expect(press(actions, 'Export…')).toBe('/exhibits/homogeneous?scale=paper&reproduction=r1&dialog=export');
});
