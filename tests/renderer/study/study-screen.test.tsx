import { describe, expect, test } from 'vitest';
import { StudiesScreen } from '../../../renderer/studies';
import { StudyScreen } from '../../../renderer/study';
import { SCENES } from '../../support/preview/scenes';
import { renderScreen } from '../../support/rendered-screen';
import { sampleStudy } from '../../support/sample-study';

const open = (scene: string, check: 'verify' | 'extend' | 'note' | 'rename' | null = null) =>
  renderScreen(<StudyScreen studyId="study-1" check={check} />, { ...SCENES[scene], problems: 12 });

describe('a study', () => {
  test('that runs can be paused and stopped, but not removed', async () => {
    const screen = await open('running');
    expect(screen.controls()).toEqual(expect.arrayContaining(['Pause', 'Stop']));
    await screen.click('More');
    expect(screen.controls()).toContain('New study like this');
    expect(screen.controls()).not.toContain('Remove study');
    await screen.click('Pause');
    expect(screen.sample.calls).toContain('study.pause');
  });

  test('whose folder is missing shows its whole share, and exports nothing', async () => {
    const screen = await open('missing');
    expect(screen.text()).toContain('100 % of writing and grading');
    expect(screen.controls()).not.toContain('Export');
  });

  test('that runs is stopped only after a question, which says that it can be resumed', async () => {
    const screen = await open('running');
    await screen.click('Stop');
    expect(screen.text()).toContain('you can resume the study later');
    expect(screen.sample.calls).not.toContain('study.cancel');
    await screen.click('Stop study');
    expect(screen.sample.calls).toContain('study.cancel');
  });

  test('has its method in parts, where a word can be found: columns, signs, how ties break', async () => {
    const screen = await open('finished');
    await screen.until('of several with the same score the search chooses the');
    expect(screen.text()).toContain('95 % intervals over problems ;');
    expect(screen.text()).toContain('No letters in Pass@N public: differences in it are not tested.');
    expect(screen.text()).toContain(
      'Distinct % Distinct programs among all nodes and samples of a problem and run, in percent.',
    );
    await screen.fill('Filter by words', 'mcnemar');
    expect(screen.text()).toContain('Differences paired over the problems');
    expect(screen.text()).not.toContain('No letters in');
    await screen.fill('Filter by words', 'no such word');
    expect(screen.text()).toContain('The method does not mention this.');
  });

  test('of several seeds says that intervals are over them, too', async () => {
    const screen = await open('extended');
    await screen.until('95 % intervals over problems and seeds ;');
  });

  test('that failed says what happened and what to do, and offers to resume', async () => {
    const screen = await open('failed');
    expect(screen.text()).toContain('The server pocket-tracer-base ended with exit code 1');
    expect(screen.text()).toContain('See its log under Servers.');
    expect(screen.controls()).toContain('Resume');
    expect(screen.controls()).not.toContain('Pause');
  });

  test('that loses answers offers to pause beside the warning, but not once it has ended', async () => {
    const screen = await open('warnings');
    await screen.click('Pause the study');
    expect(screen.sample.calls).toContain('study.pause');
    expect((await open('warnings-finished')).controls()).not.toContain('Pause the study');
  });

  test('that waits for another one can stop waiting', async () => {
    const screen = await open('queued');
    expect(screen.text()).toContain('Waits for RS² on 60 problems');
    await screen.click('Stop waiting');
    expect(screen.sample.calls).toContain('study.pause');
  });

  test('that is interrupted says what may have stopped it: the app, or a journal that was repaired', async () => {
    const screen = await open('interrupted');
    expect(screen.text()).toContain(
      'The workbench closed while it ran, or a part of its journals was lost or repaired.',
    );
    expect(screen.controls()).toContain('Resume');
  });

  test('with a damaged journal names the configuration, and repairs it only after a question', async () => {
    const screen = await open('damaged');
    expect(screen.text()).toContain('homogeneous: The journal');
    const inTable = document.querySelector('table [aria-label^="Damaged."]');
    expect(inTable?.closest('tr')?.textContent).toContain('homogeneous');
    await screen.click('Repair');
    expect(screen.sample.calls).not.toContain('run.repair');
    expect(screen.text()).toContain('The damaged file is kept');
  });

  test('that does not exist leads to the list of studies', async () => {
    const screen = await renderScreen(<StudyScreen studyId="nothing" check={null} />, SCENES.running);
    expect(screen.text()).toContain('Study not found');
    expect(screen.controls()).toEqual(['All studies']);
  });

  test('says first of pocket families that they were made to complement each other, then what was found', async () => {
    const screen = await open('finished');
    const [, conclusions = ''] = screen.text().split('Every pair in every metric');
    expect(conclusions.trim()).toMatch(
      /^! The families of pocket policies were made to complement each other.* a control without collaboration.* homogeneous and single do not differ significantly in Pass@1/,
    );
  });

  test('says where the pairs are that its findings leave out', async () => {
    await open('finished');
    const links = [...document.querySelectorAll('a')];
    const every = links.find(({ textContent }) => textContent === 'Every pair in every metric');
    expect(every?.getAttribute('href')).toContain('view=pairs');
  });

  test('has the column Pass@10 as Compare does, also where only a team took ten samples', async () => {
    const study = sampleStudy({ problems: 12 });
    const runs = study.runs.map((run) => ({ ...run, search: { ...run.search, samplesPerAgent: 8 } }));
    await renderScreen(<StudyScreen studyId="study-1" check={null} />, { study: { ...study, runs } });
    const table = document.querySelector('table[aria-label="Comparison of configurations"]');
    const rows = [...(table?.querySelectorAll('tr') ?? [])].map(({ textContent }) => textContent);
    expect(rows.map((text) => /Pass@10 %|not measured/.test(text ?? ''))).toEqual([true, true, false, false]);
  });

  test('that compares searches tells under each name how that row searches', async () => {
    await open('ablation');
    const table = document.querySelector('table[aria-label="Comparison of configurations"]');
    expect(table?.textContent).toContain('MARS²-T+, verdict feedback · pocket reward model');
  });

  test('whose curves and intervals come from an unfinished run says so under the table', async () => {
    expect((await open('running')).text()).toContain(
      'the study is not finished: a row counts a problem once all programs for it are graded, samples too',
    );
  });

  test('is renamed in a dialog, and shown under its new name', async () => {
    const screen = await open('finished', 'rename');
    await screen.fill('Name', 'Teams of May');
    await screen.click('Rename');
    expect(screen.sample.calls).toContain('study.rename');
    await screen.until('Teams of May');
  });

  test('has a dialog for its tags, which says what ends one', async () => {
    expect((await open('finished', 'note')).text()).toContain('A space, a comma or Enter ends a tag');
  });

  test('is verified in a dialog, which reports how many trees replayed', async () => {
    const screen = await open('finished', 'verify');
    expect(screen.text()).toContain('Equal programs of a problem are graded once.');
    await screen.click('Verify');
    await screen.until('The journals replay.');
    expect(screen.text()).toMatch(/[\d,]+ of [\d,]+ different programs graded again/);
    expect(screen.text()).toContain('search trees and sets of samples');
    expect(screen.sample.calls).toContain('study.verify');
  });
});

