import { describe, expect, test } from 'vitest';
import { trainingTable } from '../../../main/cli/training-report';
import type { TrainingView } from '../../../preload/contract';
import { COMPLEMENT_SHORT, EVALUATION_INTERVALS, measuredSoFarText } from '../../../preload/contract/plans';
import type { TrainingTab } from '../../../renderer/state';
import { TrainingScreen, TrainingsScreen } from '../../../renderer/training';
import { Evaluation } from '../../../renderer/training/evaluation';
import { SCENES } from '../../support/preview/scenes';
import { renderScreen } from '../../support/rendered-screen';
import {
  sampleModelTraining,
  samplePocketTraining,
  sampleTrainings,
  sampleWatchedTraining,
} from '../../support/sample-trainings';

const Log = () => <p>The log of the job.</p>;
const Pane = (props: { readonly label: string }) => <p>The file {props.label}.</p>;
const open = (trainingId: string, tab: TrainingTab = 'log') =>
  renderScreen(
    <TrainingScreen trainingId={trainingId} tab={tab} JobLogs={Log} LogPane={Pane} />,
    SCENES.training,
  );

const openModel = (tab: TrainingTab) =>
  renderScreen(
    <TrainingScreen trainingId="training-model" tab={tab} JobLogs={Log} LogPane={Pane} />,
    SCENES['training-model'],
  );

describe('a training', () => {
  test('that failed gives its exit code, its alarm, and the way to continue', async () => {
    const screen = await open('training-failed');
    expect(screen.text()).toContain('The training ended with exit code 1. See its log for the reason.');
    expect(screen.text()).toContain('The loss of tracer is no number any more.');
    expect(screen.controls()).toContain('Resume');
    expect(screen.controls()).toContain('Copy to a new training');
    expect(screen.controls()).not.toContain('Stop');
  });

  test('that is removed is asked about with the figure of the lab’s own that it fills', async () => {
    const screen = await renderScreen(
      <TrainingScreen trainingId="training-grpo-11" tab="log" JobLogs={Log} LogPane={Pane} />,
      SCENES['exhibits-trainings'],
    );
    await screen.click('More');
    await screen.click('Remove');
    expect(screen.text()).toContain('It fills lines of Figure 2 · How the reader learns (our-figure)');
  });

  test('that the user stopped does not look like a failure', async () => {
    const screen = await open('training-stopped');
    expect(screen.text()).toMatch(
      /You stopped it\. (Nothing is lost: Resume goes on at update|Resume it to continue)/,
    );
    expect(screen.text()).not.toContain('Failed');
  });

  test('that is removed goes to the trash after a question that names what uses it, and comes back from there', async () => {
    const screen = await renderScreen(
      <>
        <TrainingScreen trainingId="training-heter-mars2-11" tab="log" JobLogs={Log} LogPane={Pane} />
        <TrainingsScreen />
      </>,
      SCENES.training,
    );
    await screen.click('More');
    await screen.click('Remove');
    expect(screen.text()).toContain('goes to the trash (Training > Trash), where it can be restored');
    expect(screen.text()).toContain(
      'Used by the experiment "Five methods, two families". Their results stay',
    );
    await screen.click('Move to the trash');
    await screen.click('Trash');
    await screen.until('8.4 MB');
    await screen.click('Delete Heter-MARS², seed 11 for good');
    await screen.until('Also delete its checkpoints, which stay otherwise');
    expect(screen.text()).toContain('used by the experiment "Five methods, two families"');
    await screen.click('Keep it');
    await screen.click('Restore Heter-MARS², seed 11');
    await screen.until('It is empty.');
    expect(screen.sample.calls).not.toContain('training.delete');
  });

  test('that runs is stopped only after a question, which says what may be lost', async () => {
    const screen = await open('training-live');
    await screen.click('Stop');
    expect(screen.text()).toContain('nothing is lost, and Resume goes on at that update');
    expect(screen.sample.calls).not.toContain('training.stop');
    await screen.click('Stop training');
    expect(screen.sample.calls).toContain('training.stop');
  });

  test('that ends while it is asked about closes the question: there is nothing to stop any more', async () => {
    const screen = await open('training-live');
    await screen.click('Stop');
    expect(screen.controls()).toContain('Stop training');
    const state = { kind: 'exited', code: 0, endedAt: '2026-01-01T00:00:00.000Z' } as const;
    const training = samplePocketTraining({ id: 'training-live', state }, 1);
    screen.sample.emit({ kind: 'training-changed', training });
    await screen.until('Done');
    expect(screen.controls()).not.toContain('Stop training');
  });

  test('says what the numbers beside the titles of its charts are', async () => {
    const screen = await open('training-live', 'curves');
    await screen.until('Numbers beside titles: mean of the last 20 updates');
  });

  test('shows every alarm with the step since which it holds', async () => {
    const screen = await open('training-marti');
    expect(screen.text()).toContain('The entropy of AReaL-boba-2-14B fell from 0.41 to 0.03');
    expect(screen.text()).toContain('since step 71');
  });

  test('without an evaluation says whether one is still to come', async () => {
    expect((await open('training-live', 'evaluation')).text()).toContain(
      'The trainer evaluates after the last update',
    );
  });

  test('says what was measured before its first update', async () => {
    const [live] = sampleTrainings() as [TrainingView];
    const latest = live.latest.map((value) => ({ ...value, part: 'evaluation' as const }));
    const text = measuredSoFarText({ ...live, latest });
    expect(text).toMatch(/^Before the first update: Pass@1, n = \d+: reader [\d.]+ %, tracer [\d.]+ %\.$/);
    expect(measuredSoFarText(live)).toBeNull();
    const screen = await renderScreen(<Evaluation training={{ ...live, latest }} />, SCENES.training);
    await screen.until(`No evaluation at the end yet ${text}`);
  });

  test('without evaluations on the way says never', async () => {
    expect((await open('training-live', 'order')).text()).toContain('During training, every never');
  });

  test('that ended before its evaluation says how to get one', async () => {
    expect((await open('training-stopped', 'evaluation')).text()).toContain(
      'Resume it, or evaluate its checkpoints in a study.',
    );
  });

  test('lists every setting by name, and says that changed ones are bold', async () => {
    const screen = await open('training-live', 'order');
    expect(screen.text()).toContain('Method Heter-MARS²');
    expect(screen.text()).toContain('Peak learning rate 0.03');
    expect(screen.text()).toContain('Bold: differs from the default.');
  });
});

