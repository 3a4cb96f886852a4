import { useEffect } from 'react';
import { describe, expect, it, vi } from 'vitest';
import type { TrainingView } from '../../../preload/contract';
import { NewTrainingScreen } from '../../../renderer/new-training';
import { type Route, useRoute, useWorkbench } from '../../../renderer/state';
import { renderScreen } from '../../support/rendered-screen';
import { orderedTraining, orderedWithWriter } from '../../support/sample-requests';

type NewTraining = Extract<Route, { kind: 'new-training' }>;

/** The form at its route, as the shell shows it. */
function AtRoute({ first }: { readonly first: NewTraining }) {
  const { location } = useWorkbench();
  const route = useRoute();
  useEffect(() => location.go(first), [location, first]);
  if (route.kind !== 'new-training') return null;
  const { machineId, from = null, trainer = null } = route;
  return <NewTrainingScreen machineId={machineId} from={from} trainer={trainer} />;
}

const open = (first: Omit<NewTraining, 'kind'>, trainings: readonly TrainingView[] = []) =>
  renderScreen(<AtRoute first={{ kind: 'new-training', ...first }} />, { training: { trainings } });

describe('the form of a training of language models', () => {
  it('says what is missing only after a try to start', async () => {
    const screen = await open({ machineId: null, trainer: 'model' });
    expect(screen.text()).not.toContain('Enter a model folder');
    await screen.click('Start training');
    expect(screen.text()).toContain('Enter a model folder or a GGUF file.');
    expect(screen.text()).toContain('Choose a benchmark.');
    expect(screen.sample.calls).not.toContain('training.start');
  });

  it('has at most four agents', async () => {
    const screen = await open({ machineId: null, trainer: 'model' });
    await screen.click('Add an agent');
    await screen.click('Add an agent');
    expect(screen.controls()).toContain('Remove agent 4');
    expect(screen.controls()).not.toContain('Add an agent');
  });

  it('keeps the last agent, and says what the method needs', async () => {
    const screen = await open({ machineId: null, trainer: 'model' });
    await screen.click('Remove agent 2');
    expect(screen.controls()).not.toContain('Remove agent 1');
    expect(screen.text()).toContain('Heter-MARS² needs two agents.');
  });

  it('says at once what is wrong with a name', async () => {
    const screen = await open({ machineId: null, trainer: 'model' });
    await screen.fill('Name of agent 2', 'agent-1');
    expect(screen.text()).toContain('Another agent has this name.');
  });

  it('opens like an earlier training, shows its cost and starts it', async () => {
    const training = { ...orderedTraining('model'), machineId: 'local' };
    const screen = await open({ machineId: null, from: training.id }, [training]);
    await screen.until('2,560 training samples');
    expect(screen.text()).toContain('answers of at most 512 to 1,024 tokens');
    await screen.until('Takes 2 to 5 hours');
    expect(screen.text()).toContain('Memory: about 9.2 GB of the 25.3 GB of the machine');
    expect(screen.text()).not.toContain('Time unknown');
    await screen.click('Start training');
    expect(screen.sample.calls).toContain('training.start');
  });

  it('draws the memory of agents on one machine, with the numbers of the bar that is pointed at', async () => {
    const training = { ...orderedTraining('model'), machineId: 'local' };
    const screen = await open({ machineId: null, from: training.id }, [training]);
    await screen.until('Memory of the machine The machine has 25.3 GB all agents, each at its peak 9.2 GB');
    const bars = [...document.querySelectorAll<HTMLElement>('figure [role="img"]')];
    expect(bars.map((bar) => bar.getAttribute('aria-label'))).toEqual([
      'All agents, each at its peak: small 3.3 GB, qwen 5.9 GB; 9.2 GB of 25.3 GB',
      'small while writing, in GB: weights 0.60, gradients 0.02, optimiser (Adam) 0.04, PyTorch and libraries 0.50, keys and values while writing 0.57; 1.7 GB of 25.3 GB',
      expect.stringContaining('small while learning'),
      expect.stringContaining('qwen while writing'),
      expect.stringContaining('qwen while learning'),
    ]);
    const widths = [...(bars[0]?.querySelectorAll('i') ?? [])].map(({ style }) =>
      Number.parseFloat(style.width),
    );
    expect(widths.reduce((sum, width) => sum + width, 0)).toBeCloseTo((100 * 9.2) / 25.3, 6);
    expect(screen.text()).toContain('qwen while learning , GB weights 2.40');
    await screen.click('while writing1.7 GB');
    expect(screen.text()).toContain('small while writing , GB weights 0.60');
    expect(screen.text()).toContain('logits –');
  });

  it('draws the memory of GPUs: the engine that writes takes turns with learning', async () => {
    const training = { ...orderedWithWriter(), machineId: 'local' };
    const screen = await open({ machineId: null, from: training.id }, [training]);
    await screen.until('Memory of each GPU A GPU has 25.8 GB small while writing 15.5 GB');
    expect(screen.text()).toContain('qwen while writing , GB weights 2.40');
    expect(screen.text()).toContain('engine that writes 11.60');
    expect(screen.text()).not.toContain('all agents, each at its peak');
  });

  it('has the Python that was prepared on the machine, unless another is entered', async () => {
    const first = { kind: 'new-training', machineId: 'local', trainer: 'model' } as const;
    const preparedPython = '/lab/learner/bin/python';
    const screen = await renderScreen(<AtRoute first={first} />, { preparedPython });
    const typed = () => [...document.querySelectorAll('input')].map(({ value }) => value);
    await vi.waitFor(() => expect(typed()).toContain(preparedPython));
    await screen.fill('Python', 'python3');
    expect(typed()).toContain('python3');
    expect(typed()).not.toContain(preparedPython);
  });

  it('chooses problems by their Pass@1 where it is asked to, and says at once what is wrong', async () => {
    const screen = await open({ machineId: null, trainer: 'model' });
    expect(screen.text()).toContain('Only problems that are solved sometimes trains on all');
    await screen.click('Only problems that are solved sometimestrains on all');
    await screen.fill('Greatest Pass@1', '0.6');
    expect(screen.text()).toContain('Enter how many problems to measure.');
    await screen.fill('Problems to measure', '60');
    expect(screen.text()).toContain('Pass@1 from 10 to 60 %, of at most 60 problems');
    await screen.fill('Least Pass@1', '0.7');
    expect(screen.text()).toContain('Must be at least the least Pass@1.');
    await screen.fill('Least Pass@1', '70');
    expect(screen.text()).toContain('A number from 0 to 1.');
  });

  it('of an earlier training shows its choice of problems, and starts with it', async () => {
    const earlier = { ...orderedTraining('model'), machineId: 'local' };
    if (earlier.spec.kind !== 'model') throw new Error('A training of language models');
    const choose = { measured: 60, samples: 4, from: 0.2, to: 0.5 };
    const spec = { ...earlier.spec, problems: { ...earlier.spec.problems, choose } };
    const screen = await open({ machineId: null, from: earlier.id }, [{ ...earlier, spec }]);
    await screen.until('Pass@1 from 20 to 50 %, of at most 60 problems');
    await screen.click('Start training');
    expect(screen.sample.calls).toContain('training.start');
  });

  it('without updates has no problems to choose', async () => {
    const base = { ...orderedTraining('model'), machineId: 'local' };
    if (base.spec.kind !== 'model') throw new Error('A training of language models');
    const spec = { ...base.spec, method: 'base' as const };
    const screen = await open({ machineId: null, from: base.id }, [{ ...base, spec }]);
    await screen.until('Evaluation');
    expect(screen.text()).not.toContain('Only problems that are solved sometimes');
  });
});

