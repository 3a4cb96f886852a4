import { beforeEach, describe, expect, test } from 'vitest';
import { checkpointMember, singleTeam } from '../../../preload/contract/plans';
import { NewStudyScreen } from '../../../renderer/new-study';
import { SCENES } from '../../support/preview/scenes';
import { renderScreen } from '../../support/rendered-screen';
import { sampleTrainings } from '../../support/sample-trainings';
import type { SampleOptions } from '../../support/sample-workbench';

const open = (scene: string) =>
  renderScreen(<NewStudyScreen benchmarkId={null} preset={null} from={null} />, SCENES[scene]);

// It remembers over restarts of the window.
beforeEach(() => localStorage.clear());

describe('the form for a new study', () => {
  test('without a benchmark offers to import one, or the quickstart', async () => {
    const screen = await open('empty-library');
    expect(screen.text()).toContain('A study needs a benchmark');
    expect(screen.controls()).toEqual(['Import benchmark', 'Run the quickstart study']);
  });

  test('shows an empty required field as an error only after the user tries to create the study', async () => {
    const screen = await open('finished');
    await screen.fill('Nodes per tree (N)', '');
    expect(screen.text()).not.toContain('A whole number from 1 to 100,000.');
    await screen.click('Create');
    expect(screen.text()).toContain('A whole number from 1 to 100,000.');
    expect(screen.text()).toContain('Fix 1 problem to create the study.');
    expect(screen.sample.calls).not.toContain('study.create');
  });

  test('shows a wrong number at once, and no cost until it is right', async () => {
    const screen = await open('finished');
    await screen.fill('Nodes per tree (N)', '1.5');
    expect(screen.text()).toContain('A whole number from 1 to 100,000.');
    expect(screen.text()).toContain('– programs to write and grade');
    await screen.fill('Nodes per tree (N)', '8');
    expect(screen.text()).not.toContain('– programs to write and grade');
  });

  test('says what hinders it and what to know above the configurations, which may be many', async () => {
    const screen = await open('finished');
    expect(screen.text()).toMatch(/to write and grade \d+ of the .* have no public tests.* codegen-16b \d/);
    await screen.fill('Nodes per tree (N)', '1.5');
    expect(screen.text()).toMatch(/to write and grade Fix 1 problem .* codegen-16b –/);
  });

  test('keeps its benchmark when another one comes into the library', async () => {
    const library = { ...SCENES.finished, pocketOnly: true };
    const screen = await renderScreen(
      <NewStudyScreen benchmarkId={null} preset={null} from={null} />,
      library,
    );
    const chosen = screen.field('Benchmark');
    expect(chosen).toContain('Pocket');
    library.pocketOnly = false;
    screen.sample.emit({ kind: 'library-changed' });
    await screen.fill('Nodes per tree (N)', '8');
    expect(screen.field('Benchmark')).toBe(chosen);
  });

  test('warns at the agent whose recording is too short', async () => {
    const screen = await open('finished');
    expect(screen.text()).toContain('It has 5 samples per problem: a tree ends after 5 of 60 nodes.');
  });

  test('creates the study once it is valid', async () => {
    const screen = await open('finished');
    await screen.click('Create');
    expect(screen.sample.calls).toContain('study.create');
  });

  test('is filled in like a study that exists', async () => {
    const screen = await renderScreen(
      <NewStudyScreen benchmarkId={null} preset={null} from="study-1" />,
      SCENES.finished,
    );
    expect(screen.field('Nodes per tree (N)')).toBe('24');
    expect(screen.field('Samples per agent')).toBe('4');
    expect(screen.text()).toContain('heterogeneous');
    expect(screen.field('Name of the study')).toMatch(/, copy$/);
    await screen.click('Create');
    expect(screen.sample.calls).not.toContain('study.annotate');
  });

  test('carries the note of the study that it copies over to the new one', async () => {
    const { others = [] } = SCENES.many ?? {};
    const noted = others.find(({ note }) => note !== undefined);
    const screen = await renderScreen(
      <NewStudyScreen benchmarkId={null} preset={null} from={noted?.study.id ?? ''} />,
      SCENES.many,
    );
    expect(screen.field('Note')).toBe(noted?.note);
    await screen.click('Create');
    expect(screen.sample.calls).toContain('study.annotate');
  });

  test('says once, in the form, what it leaves out of the study that it copies', async () => {
    const [copied] = SCENES.many?.others ?? [];
    if (copied === undefined) throw new Error('There is no other study');
    const runs = copied.study.runs.map((run) => ({ ...run, benchmarkId: 'gone' }));
    const screen = await renderScreen(
      <NewStudyScreen benchmarkId={null} preset={null} from={copied.study.id} />,
      { ...SCENES.many, others: [{ ...copied, study: { ...copied.study, runs } }] },
    );
    const note = document.querySelector('form [role="note"]');
    expect(note?.textContent).toContain('The benchmark gone of ');
    await screen.click('Start over');
    expect(document.querySelector('form [role="note"]')).toBeNull();
  });

  test('remembers the study that it created last', async () => {
    const screen = await open('finished');
    expect(screen.controls()).not.toContain('As last time');
    await screen.fill('Nodes per tree (N)', '9');
    await screen.click('Create');
    await screen.click('As last time');
    expect(screen.field('Nodes per tree (N)')).toBe('24');
    expect(screen.controls()).not.toContain('As last time');
  });

  const chooseTrained = async (refuse: SampleOptions['refuse'] = {}) => {
    const screen = await renderScreen(<NewStudyScreen benchmarkId={null} preset={null} from={null} />, {
      ...SCENES.training,
      refuse,
    });
    await screen.choose('Agent 1 of configuration 1', 'Checkpoint of a training');
    return screen;
  };

  test('takes a checkpoint of a training as an agent, which it names by what it is', async () => {
    const screen = await chooseTrained();
    await screen.click('Create');
    expect(screen.text()).toContain('Choose a training.');
    expect(screen.sample.calls).not.toContain('study.create');
    await screen.choose(
      'Training of agent 1 of configuration 1',
      'First pocket team: Heter-MARS², reader + tracer, seed 7',
    );
    await screen.choose('Checkpoint of agent 1 of configuration 1', 'tracer, 100 updates');
    expect(screen.text()).not.toContain('Choose a training.');
    await screen.click('Create');
    expect(screen.sample.calls.slice(-2)).toEqual(['training.member', 'study.create']);
  });

  test('names of a training of an experiment what its name leaves out', async () => {
    const screen = await chooseTrained();
    const option = 'Heter-MARS², seed 13: reader + tracer, part of Five methods, two families';
    await screen.choose('Training of agent 1 of configuration 1', option);
    expect(screen.field('Training of agent 1 of configuration 1')).toBe(option);
  });

  test('says at its agent that a checkpoint is gone, and creates no study', async () => {
    const message = '"First pocket team" has no checkpoint "tracer-000100". It may have been deleted.';
    const screen = await chooseTrained({ 'training.member': { code: 'not-found', message } });
    await screen.choose(
      'Training of agent 1 of configuration 1',
      'First pocket team: Heter-MARS², reader + tracer, seed 7',
    );
    await screen.choose('Checkpoint of agent 1 of configuration 1', 'tracer, 100 updates');
    await screen.click('Create');
    expect(screen.text()).toContain(`${message} Choose another one.`);
    expect(screen.text()).toContain('Fix 1 problem to create the study.');
    expect(screen.sample.calls).not.toContain('study.create');
  });

  test('of a copied study says at once that a checkpoint is gone', async () => {
    const [training] = sampleTrainings();
    const [copied] = SCENES.many?.others ?? [];
    if (training === undefined || copied === undefined) throw new Error('There is nothing to copy');
    const checkpoint = { id: 'tracer-000999', agentId: 'tracer' };
    const team = singleTeam(checkpointMember({ training, checkpoint }, []).server);
    const runs = copied.study.runs.map((run) => ({ ...run, team }));
    const screen = await renderScreen(
      <NewStudyScreen benchmarkId={null} preset={null} from={copied.study.id} />,
      { ...SCENES.training, others: [{ ...copied, study: { ...copied.study, runs } }] },
    );
    await screen.until('The training no longer has this checkpoint. Choose another one.');
  });

  test('offers each model that a server runs now, once, by the launch that the study would start', async () => {
    const screen = await chooseTrained();
    await screen.choose('Agent 1 of configuration 1', 'Qwen3-8B on gpu1');
    expect(screen.field('Agent 1 of configuration 1')).toBe('Qwen3-8B');
    const labels = [...document.querySelectorAll('[role="option"]')].map((one) => one.textContent);
    expect(labels.filter((label) => label?.startsWith('Qwen3-8B on'))).toHaveLength(1);
    expect(labels.join().toLowerCase()).not.toMatch(/nemotron-1.1-32b|boba/);
  });
});
