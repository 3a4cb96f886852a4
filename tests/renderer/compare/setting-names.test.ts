import { expect, it } from 'vitest';
import { settingName, settingValue } from '../../../renderer/compare/setting-names';

it.each([
  ['search.strategy.kind', 'Strategy'],
  ['search.strategy.depthGuidance.slope', 'Strategy, depth guidance, slope'],
  ['search.nodes', 'Nodes per tree (N)'],
  ['search.order', 'Outcomes'],
  ['search.strategy.samples', 'Strategy: Programs per agent'],
  ['search.treeBudget.tokens', 'Tree budget, tokens'],
  ['benchmarkId', 'Benchmark'],
  ['privateTests', 'Private tests'],
  ['agents[0].server.model', 'Agent 1: model'],
  ['agents[1].sampling.topP', 'Agent 2: top-p'],
  ['agents[1].role.systemPrompt', 'Agent 2: role, system prompt'],
])('the setting %s is called "%s"', (path, name) => {
  expect(settingName(path)).toBe(name);
});

it.each([
  ['search.strategy.kind', 'ab-mcts-a', 'AB-MCTS-A'],
  ['search.grading', 'as-published', "as the benchmark's grader"],
  ['search.stopWhenSolved', 'true', 'on'],
  ['agents[0].extraction', 'whole', 'Whole answer'],
  ['agents[0].server.model', 'Qwen3-8B', 'Qwen3-8B'],
])('the value of %s, %s, is shown as "%s"', (path, value, shown) => {
  expect(settingValue(path, value)).toBe(shown);
});
