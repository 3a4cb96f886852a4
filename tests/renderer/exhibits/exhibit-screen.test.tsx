import { act, useState } from 'react';
import { describe, expect, test, vi } from 'vitest';
import { exhibitTemplate } from '../../../main/exhibits/logic/template';
import { ALL_OF_PAPERS, COMPLEMENT_SHORT, cellKey } from '../../../preload/contract/plans';
import { ExhibitEditor, ExhibitScreen, ExhibitsScreen } from '../../../renderer/exhibits';
import type { ExhibitScale } from '../../../renderer/state';
import { SCENES } from '../../support/preview/scenes';
import { renderScreen } from '../../support/rendered-screen';
import { sampleExhibit, sampleReproduction } from '../../support/sample-exhibits';

const open = (scene: string, exhibitId: string, scale: ExhibitScale = 'pocket') =>
  renderScreen(<ExhibitScreen route={{ kind: 'exhibit', exhibitId, scale }} />, SCENES[scene]);

describe('an exhibit', () => {
  test('at pocket scale names the stand-in first in every group of rows', async () => {
    const pocket = await open('first', 'homogeneous');
    expect(pocket.text()).toContain('reader-large, in the place of Qwen3-14B');
    expect(pocket.text()).not.toMatch(/(?<!in the place of )Qwen3-14B Base/);
  });

  test("has the paper's own number first on its page and its drawer, as the gallery has", async () => {
    const screen = await renderScreen(
      <ExhibitScreen route={{ kind: 'exhibit', exhibitId: 'homogeneous', scale: 'pocket', panel: 'plan' }} />,
      SCENES.first,
    );
    expect(document.querySelector('h1')?.textContent).toMatch(/^Figure 3 · .+/);
    expect(document.querySelector('[role="dialog"] h2')?.textContent).toMatch(/^Figure 3 · .+/);
    // Once, and not as the last item of a grey line.
    expect(screen.text()).not.toMatch(/, Figure 3(?! ·)/);
  });

  test('has what a reader of a reported number must know behind it', async () => {
    const systems = await open('first', 'mars2-systems');
    expect(systems.text()).toMatch(
      /4\.5, 6\.0 or 6\.5 points Largest gain of MARS² over the base in Pass@1\(MCTS\) on LiveCodeBench v6 ?\. It is not known which is right\./,
    );
  });

  test('says what can be said in a line each, and what is built in beside the table', async () => {
    const screen = await open('exhibits', 'heterogeneous-pass1');
    await screen.until('What can be said');
    expect(document.querySelectorAll('[aria-label="What can be said"] > li > details')).toHaveLength(4);
    const about = document.querySelector('[aria-label="About this exhibit"]');
    expect(about?.textContent).toContain(COMPLEMENT_SHORT);
    // The first sentence of its note alone.
    expect(about?.querySelector('p')?.textContent).toBe(
      'Does a model learn more beside others in the same trees?',
    );
    expect(about?.querySelector('details')?.open).toBe(false);
    expect(about?.querySelector('details')?.textContent).toContain('Two figures give GRPO differently');
  });

  test('asks for no value of the paper where a line is an addition of ours', async () => {
    const route = { kind: 'exhibit', exhibitId: 'scaling-law', scale: 'pocket' } as const;
    const screen = await renderScreen(
      <ExhibitScreen route={{ ...route, cell: 'single-base-curve' }} />,
      SCENES.exhibits,
    );
    expect(screen.text()).toContain('Not in the paper: an addition of ours.');
    expect(screen.controls()).not.toContain('Enter from the paper…');
  });

  test('at paper scale names the model alone', async () => {
    const paper = await open('exhibits', 'homogeneous', 'paper');
    expect(paper.text()).toContain('Qwen3-14B Base');
    expect(paper.text()).not.toContain('in the place of');
  });

  test('that was never reproduced shows the values of the paper and no value of ours', async () => {
    const screen = await open('first', 'homogeneous');
    expect(screen.text()).toContain('– paper 50.3');
    expect(screen.controls()).toContain(
      'reader, in the place of Qwen3-8B, Base: Pass@1; paper 50.3 %; Not measured yet.',
    );
  });

  test('of pocket policies says first that complementarity is built in', async () => {
    await open('exhibits', 'homogeneous');
    const said = document.querySelector('[aria-label="What can be said"] li');
    expect(said?.textContent).toContain('were made to complement each other');
    expect(said?.textContent).toContain('the lead is built in');
  });

  test('that takes long is reproduced after a question that says how long, where and what', async () => {
    const screen = await open('first', 'homogeneous');
    await screen.until(/5 seeds/);
    await screen.click('Reproduce');
    expect(screen.sample.calls).not.toContain('reproduction.start');
    expect(screen.text()).toMatch(
      /Reproduce this exhibit\? .*It runs on this computer ?: about .*, 5 seeds, \d+ trainings?, .*You can pause it/,
    );
    await screen.click('Start reproduction');
    expect(screen.sample.calls).toContain('reproduction.start');
  });

  test('of which a part was asked for offers that part again, and the whole with one press', async () => {
    const done = sampleReproduction({ exhibitId: 'homogeneous', done01: 1 });
    const only = sampleExhibit('homogeneous').cells.slice(0, 3).map(cellKey);
    const part = { ...done, order: { ...done.order, problems: 20, seeds: [11], only } };
    const screen = await renderScreen(
      <ExhibitScreen route={{ kind: 'exhibit', exhibitId: 'homogeneous', scale: 'pocket' }} />,
      { ...SCENES.exhibits, exhibits: { reproductions: [part] } },
    );
    // The plan comes a moment after the page.
    await vi.waitFor(async () => {
      await act(() => new Promise<void>((done) => setTimeout(done, 0)));
      expect(screen.controls()).toContain('Reproduce again');
    });
    await screen.click('Reproduce again');
    expect(screen.text()).toContain('Of the exhibit: 20 problems, 1 seed, a part of the table');
    await screen.click('Whole exhibit');
    await screen.until('Reproduce this exhibit?');
    await screen.click('Start reproduction');
    expect(screen.sample.calls).toContain('reproduction.start');
  });

  test('says before it starts what one seed alone would take, and asks for it with one press', async () => {
    const screen = await open('first', 'homogeneous');
    await screen.until(/5 seeds/);
    await screen.click('Reproduce');
    expect(screen.text()).toMatch(/Seed 11 alone takes 15 trainings .* chance of training\. Only seed 11/);
    await screen.click('Only seed 11');
    // The new plan comes a moment later.
    await screen.until(/Of the exhibit: 1 seed ?\.(?!.*Only seed 11)/);
  });

  test('says what its plan assumes above the steps, which may be hundreds', async () => {
    const screen = await renderScreen(
      <ExhibitScreen route={{ kind: 'exhibit', exhibitId: 'homogeneous', scale: 'pocket', panel: 'plan' }} />,
      SCENES.first,
    );
    await screen.until(/Only seed 11 .*Assumptions of the plan .+ Steps/);
  });

  test('of which one row is ticked starts that row alone', async () => {
    const screen = await renderScreen(
      <ExhibitScreen route={{ kind: 'exhibit', exhibitId: 'homogeneous', scale: 'pocket', panel: 'plan' }} />,
      SCENES.first,
    );
    await screen.click('Rows, columns, linesas in the exhibit');
    await screen.click('Of ours, not in the paper: controls and other additions (10 of 10)');
    expect(screen.text()).toContain('15 of 25 rows');
    // First all of them again, then none.
    await screen.click('All rows');
    await screen.click('All rows');
    expect(screen.text()).toContain('Tick at least one row and one column, or a line.');
    await screen.click('reader, in the place of Qwen3-8B, Base');
    expect(screen.text()).toContain('1 of 25 rows');
    await screen.until(/Reproduce/);
  });

  test('at paper scale without GPUs cannot be started, and lists what is missing', async () => {
    const screen = await open('exhibits', 'homogeneous', 'paper');
    await screen.until(/Show \d+ missing requirements?/);
    expect(screen.controls()).not.toContain('Reproduce');
  });

  test('of which a path is missing leads to the field that settles it, opens it and focuses it', async () => {
    const screen = await renderScreen(
      <ExhibitScreen route={{ kind: 'exhibit', exhibitId: 'homogeneous', scale: 'paper', panel: 'plan' }} />,
      SCENES.exhibits,
    );
    await screen.until('Cannot start yet');
    expect(screen.text()).not.toMatch(/--places|in a terminal/);
    await screen.choose('Trainer', 'MARTI, as released');
    // Closed: the link opens it.
    await screen.click('Paths in your labused for every exhibit; folders are on the machines');
    await screen.click('Go to “MARTI repository” below');
    expect(document.activeElement?.getAttribute('aria-label')).toBe('MARTI repository');
    await screen.click('Go to “Existing checkpoints” below');
    expect(document.activeElement?.textContent).toBe('Add a checkpoint');
  });

  test('that runs can be paused, and says how far it is', async () => {
    const screen = await open('exhibits', 'homogeneous');
    expect(screen.text()).toMatch(/\d+ of \d+ trainings/);
    expect(screen.text()).toMatch(/about .* left/);
    await screen.click('Pause');
    expect(screen.sample.calls).toContain('reproduction.pause');
  });

  test('with a failed step names the step and the reason, and offers to retry', async () => {
    const screen = await open('exhibits', 'mars2-systems');
    expect(screen.text()).toContain('ended with exit code 1 while 3 requests were in flight');
    expect(screen.controls()).toContain('Retry failed steps');
  });

  test('that does not exist says that its file may have been removed', async () => {
    const screen = await open('exhibits', 'nothing');
    expect(screen.text()).toContain('There is no exhibit nothing. Its file may have been removed.');
  });
});