describe('the dialog that extends a study', () => {
  test('says what is added and what it costs, extends and runs it, and the page says so', async () => {
    const screen = await open('finished', 'extend');
    expect(screen.text()).toContain('Nothing is added yet.');
    expect(screen.text()).not.toContain('2 looks');
    expect(screen.controls()).not.toContain('Extend and run');
    await screen.fill('Seeds to add', '2-3');
    expect(screen.text()).toContain('intervals do not correct for the 2 looks');
    await screen.click('Add configuration');
    await screen.until(
      /Adds 2 seeds \(2, 3\), 1 configuration \("pocket-tracer-base alone"\): at most [\d,]+ programs/,
    );
    await screen.click('Extend and run');
    expect(screen.sample.calls).toContain('study.start');
    expect(screen.text()).toMatch(/Extended 12 Jan .*2 seeds \(2, 3\).* after results were there/);
  });

  test('marks what is no number, and says why something cannot be added', async () => {
    const screen = await open('finished', 'extend');
    await screen.fill('Seeds to add', '1');
    await screen.until('It has seed 1 already');
    expect(screen.controls()).not.toContain('Extend');
    await screen.fill('Nodes per tree', 'many');
    expect(screen.text()).toContain('A whole number from 1 to 100,000.');
  });

  test('sets other limits of the trees of a study that runs, which goes on by itself', async () => {
    const screen = await open('running', 'extend');
    expect(screen.text()).toContain('It stops for this and goes on by itself');
    expect(screen.text()).not.toContain('Extend and run');
    await screen.fill('Nodes per tree', '4');
    await screen.fill('Tokens per tree', '1000');
    await screen.until(/Sets 4 nodes per tree instead of \d+, at most 1000 tokens per tree instead of/);
    expect(screen.text()).toMatch(/at most \d+ programs fewer/);
    await screen.click('Extend');
    expect(screen.sample.calls).not.toContain('study.start');
    expect(screen.text()).toMatch(/Limits changed 12 Jan .*4 nodes per tree/);
  });

  test('adds agents that the study has not asked, and takes them back where they do not answer', async () => {
    const screen = await open('finished', 'extend');
    await screen.click('Add configuration');
    await screen.choose('Team of new configuration 1', 'Agents of your choice');
    await screen.choose('Agent 1 of new configuration 1', 'OpenAI-compatible URL');
    expect(screen.text()).toContain('Enter the URL of the model.');
    await screen.fill('URL of agent 1 of new configuration 1', 'here');
    expect(screen.text()).toContain('Enter a full URL');
    await screen.fill('URL of agent 1 of new configuration 1', 'http://127.0.0.1:8000/v1');
    await screen.fill('Model of agent 1 of new configuration 1', 'newcomer');
    await screen.until('Adds 1 configuration ("newcomer"), 1 agent new to it (newcomer)');
    await screen.click('Extend');
    await screen.click('More');
    await screen.click('Extend…');
    expect(screen.text()).toContain(
      'Its last extension, 1 configuration ("newcomer"), 1 agent new to it (newcomer),',
    );
    await screen.click('Take it back');
    expect(screen.text()).toMatch(/Taken back 12 Jan .*newcomer.*before anything of it was searched/);
    await screen.click('More');
    await screen.click('Extend…');
    expect(screen.text()).not.toContain('Take it back');
  });

  test('is closed to a study that is about to stop, with the reason in the menu', async () => {
    const screen = await open('pausing');
    await screen.click('More');
    expect(screen.text()).toContain('Extend… not while it stops');
  });
});

