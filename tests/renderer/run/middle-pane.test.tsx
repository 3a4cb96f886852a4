import { act, useState } from 'react';
import { expect, test } from 'vitest';
import { MiddlePane } from '../../../renderer/run/middle-pane';
import type { Route } from '../../../renderer/state';
import { renderScreen } from '../../support/rendered-screen';
import { sampleStudy } from '../../support/sample-study';

type RunRoute = Extract<Route, { readonly kind: 'run' }>;
const study = sampleStudy();
const run = study.runs[0] ?? expect.fail('The sample has runs');

function Pane() {
  const [route, setRoute] = useState<RunRoute>({
    ...{ kind: 'run', studyId: study.id, runId: run.id, problemId: 'pocket/test/007' },
    ...{ node: 9, part: 'search', tab: 'tree', moment: 12 },
  });
  return (
    <MiddlePane
      study={study}
      run={run}
      route={route}
      problemId={route.problemId}
      trees={`${route.part}, node ${route.node}, moment ${route.moment}`}
      go={(next) => setRoute({ ...route, ...next })}
    />
  );
}

const choose = (part: string) =>
  act(async () => document.querySelector<HTMLElement>(`input[type="radio"][value="${part}"]`)?.click());

test('above the curves stands whose they are: not the chosen problem', async () => {
  const screen = await renderScreen(<Pane />);
  expect(screen.text()).toContain('pocket/test/007');
  await screen.click('Curves');
  expect(screen.text()).toContain('all problems of the study');
  expect(screen.text()).not.toContain('pocket/test/007');
});

test('the way back from the samples leads to the node and moment of the search that were left', async () => {
  const screen = await renderScreen(<Pane />);
  await choose('samples');
  expect(screen.text()).toContain('samples, node null, moment null');
  await choose('search');
  expect(screen.text()).toContain('search, node 9, moment 12');
});