describe('the list of exhibits', () => {
  test('names each file that cannot be read, with the place of each problem', async () => {
    const screen = await renderScreen(<ExhibitsScreen />, SCENES['exhibits-own']);
    expect(screen.text()).toContain('1 exhibit file could not be read');
    expect(screen.text()).toContain('cells[3].configuration');
    expect(screen.text()).toContain(`${ALL_OF_PAPERS}.`);
  });

  test('says of a table of runs at hand what it lacks, and its page and editor name it', async () => {
    const list = await renderScreen(<ExhibitsScreen />, SCENES['exhibits-lacking']);
    await list.until('3 of 9 values missing');
    await list.until('1 of 2 lines missing');
    const unfilled = await renderScreen(<ExhibitsScreen />, SCENES['exhibits-unfilled']);
    await unfilled.until('"Old" is in the trash. Restore it: Studies, Trash.');
    const page = await open('exhibits-lacking', 'our-runs');
    await page.until('3 of 9 values are missing. Two roles: "Old" is in the trash.');
    // What is wrong with the numbers that are there stands first, and once.
    const text = page.text();
    expect(text.indexOf('is damaged at line 3.')).toBeLessThan(text.indexOf('Not complete: 3 of 9'));
    expect(text.split('is damaged at line 3.')).toHaveLength(2);
  });

  test('explains what an exhibit is when the list is empty', async () => {
    const screen = await renderScreen(<ExhibitsScreen />, SCENES['exhibits-none']);
    expect(screen.text()).toContain("An exhibit is a file that describes a paper's table or figure");
  });
});