describe('the dialog of requests at once', () => {
  test('limits a study that runs, and the page says so', async () => {
    const screen = await open('running');
    await screen.click('More');
    await screen.click('Requests at once…');
    await screen.fill('Requests at once to each server', '99');
    expect(screen.text()).toContain('A whole number from 1 to 16.');
    await screen.fill('Requests at once to each server', '4');
    await screen.click('Save');
    expect(screen.text()).toContain('at most 4 requests at once to each server');
    expect(screen.text()).not.toContain('Results do not depend on it.');
  });
});

describe('the list of studies', () => {
  test('without studies says what a study is, and how to start', async () => {
    const screen = await renderScreen(<StudiesScreen />, SCENES.first);
    expect(screen.text()).toContain('No studies yet');
    expect(screen.controls()).toEqual(['Trash', 'Open bundle', 'New study', 'Go to Home']);
  });

  test('that cannot be read shows the reason and the remedy', async () => {
    const screen = await renderScreen(<StudiesScreen />, SCENES.unreadable);
    expect(screen.text()).toContain('The studies could not be read');
    expect(screen.text()).toContain('registry.json.bak');
    expect(screen.controls()).toContain('Try again');
  });
});

describe('a bundle', () => {
  test('is written only after a person has seen what it would hold and what not', async () => {
    const screen = await open('finished');
    await screen.click('Export');
    await screen.click('Bundle for another lab…');
    await screen.until('1 study with settings, notes and tags: Quickstart');
    expect(screen.text()).toContain('saved keys, values of environment variables');
    expect(screen.sample.calls).not.toContain('bundle.choose');
    await screen.click('Save as…');
    expect(screen.sample.calls).toContain('bundle.choose');
  });

  test('that cannot be written now says why, and offers no file', async () => {
    const screen = await open('report-troubled');
    await screen.click('Export');
    await screen.click('Bundle for another lab…');
    await screen.until('its journals would change while they are packed');
    expect(screen.controls()).not.toContain('Save as…');
  });
});
