import { expect, test } from 'vitest';
import { referenceInputs, toleranceText } from '../../../../renderer/shared/problems/reference-inputs';

test('the calls of a reference test stand one a line, as arguments', () => {
  expect(referenceInputs({ inputs: '[[[1,2],"a"],[[],null]]' })).toEqual(['[1,2], "a"', '[], null']);
});

test('Python literals, and what cannot be read, are shown as they are', () => {
  expect(referenceInputs({ inputs: '[[(1, 2)]]', inputsForm: 'python' })).toEqual(['[[(1, 2)]]']);
  expect(referenceInputs({ inputs: 'not JSON' })).toEqual(['not JSON']);
  expect(referenceInputs({ inputs: '{"a":1}' })).toEqual(['{"a":1}']);
});

test('a tolerance is named only where there is one', () => {
  expect([toleranceText(0), toleranceText(1e-6)]).toEqual(['', ', within 0.000001']);
});