describe('the editor of an exhibit', () => {
  test('gives a copy its own id, and saves nothing while there are problems', async () => {
    const screen = await renderScreen(
      <ExhibitEditor source="homogeneous" isOwn={false} />,
      SCENES['exhibits-own'],
    );
    const file = document.querySelector('textarea');
    expect(file?.value).toContain('"id": "my-homogeneous"');
    await screen.fill("The exhibit's file", '{ "version": 1, "id": "Our Teams" }');
    await screen.until(/\d+ problems? to fix/);
    expect(screen.control('Save exhibit')).toHaveProperty('disabled', true);
  });

  test('keeps what was typed while another screen is open, says that it is not saved, and discards it on demand', async () => {
    function Window() {
      const [isAway, setAway] = useState(false);
      return (
        <>
          <button type="button" onClick={() => setAway(!isAway)}>
            Another screen
          </button>
          {!isAway && <ExhibitEditor source="homogeneous" isOwn={false} />}
        </>
      );
    }
    const screen = await renderScreen(<Window />, SCENES['exhibits-own']);
    const file = () => document.querySelector('textarea')?.value;
    const first = file();
    expect(screen.controls()).not.toContain('Discard changes');
    await screen.fill("The exhibit's file", '{ "version": 1 }');
    await screen.click('Another screen');
    expect(file()).toBeUndefined();
    await screen.click('Another screen');
    expect(file()).toBe('{ "version": 1 }');
    expect(screen.text()).toContain('a copy of homogeneous, changed and not saved yet');
    await screen.click('Discard changes');
    expect(file()).toBe(first);
  });

  test('begins a table of one’s own with all runs of a study, in the place of the example', async () => {
    const screen = await renderScreen(
      <ExhibitEditor source="template" isOwn={false} />,
      SCENES['exhibits-own'],
    );
    await screen.fill("The exhibit's file", exhibitTemplate());
    const written = () => JSON.parse(document.querySelector('textarea')?.value ?? '');
    await screen.choose('Begin with all runs of a study', 'Quickstart (study-1)');
    expect(written().rows.map(({ label }: { label: string }) => label)).toEqual([
      ...['single', 'homogeneous', 'heterogeneous'],
    ]);
    expect(written().configurations.every(({ study }: { study?: unknown }) => study !== undefined)).toBe(
      true,
    );
    expect(screen.text()).not.toContain('Begin with all runs of a study');
  });

  test('puts runs of a finished study into a figure, without a line of JSON typed', async () => {
    const screen = await renderScreen(
      <ExhibitEditor source="scaling-law" isOwn={false} />,
      SCENES['exhibits-own'],
    );
    await screen.choose('Add a row and a line', 'single');
    const file = JSON.parse(document.querySelector('textarea')?.value ?? '');
    const [added] = file.configurations.slice(-1);
    expect(added).toMatchObject({ label: 'single', study: { configuration: 'single' } });
    expect(file.series.at(-1)).toMatchObject({ configuration: added.id, curve: { kind: 'nodes' } });
    await screen.click('Runs in its rows and lines1 of 12 chosen');
    await screen.choose('Single, untrained', 'homogeneous');
    const [first] = JSON.parse(document.querySelector('textarea')?.value ?? '').configurations;
    expect(first).toMatchObject({ id: 'single-base', study: { configuration: 'homogeneous' } });
  });
});

