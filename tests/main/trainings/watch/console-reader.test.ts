import { describe, expect, test } from 'vitest';
import {
  type ConsoleOptions,
  ConsoleReader,
  type ConsoleRow,
} from '../../../../main/trainings/logic/watch/console-reader';

const TWO = ['0', '1'];
const agentAt = (position: number | null): string | null =>
  position === null ? null : (TWO[position] ?? null);
const MARTI: ConsoleOptions = { form: 'python-dict', stepKey: null, names: {}, agentAt };

function read(text: string, options: Partial<ConsoleOptions> = {}) {
  const reader = new ConsoleReader({ ...MARTI, ...options });
  const lines: ConsoleRow[] = [];
  reader.push(text, (row) => lines.push(row));
  return { reader, told: lines, rows: lines.map(({ row }) => row) };
}

const brief = ({ rows }: ReturnType<typeof read>) =>
  rows.map(({ agentId, step, part, key, dataset, value }) => [agentId, step, part, key, dataset, value]);

describe('a log of MARTI', () => {
  test('reads the steps of its agents', () => {
    const log = [
      "\u001b[36m(MultiAgentController pid=77, ip=10.0.0.2)\u001b[0m WARNING 11-21 21:22:31 multi_agent_ppotrainer.py:275] ✨ Global step 3: {'policy_loss': -0.01, 'actor_lr': 1e-06, 'reward': 0.5, 'group_reward_std': 0.2, 'agent_id': 1.0}",
      "WARNING 11-21 21:23:31 multi_agent_ppotrainer.py:275] ✨ Global step 4: {'reward': nan, 'agent_id': 0.0}",
      '',
    ].join('\n');
    expect(brief(read(log))).toEqual([
      ['1', 3, 'train', 'policy-loss', null, -0.01],
      ['1', 3, 'train', 'learning-rate', null, 1e-6],
      ['1', 3, 'train', 'reward', null, 0.5],
      ['1', 3, 'train', 'group-reward-std', null, 0.2],
      ['0', 4, 'train', 'reward', null, Number.NaN],
    ]);
    const [first, , , , last] = read(log).told;
    expect((last?.ms ?? 0) - (first?.ms ?? 0)).toBe(60_000);
  });

  test('reads evaluations by agent and data set', () => {
    const log =
      "INFO 11-21 21:22:31 multi_agent_ppotrainer.py:672] Evaluation completed in 0:12:01, global_step 8, eval_metrics: {'eval_agent1_livecodebench_pass1': 0.25, 'eval_agent1_livecodebench_passtopk': 0.5, 'eval_agent1_livecodebench_avg_pass1': 0.3, 'eval_system_default_pass1': 0.4, 'eval_allagent_default_pass4': 0.6}\n";
    expect(brief(read(log))).toEqual([
      ['1', 8, 'evaluation', 'pass@1', 'livecodebench', 0.25],
      ['1', 8, 'evaluation', 'pass@n', 'livecodebench', 0.5],
      ['1', 8, 'evaluation', 'pass@1-of-passing', 'livecodebench', 0.3],
      [null, 8, 'evaluation', 'pass@1', 'default', 0.4],
      [null, 8, 'evaluation', 'pass@4', 'default', 0.6],
    ]);
  });

  test('recognises the stage by its marks', () => {
    const mark = (words: string) => `INFO 11-21 21:22:31 multi_agent_ppotrainer.py:157] ${words}\n`;
    const reader = new ConsoleReader(MARTI);
    const after = (words: string) => {
      reader.push(mark(words), () => undefined);
      return reader.stage;
    };
    expect(reader.stage).toBeNull();
    expect(after('[MultiAgent_PPOTrainer] Begin ROLLOUT')).toBe('rollout');
    expect(after('[Agent 0] filtered_samples 12 < rollout_batch_size 32, continue sampling')).toBe('rollout');
    expect(after('[MultiAgent_PPOTrainer] ROLLOUT FINISHED! Begin making experiences')).toBe(
      'making experiences',
    );
    expect(after('[MultiAgent_PPOTrainer] make_experience FINISHED! Begin Training')).toBe('training');
    expect(after('⏰ Evaluation start time: 2026-11-21 21:22:31')).toBe('evaluating');
    expect(after('✨ Evaluation completed, global_step 4, eval_metrics: {}')).toBe('rollout');
  });
});

