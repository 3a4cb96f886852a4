import { expect, test, vi } from 'vitest';
import type { Benchmark } from '../../../preload/contract';
import { createWorkbenchState } from '../../../renderer/state';
import { catchingFailures } from '../../../renderer/workbench-client';
import { memoryLocation } from '../../support/memory-location';
import { SCENES } from '../../support/preview/scenes';
import { createSampleWorkbench } from '../../support/sample-workbench';

test('many marks are undone together, earlier ones included', async () => {
  const sample = createSampleWorkbench();
  const state = createWorkbenchState(catchingFailures(sample.api), memoryLocation());
  const humaneval = async (): Promise<Benchmark> => {
    const listed = await sample.api.call('benchmark.list', {});
    const found = listed.ok ? listed.value.find(({ id }) => id === 'humaneval') : undefined;
    if (found === undefined) throw new Error('The sample has no HumanEval');
    return found;
  };
  const before = await humaneval();
  expect(before.marks.map(({ problemId }) => problemId)).toEqual(['HumanEval/32']);
  const mark = { reason: 'no public tests', exclude: true };
  await state.libraryCommands.markMany(
    before,
    ['HumanEval/30', 'HumanEval/32'].map((problemId) => ({ problemId, mark })),
  );
  expect((await humaneval()).marks).toHaveLength(2);
  const notice = state.notices.store.getState().at(-1);
  expect(notice?.message).toBe('Marked 2 problems of HumanEval.');
  notice?.action?.run();
  await new Promise((resolve) => setTimeout(resolve, 0));
  expect((await humaneval()).marks).toEqual(before.marks);
  state.dispose();
});

test('a benchmark that is removed while it is open leads back to the library', async () => {
  const sample = createSampleWorkbench();
  const location = memoryLocation();
  const state = createWorkbenchState(catchingFailures(sample.api), location);
  location.go({ kind: 'benchmark', benchmarkId: 'humaneval', problemId: 'HumanEval/3' });
  await state.libraryCommands.remove({ kind: 'benchmark', id: 'humaneval' }, 'HumanEval');
  expect(location.store.getState().route).toEqual({ kind: 'library' });
  state.dispose();
});

test('an import from the palette whose tests Python cannot parse can go on from its notice', async () => {
  const sample = createSampleWorkbench(SCENES['import-refused']);
  const state = createWorkbenchState(catchingFailures(sample.api), memoryLocation());
  await state.libraryCommands.importBenchmark({ folder: true });
  const notice = state.notices.store.getState().at(-1);
  expect(notice).toMatchObject({ level: 'error', action: { label: 'Import anyway' } });
  const call = vi.spyOn(sample.api, 'call');
  notice?.action?.run();
  expect(call).toHaveBeenCalledWith('import.chooseBenchmark', { folder: true, markUnparsed: true });
  state.dispose();
});
