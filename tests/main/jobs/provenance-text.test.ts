import { expect, test } from 'vitest';
import {
  originDifferences,
  originsText,
  provenanceDifferences,
  provenanceFacts,
  provenanceText,
} from '../../../preload/contract';
import { sampleOrigins, sampleProvenance } from '../../support/sample-provenance';

test('two starts that differ only in time and place of their files do not differ', () => {
  const again = { at: '2027-01-01T00:00:00Z', attempt: 3 };
  expect(provenanceDifferences(sampleProvenance('a'), sampleProvenance('a', again))).toEqual([]);
});

test('what differs is said in sentences, the first start first', () => {
  const [first, second] = [sampleProvenance('job-1'), sampleProvenance('job-2')];
  const moved = {
    ...second,
    workbench: '0.9.1',
    gpu: { driver: '570.1', cuda: '12.8', names: ['NVIDIA A100'] },
    weights: first.weights.map((weights) => ({ ...weights, revision: 'f'.repeat(40) })),
    python: { executable: '/p', version: '3.11.9', packages: ['extra==1', 'numpy==1.26.4', 'torch==2.6.0'] },
  };
  expect(provenanceDifferences(first, moved)).toEqual([
    'Changes after the same commit: a diff of 218 bytes, and none. They differ in train.py.',
    'Packages: torch 2.5.1, and 2.6.0.',
    'Packages only in the first: transformers 4.51.3, vllm 0.8.4.',
    'Packages only in the second: extra 1.',
    'Weights: Qwen/Qwen3-8B revision b968826d9c, and revision ffffffffff.',
    'GPUs: 2 × NVIDIA H100 80GB HBM3, and 1 × NVIDIA A100.',
    'Driver: 550.54.15, for CUDA up to 12.4, and 570.1, for CUDA up to 12.8.',
    'Workbench: 0.9.0, and 0.9.1.',
  ]);
  const other = { ...moved, code: { ...moved.code, commit: '1'.repeat(40), branch: 'try' } };
  expect(provenanceDifferences(moved, other as typeof moved)).toEqual([
    'Code: commit 9f8e7d6c5b (main), and commit 1111111111 (try).',
  ]);
});

test('the text to copy has every fact, package and change', () => {
  const record = sampleProvenance('job-1');
  const text = provenanceText(record);
  for (const { text: fact } of provenanceFacts(record)) expect(text).toContain(fact);
  for (const line of ['torch==2.5.1', 'rewards/shaping.py', '+    learning_rate = 5e-7'])
    expect(text).toContain(line);
});

test('two studies differ by what made the servers of the same name, and by who was asked', () => {
  const [first, second] = [sampleOrigins('study-1'), sampleOrigins('study-2')];
  expect(originDifferences(first, first)).toEqual([]);
  const moved = second.map((origin) => ({
    ...origin,
    workbench: '0.9.1',
    address: origin.address?.replace('api', 'eu') ?? null,
  }));
  const early = { ...(first[0] as (typeof first)[0]), provenance: sampleProvenance('study-2') };
  // Of a server that was started twice, the last start counts.
  const asked = [early, ...first];
  expect(originDifferences(asked, [{ ...early, name: 'new' }, ...moved])).toEqual([
    'Searched by workbench 0.9.0, and 0.9.1.',
    'Qwen3-8B: Changes after the same commit: a diff of 218 bytes, and none. They differ in train.py.',
    'Qwen3-8B: Packages: torch 2.5.1, and 2.6.0.',
    'judge: https://api.example.org/v1, and https://eu.example.org/v1.',
    'new: used only by the second.',
  ]);
  expect(originsText(first)).toContain('judge, https://api.example.org/v1, first asked 2026-01-12T08:31:00Z');
});