describe('a log of TRL', () => {
  const bar = (done: number) => `\r ${done}%|###| ${done}/9 [00:0${done}<00:09,  1.0it/s]`;
  const row = (loss: number) => `\r      {'loss': '${loss}', 'epoch': '0.5'}\n`;
  const steps = (log: string) =>
    read(log, { agentAt: () => 'policy' })
      .rows.filter(({ part, key }) => part === 'train' && key === 'policy-loss')
      .map(({ step, value }) => [step, value]);

  test('has a step of its own where the bar was not redrawn since the row before', () => {
    const evaluated = "\r {'eval_loss': '7', 'epoch': '0.5'}\n";
    const log = [bar(1), row(1), bar(1), evaluated, row(2), bar(2), row(3), bar(4), row(4)];
    expect(steps(log.join(''))).toEqual([1, 2, 3, 4].map((step) => [step, step]));
  });

  test('repeats a step where the bar went back to a checkpoint', () => {
    const log = [bar(1), row(1), bar(2), row(2), bar(1), bar(2), row(3)];
    expect(steps(log.join(''))).toEqual([
      [1, 1],
      [2, 2],
      [2, 3],
    ]);
  });
});

describe('a log of verl', () => {
  const pairs = { form: 'pairs', agentAt: () => 'policy' } as const;

  test('reads pairs of names and values', () => {
    const log =
      '\u001b[36m(TaskRunner pid=1064331)\u001b[0m step:3 - global_seqlen/min:512.0 - actor/entropy:0.31 - actor/pg_loss:nan - critic/rewards/mean:np.float64(0.5) - val-core/openai/gsm8k/acc/mean@1:0.75 - timing_s/gen:12.5\n';
    expect(brief(read(log, pairs))).toEqual([
      ['policy', 3, 'other', 'global_seqlen/min', null, 512],
      ['policy', 3, 'train', 'entropy', null, 0.31],
      ['policy', 3, 'train', 'policy-loss', null, Number.NaN],
      ['policy', 3, 'train', 'reward', null, 0.5],
      ['policy', 3, 'evaluation', 'pass@1', 'openai/gsm8k', 0.75],
      ['policy', 3, 'other', 'timing_s/gen', null, 12.5],
    ]);
  });

  test('may name its step itself', () => {
    const log = 'training/global_step:7 - critic/rewards/mean:0.5\n';
    expect(brief(read(log, { ...pairs, stepKey: 'training/global_step' }))).toEqual([
      ['policy', 7, 'train', 'reward', null, 0.5],
    ]);
  });
});

describe('a log of a trainer of transformers', () => {
  test('may print its numbers as texts', () => {
    expect(brief(read("{'loss': '0.0751', 'grad_norm': '-inf', 'epoch': '0.01'}\n"))).toEqual([
      [null, 1, 'train', 'policy-loss', null, 0.0751],
      [null, 1, 'train', 'gradient-norm', null, Number.NEGATIVE_INFINITY],
      [null, 1, 'other', 'epoch', null, 0.01],
    ]);
  });

  test('counts its rows where no line has a step, and uses the progress bar where there is one', () => {
    const row = "{'reward': 0.5}\n";
    expect(read(row + row).rows.map(({ step }) => step)).toEqual([1, 2]);
    const bar = ' 10%|█         | 30/300 [01:02:03<10:00:00,  8.22s/it]\r';
    const shards = 'Loading checkpoint shards: 100%|##########| 400/400 [00:00<00:00,  8.66it/s]\n';
    const { told, reader } = read(shards + bar + row);
    expect(told[0]).toMatchObject({ row: { step: 30 }, ms: 3_723_000 });
    expect(reader.progress).toEqual({ done: 30, total: 300, seconds: 3_723 });
  });

  test('takes the step from the key that its recipe names', () => {
    const { rows } = read("{'global_step': 40, 'my/score': 2}\n", {
      stepKey: 'global_step',
      names: { keys: { 'my/score': 'reward' } },
    });
    expect(rows).toEqual([
      { agentId: null, step: 40, part: 'train', key: 'reward', dataset: null, value: 2 },
    ]);
  });

  test('has lines that are not measurements', () => {
    for (const line of [
      "{'learning_rate': 1e-06, 'seed': 42}",
      "{'train_runtime': 12.5, 'train_samples_per_second': 3.0}",
      "Config: {'model': 'a', 'layers': [1, 2]}",
      "{'loss': 0.1",
      'step:3 - and so on',
      '',
    ]) {
      expect(read(`${line}\n`).rows).toEqual([]);
      expect(read(`${line}\n`, { form: 'pairs' }).rows).toEqual([]);
    }
  });

  test('waits for the end of a line', () => {
    const reader = new ConsoleReader(MARTI);
    const rows: ConsoleRow[] = [];
    for (const mark of "{'reward': 0.5}") reader.push(mark, (row) => rows.push(row));
    expect(rows).toEqual([]);
    reader.push('\r\n', (row) => rows.push(row));
    expect(rows).toHaveLength(1);
  });
});
