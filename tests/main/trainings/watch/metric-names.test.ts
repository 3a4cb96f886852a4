import { expect, test } from 'vitest';
import { quantityOf, tagOwner } from '../../../../main/trainings/logic/watch/metric-names';

test.each([
  ['train/agent_1/policy_loss', { agent: 1, name: 'policy_loss', isOwnStep: false }],
  ['agent_12_step/train/kl', { agent: 12, name: 'kl', isOwnStep: true }],
  ['eval/eval_agent0_default_pass1', { agent: 0, name: 'eval/default_pass1', isOwnStep: false }],
  ['eval/eval_allagent_lcb_v6_passtopk', { agent: null, name: 'eval/lcb_v6_passtopk', isOwnStep: false }],
  ['eval/eval_system_default_avg_pass1', { agent: null, name: 'eval/default_avg_pass1', isOwnStep: false }],
  ['train/reward', { agent: null, name: 'train/reward', isOwnStep: false }],
  ['eval/eval_default_pass1', { agent: null, name: 'eval/eval_default_pass1', isOwnStep: false }],
])('the tag %s belongs to its agent', (tag, owner) => {
  expect(tagOwner(tag)).toEqual(owner);
});

test.each([
  ['policy_loss', 'train', 'policy-loss', null],
  ['train/reward', 'train', 'reward', null],
  ['ppo_clip_ratio', 'train', 'clipped', null],
  ['frac_reward_zero_std', 'train', 'zero-advantage', null],
  ['actor/grad_norm', 'train', 'gradient-norm', null],
  ['actor_grad_norm', 'train', 'gradient-norm', null],
  ['eval/default_pass1', 'evaluation', 'pass@1', 'default'],
  ['eval/lcb_v6_pass16', 'evaluation', 'pass@16', 'lcb_v6'],
  ['eval/eval_default_pass1', 'evaluation', 'pass@1', 'default'],
  ['eval_reward', 'evaluation', 'reward', null],
  ['eval_runtime', 'other', 'eval_runtime', null],
  ['val-core/openai/gsm8k/acc/best@8/mean', 'evaluation', 'pass@8', 'openai/gsm8k'],
  ['val/test_score/aime', 'evaluation', 'pass@1', 'aime'],
  ['attention/early/mdi', 'other', 'attention/early/mdi', null],
  ['constructor', 'other', 'constructor', null],
])('the name %s means %s %s of %s', (name, part, key, dataset) => {
  expect(quantityOf(name)).toEqual({ part, key, dataset });
});

test('numbers of unknown quantities are left out', () => {
  expect([quantityOf('agent_id'), quantityOf('train/global_step')]).toEqual([null, null]);
});

test("a recipe's keys go before ours", () => {
  expect(quantityOf('kl', { keys: { kl: 'update-kl' } })).toEqual({
    part: 'train',
    key: 'update-kl',
    dataset: null,
  });
  expect(quantityOf('eval/acc', { keys: { 'eval/acc': 'pass@1' } })?.part).toBe('evaluation');
});

test('Pass@1 of an evaluation by trees of several nodes is of the node that was chosen', () => {
  const searched = (name: string) => quantityOf(name, { isSearched: true })?.key;
  expect([searched('eval/default_pass1'), searched('eval/default_passtopk'), searched('reward')]).toEqual([
    'pass@1(mcts)',
    'pass@n',
    'reward',
  ]);
});
