import { expect, test } from 'vitest';
import { doctorText } from '../../../../main/app/logic/doctor-text';
import type { DoctorCheck } from '../../../../preload/contract';

const check = (id: string, title: string, change: Partial<DoctorCheck> = {}): DoctorCheck => ({
  id,
  title,
  state: 'good',
  found: 'As it should be.',
  todo: null,
  ...change,
});

test('what is not there is no "ok", and the end says what the machine can and cannot do', () => {
  const text = doctorText([
    check('detach', 'Jobs start detached'),
    check('gpus', 'GPUs', { found: 'No GPU.', isAbsent: true }),
    check('sandbox', 'Sandbox for grading there', {
      state: 'warning',
      found: 'No numpy.',
      todo: 'Install it.',
    }),
  ]);
  expect(text.split('\n')).toEqual([
    'ok       Jobs start detached: As it should be.',
    'none     GPUs: No GPU.',
    'warning  Sandbox for grading there: No numpy.',
    '           Install it.',
    '',
    'Can: grade programs, run jobs, train pocket policies.',
    'Cannot: serve models with vLLM or SGLang (no GPU); train with MARTI (no GPU).',
  ]);
});