describe('a figure over trainings at hand', () => {
  const ADD = 'Add a line over a training';

  test('names the trainings, seeds, problems and scale of each line, and can be exported', async () => {
    const screen = await open('exhibits-trainings', 'our-figure');
    await screen.until('100 problems of the pocket test split (problem seed 5)');
    expect(screen.text()).toContain(
      'pocket scale; 100 problems of the pocket test split (problem seed 5); seeds 11, 12, 13; reader; mean of the trainings "Heter-MARS², seed 11"',
    );
    expect(screen.text()).toContain(
      'training "Vanilla GRPO, seed 11" alone: the chance of training is not shown',
    );
    expect(screen.controls()).toContain('Export');
  });

  test('gets a line for an agent of a finished training from a list, by its name', async () => {
    const screen = await renderScreen(
      <ExhibitEditor source="our-figure" isOwn />,
      SCENES['exhibits-trainings'],
    );
    await screen.until(ADD);
    await screen.choose(ADD, 'Heter-MARS², seed 12: tracer');
    const field = document.querySelector('textarea');
    expect(JSON.parse(field?.value ?? '').series.at(-1)).toMatchObject({
      label: 'Heter-MARS², tracer',
      curve: { training: ['training-heter-mars2-12'], agent: 'tracer' },
    });
    expect(screen.text()).toContain('3 of 3 chosen');
  });
});