test('Base, which makes no update, is said not to be trained instead of at none of many', async () => {
  const base = samplePocketTraining({ method: 'base', step: 0 }, 5);
  const screen = await renderScreen(
    <TrainingScreen trainingId={base.id} tab="log" JobLogs={Log} LogPane={Pane} />,
    { training: { trainings: [base] } },
  );
  expect(screen.text()).toContain('not trained');
  expect(screen.text()).not.toContain('of 300');
  expect(trainingTable([base])).toContain('not trained');
});

test('a training lists its restarts, and says why it is not restarted again', async () => {
  const why = 'It was killed. Starts again in 5 s (retry 1 of 10), from the checkpoint of step reader 4.';
  const training = samplePocketTraining(
    {
      id: 'restarted',
      state: { kind: 'lost', why: 'It was killed.' },
      restarts: [{ at: '2026-11-28T02:00:00.000Z', why }],
      notRestarted: 'It is not restarted by itself: it has saved no checkpoint since its last start.',
    },
    5,
  );
  const screen = await renderScreen(
    <TrainingScreen trainingId="restarted" tab="log" JobLogs={Log} LogPane={Pane} />,
    {
      training: { trainings: [training] },
    },
  );
  expect(screen.text()).toContain('from the checkpoint of step reader 4.');
  expect(screen.text()).toContain('It is not restarted by itself');
});

test('the curves of a training and of its other seeds are drawn as one line by one press', async () => {
  const trainings = [1, 2, 3].map((seed) => samplePocketTraining({ jobId: `job-${seed}` }, 5, seed));
  const [first] = trainings;
  const screen = await renderScreen(
    <TrainingScreen trainingId={first?.id ?? ''} tab="curves" JobLogs={Log} LogPane={Pane} />,
    { training: { trainings: [...trainings, samplePocketTraining({ method: 'grpo' }, 5)] } },
  );
  await screen.click('All seeds');
  await screen.until('Heter-MARS², reader + tracer, 3 seeds');
  expect(screen.text()).toContain('the band runs from the lowest to the highest seed');
});

test('a run of others is watched from the list, and can be left but not stopped', async () => {
  const list = await renderScreen(<TrainingsScreen />, SCENES.training);
  await list.click('Watch a run');
  await list.fill('Folder or Slurm id', '/scratch/run');
  await list.click('Watch run');
  expect(list.sample.calls).toContain('training.watch');

  const watched = sampleWatchedTraining('local', '/scratch/run');
  const screen = await renderScreen(
    <TrainingScreen trainingId={watched.id} tab="order" JobLogs={Log} LogPane={Pane} />,
    { training: { trainings: [watched] } },
  );
  expect(screen.text()).toContain('never stops, changes or deletes anything');
  expect(screen.controls()).toContain('Stop watching');
  expect(screen.controls()).not.toContain('Stop');
  await screen.click('Export');
  expect(screen.controls()).toContain('As CSV');
  await screen.click('As TensorBoard files');
  expect(screen.sample.calls).toContain('training.chooseExport');
});

test('the log of a watched run is the file that is read', async () => {
  const plain = sampleWatchedTraining('local', '/scratch/run');
  if (plain.spec.kind !== 'watched') throw new Error('The sample is watched');
  const watched = { ...plain, spec: { ...plain.spec, logs: ['/scratch/run/a.log', '/scratch/run/b.log'] } };
  const screen = await renderScreen(
    <TrainingScreen trainingId={watched.id} tab="log" JobLogs={Log} LogPane={Pane} />,
    { training: { trainings: [watched] } },
  );
  expect(screen.text()).toContain('The file /scratch/run/b.log');
});

