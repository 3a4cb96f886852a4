import { expect, it } from 'vitest';
import { importName } from '../../../../main/benchmarks/logic/import-options';

it.each([
  ['/data/HumanEval.jsonl.gz', 'HumanEval'],
  ['/data/codegen/samples.jsonl', 'codegen samples'],
  ['C:\\data\\Made.parquet', 'Made'],
  ['/mbpp/sanitized/test-00000-of-00001.parquet', 'sanitized test'],
  ['test-00000-of-00001.parquet', 'test'],
  ['/data/test6.jsonl', 'test6'],
])('%s is named %s', (path, name) => {
  expect(importName(path)).toBe(name);
});
