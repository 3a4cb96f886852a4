import { expect, test } from 'vitest';
import { abilitiesOf, abilityLines, type DoctorCheck } from '../../../preload/contract';

const check = (id: string, change: Partial<DoctorCheck> = {}): DoctorCheck => ({
  id,
  title: id,
  state: 'good',
  found: '',
  todo: null,
  ...change,
});
const NONE = { isAbsent: true } as const;
const WHOLE = ['detach', 'ports', 'gpus', 'vllm', 'sglang', 'ray', 'marti', 'sandbox'];
const machine = (changes: Readonly<Record<string, Partial<DoctorCheck>>>): DoctorCheck[] =>
  WHOLE.map((id) => check(id, changes[id]));

test('a laptop without a GPU can grade and serve with llama.cpp, and is told what it cannot', () => {
  const none = { gpus: NONE, vllm: NONE, sglang: NONE, ray: NONE, marti: NONE };
  expect(abilityLines(abilitiesOf(machine(none)) ?? { can: [], cannot: [] })).toEqual([
    'Can: grade programs, run jobs, train pocket policies, serve models with llama.cpp (Launch a server installs it, 11 to 35 MB).',
    'Cannot: serve models with vLLM or SGLang (no GPU, no vllm, no sglang); train with MARTI (no GPU, no ray, no marti).',
  ]);
});

test('one engine is enough, and an engine that cannot be imported is none', () => {
  expect(abilitiesOf(machine({ sglang: NONE }))?.cannot).toEqual([]);
  expect(abilitiesOf(machine({ sglang: NONE, vllm: { state: 'bad' } }))?.cannot).toEqual([
    'serve models with vLLM or SGLang (see "vllm", no sglang)',
  ]);
});

test('what could not be found out is neither', () => {
  const { can, cannot } = abilitiesOf(machine({ sandbox: { state: 'unknown' } })) ?? { can: [], cannot: [] };
  expect([...can, ...cannot].join()).not.toMatch(/grade|pocket/);
});

test('what was not checked is neither', () => {
  const { can, cannot } = abilitiesOf([check('detach')]) ?? { can: [], cannot: [] };
  expect([can, cannot]).toEqual([['run jobs'], []]);
});

test('language models can be trained where the learner was checked and nothing of it is lacking', () => {
  const learner = (...more: DoctorCheck[]) => abilitiesOf([check('detach'), check('learner'), ...more]);
  expect(learner()?.can).toContain('train language models');
  expect(learner(check('learner-step', { state: 'bad' }))?.cannot).toEqual([
    'train language models (see "learner-step")',
  ]);
  const bare = abilitiesOf([check('detach'), check('learner', { state: 'bad' })]);
  expect(bare?.cannot).toEqual(['train language models (see "learner")']);
});

test('a check of the learner alone says nothing of the machine', () => {
  expect(abilitiesOf([check('learner')])).toBeNull();
});