describe('the list of trainings', () => {
  test('without trainings offers the two that run on this computer', async () => {
    const screen = await renderScreen(<TrainingsScreen />, SCENES.first);
    expect(screen.text()).toContain('No trainings yet');
    expect(screen.controls()).toEqual(
      expect.arrayContaining(['Train a pocket team', 'Compare the five methods', 'start MARTI']),
    );
  });

  test('counts its trainings by state', async () => {
    const screen = await renderScreen(<TrainingsScreen />, SCENES.training);
    expect(screen.text()).toMatch(/All 20 Active 5 Done 13 Stopped 1 Failed 1/);
  });

  test('of language models shows its models, its problems and every setting', async () => {
    const screen = await openModel('order');
    expect(screen.text()).toContain('qwen /models/Qwen3-0.6B answers of at most 1,024 tokens; thinking off');
    expect(screen.text()).toContain('Trained on 2 problems of humaneval');
    expect(screen.text()).toContain('Evaluated with temperature 0.6');
    expect(screen.text()).toContain('Updates of each agent 40');
    expect(screen.text()).toContain('Policy before the update scored by the learner');
  });

  test('of language models counts updates, and says how far writer and learner are apart', async () => {
    const screen = await openModel('curves');
    await screen.until('Writer–learner gap, nats');
    expect(screen.text()).toContain('update 26 of 40');
    for (const title of [
      'KL',
      'Vetoed tokens, %',
      'Capped tokens, %',
      'Tokens per second',
      'Time learning, %',
    ])
      expect(screen.text()).toContain(title);
  });

  test('of language models says which problems it kept by their Pass@1', async () => {
    expect((await open('training-live')).text()).not.toContain('with Pass@1 from');
    expect((await openModel('log')).text()).toContain(
      'Kept 37 of 200 problems with Pass@1 from 10 to 80 %: 120 never solved, 43 above.',
    );
  });

  test('of language models compares each agent before and after, with the paired interval', async () => {
    const state = { kind: 'exited', code: 0, endedAt: new Date().toISOString() } as const;
    const done = { ...sampleModelTraining(), state };
    const screen = await renderScreen(
      <TrainingScreen trainingId={done.id} tab="evaluation" JobLogs={Log} LogPane={Pane} />,
      { training: { trainings: [done] } },
    );
    await screen.until(
      'after: 9.4 percentage points more (95 % interval 1.4 to 17.4, paired over 100 problems; odds ratio 3.00 [1.21, 8.61]).',
    );
    expect(screen.text()).toContain(
      'after: 3.1 percentage points more (95 % interval −4.9 to 11.1, paired over 100 problems; odds ratio 1.40 [0.56, 3.59]). The interval includes 0: no gain or loss is shown.',
    );
  });
});

describe('the evaluation of a training', () => {
  const state = { kind: 'exited', code: 0, endedAt: new Date().toISOString() } as const;
  const evaluated = (families: readonly string[], refuse = {}) => {
    const done = samplePocketTraining({ id: 'done', state, families }, 90);
    return renderScreen(<TrainingScreen trainingId="done" tab="evaluation" JobLogs={Log} LogPane={Pane} />, {
      training: { trainings: [done] },
      refuse,
    });
  };

  test.each([
    [['reader', 'tracer'], true],
    [['reader'], false],
  ])(
    'of %j says how its intervals are made; of a team that its lead is built in: %s',
    async (families, isTeam) => {
      const screen = await evaluated(families);
      await screen.until(EVALUATION_INTERVALS);
      expect(screen.text().includes(`${COMPLEMENT_SHORT}.`)).toBe(isTeam);
    },
  );

  test('that is damaged is named with its file, and no number of it is shown', async () => {
    const message = 'The evaluation of "Ours" is damaged (/data/evaluation.json: its checksum).';
    const screen = await evaluated(['reader', 'tracer'], {
      'training.evaluation': { code: 'bad-input', message, hint: 'Restore the file from a backup.' },
    });
    await screen.until(message);
    expect(screen.text()).toContain('Restore the file from a backup.');
    expect(screen.text()).not.toContain('Pass@1(MCTS)');
  });
});

describe('the GPUs of a training', () => {
  test('are drawn over the steps of its curves', async () => {
    const screen = await open('training-marti', 'curves');
    await screen.until('GPU temperature, °C');
    expect(screen.text()).toContain('over steps');
  });
});

describe('the evaluation of a training by a foreign trainer', () => {
  test('is the table of its sweep over the seeds, which names what is missing', async () => {
    const screen = await open('training-marti', 'evaluation');
    await screen.until('qwen: pass@1, best (highest)');
    expect(screen.text()).toMatch(/actor_learning_rate 3e-6 .* 2 of 3/);
    expect(screen.text()).toContain('Missing: actor_learning_rate 3e-6, seed 3 has failed.');
    expect(screen.text()).toContain('Differences: none is tested');
  });

  test('without a sweep is in a study of its checkpoints', async () => {
    const screen = await open('training-recipe', 'evaluation');
    await screen.until('This trainer does not evaluate. Evaluate its checkpoints in a study.');
  });
});
