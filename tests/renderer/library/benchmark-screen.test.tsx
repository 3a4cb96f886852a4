import { expect, test } from 'vitest';
import { BenchmarkScreen, LibraryScreen } from '../../../renderer/library';
import { copiedTexts, menuEntries, openMenuFrom } from '../../support/context-menu';
import { SCENES } from '../../support/preview/scenes';
import { renderScreen } from '../../support/rendered-screen';

const open = (benchmarkId: string, problemId: string | null = null) =>
  renderScreen(<BenchmarkScreen benchmarkId={benchmarkId} problemId={problemId} />, SCENES['large-library']);

test('a benchmark of more than one page shows all its problems', async () => {
  const screen = await open('livecodebench-v6');
  await screen.until('1,055 of 1,055 problems');
  expect(screen.sample.calls.filter((name) => name === 'benchmark.problems')).toHaveLength(2);
});

test('until one is chosen the first problem is there to read, also while the list is filtered', async () => {
  const screen = await open('livecodebench-v6');
  await screen.until('Even numbers, lc2800');
  await screen.fill('Filter by words', 'lc2803');
  await screen.until('1 of 1,055 problems');
  expect(screen.text()).toContain('Even numbers, lc2800');
  expect(screen.sample.calls.filter((name) => name === 'benchmark.problem')).toHaveLength(1);
});

test('the chosen problem can be read with its public tests', async () => {
  const screen = await open('livecodebench-v6', 'lc2800');
  await screen.until('2 public tests');
  expect(screen.text()).toContain('keep only the even numbers');
});

test('all that the filter shows are marked at once', async () => {
  const screen = await open('humaneval');
  await screen.choose('Kind of problem', 'Without public tests 33');
  await screen.until('33 of 164 problems');
  await screen.click('Mark all 33 shown…');
  await screen.click('Mark 33 problems');
  await screen.choose('Kind of problem', 'Excluded 34');
  await screen.until('34 of 164 problems');
  expect(screen.sample.calls.filter((name) => name === 'benchmark.mark')).toHaveLength(1);
});

test('an imported benchmark is called imported, not of a paper: problems alone have no such scale', async () => {
  const library = await renderScreen(<LibraryScreen />, SCENES['large-library']);
  await library.until('imported');
  expect(library.text()).toContain('pocket');
  expect(library.text()).not.toMatch(/\bpaper\b/);
  const screen = await open('humaneval');
  await screen.until('HumanEval');
  expect(screen.text()).toContain('imported');
});

test('a removed benchmark is said to be missing', async () => {
  const screen = await open('nothing');
  expect(screen.text()).toContain('Benchmark not found');
});

test('a benchmark that a running study needs is not removed', async () => {
  const screen = await renderScreen(<LibraryScreen />, SCENES.running);
  await screen.click('More actions for Pocket, test split 1');
  await screen.click('Remove…');
  expect(screen.text()).not.toContain('Its files are deleted.');
  await screen.click('More actions for HumanEval');
  await screen.click('Remove…');
  await screen.until('No study uses it. 2 recordings answer its problems, and cannot be used without it.');
  await screen.click('Remove benchmark');
  expect(screen.sample.calls).toContain('benchmark.remove');
});

test("a problem's menu marks it with a reason, takes the mark away and copies the id", async () => {
  const copied = copiedTexts();
  const screen = await open('humaneval', 'HumanEval/0');
  await screen.until('164 of 164 problems');
  const rows = document.querySelector('[role="grid"] [role="rowgroup"]');
  await openMenuFrom(rows);
  expect(menuEntries()).toEqual(['Open', 'Mark…', 'Copy id']);
  await screen.click('Copy id');
  expect(copied).toEqual(['HumanEval/0']);
  await openMenuFrom(rows);
  await screen.click('Mark…');
  await screen.fill('Reason', 'several correct answers');
  await screen.click('Mark 1 problem');
  await screen.until('Marked: several correct answers , excluded from new studies');
  await openMenuFrom(rows);
  expect(menuEntries()).toEqual(['Open', 'Change the mark…', 'Remove the mark', 'Copy id']);
  await screen.click('Change the mark…');
  expect(screen.field('Reason')).toBe('several correct answers');
  await screen.click('Cancel');
  await openMenuFrom(rows);
  await screen.click('Remove the mark');
  expect(screen.text()).not.toContain('Marked: several correct answers');
});

test('benchmarks and recordings have the actions of their buttons as a menu', async () => {
  const screen = await renderScreen(<LibraryScreen />, SCENES.running);
  const [benchmark, recording] = ['Benchmarks', 'Recordings'].map(
    (label) => document.querySelector(`table[aria-label="${label}"] tbody tr`) ?? expect.fail(label),
  );
  await openMenuFrom(benchmark ?? null);
  expect(menuEntries()).toEqual(['Open', 'New study', 'Copy id', 'Rename…', 'Remove…']);
  await screen.click('Rename…');
  expect(screen.field('Name')).toBe(benchmark?.querySelector('a')?.textContent);
  await screen.click('Cancel');
  await openMenuFrom(recording ?? null);
  expect(menuEntries()).toEqual(['Copy id', 'Rename…', 'Remove…']);
});