describe('the form of a training by MARTI', () => {
  it('keeps its settings closed until one is to be changed', async () => {
    const training = { ...orderedTraining('marti'), machineId: 'local' };
    const screen = await open({ machineId: null, from: training.id }, [training]);
    const lid = screen.controls().find((name) => /^\d+ settings as in the script/.test(name)) ?? '';
    expect(screen.controls()).not.toContain('Reset all');
    await screen.click(lid);
    expect(screen.text()).toContain('Only changed');
  });
});

describe('several values and seeds of a training', () => {
  it('are counted before the start, and start an experiment instead of the training', async () => {
    const training = { ...orderedTraining('model'), machineId: 'local' };
    const screen = await open({ machineId: null, from: training.id }, [training]);
    await screen.until('Several values and seeds');
    await screen.choose('Vary a setting', 'Peak learning rate');
    await screen.fill('Values of: Peak learning rate', '1e-5, x');
    expect(screen.text()).toContain('"Peak learning rate": a number above 0, at most 10.');
    await screen.fill('Values of: Peak learning rate', '1e-5, 3e-5');
    await screen.fill('Seeds', '1-3');
    await screen.until(/6 trainings 2 rows × 3 seeds ?, evaluated on 50 problems of humaneval, N = 16/);
    await screen.until('GPUs of the first');
    expect(screen.text()).not.toContain('GPUs in all');
    await screen.click('Start 6 trainings');
    expect(screen.sample.calls).toContain('experiment.start');
    expect(screen.sample.calls).not.toContain('training.start');
  });

  it('say how many GPUs all of them take at once', async () => {
    const training = { ...orderedWithWriter(), machineId: 'local' };
    const screen = await open({ machineId: null, from: training.id }, [training]);
    await screen.fill('Seeds', '1-3');
    await screen.until('2 GPUs each, 6 if all run at once');
  });

  it('of MARTI are trainings, started together', async () => {
    const training = { ...orderedTraining('marti'), machineId: 'local' };
    const screen = await open({ machineId: null, from: training.id }, [training]);
    await screen.until('Several values and seeds');
    await screen.choose('Vary a setting', 'Peak learning rate');
    await screen.fill('Values of: Peak learning rate', '1e-6, 2');
    expect(screen.text()).toContain('(actor_learning_rate) takes a number from 0 to 1, not "2".');
    await screen.fill('Values of: Peak learning rate', '1e-6, 3e-6');
    await screen.fill('Seeds', '1-3');
    await screen.until(/6 trainings A table compares the evaluations that they log/);
    await screen.click('Start 6 trainings');
    expect(screen.sample.calls).toContain('training.startMany');
    expect(screen.sample.calls).not.toContain('training.start');
  });
});
