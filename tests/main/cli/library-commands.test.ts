import { expect, test } from 'vitest';
import { dispatcher } from '../../../main/app/dispatch';
import { Emitter } from '../../../main/base';
import type { CommandName, Payload, Recording, WorkbenchEvent } from '../../../preload/contract';
import { createSampleWorkbench } from '../../support/sample-workbench';
import { typeCommand } from '../../support/typed-command';

const recording = (samples: number): Recording => ({
  id: 'answers',
  name: 'answers',
  benchmarkId: 'sums',
  problems: 1,
  samples,
  refinements: 0,
  fewestSamples: samples,
  mostSamples: samples,
  digest: '',
  source: '',
  importedAt: '',
});

test('a list has a head that says what its columns are', async () => {
  const call = dispatcher(
    { 'recording.list': async () => ({ ok: true, value: [recording(2)] }) },
    (error) => {
      throw error;
    },
  );
  const { out } = await typeCommand({ call, events: new Emitter<WorkbenchEvent>() }, 'recordings', 'list');
  expect(out.split('\n')).toEqual([
    'recording  samples  refinements  benchmark  name',
    '---------  -------  -----------  ---------  -------',
    'answers          2            0  sums       answers',
    '',
  ]);
});

/** The commands of a sample, and which were called. */
function sampleHost() {
  const sample = createSampleWorkbench();
  const call = <N extends CommandName>(name: N, payload: Payload<N>) => sample.api.call(name, payload);
  return { host: { call, events: new Emitter<WorkbenchEvent>() } as never, sample };
}

test('problems are listed by filter, so that all of them can be marked', async () => {
  const { host, sample } = sampleHost();
  const { out } = await typeCommand(host, 'benchmarks', 'problems', 'humaneval', '--only', 'no-public-tests');
  const ids = out.trimEnd().split('\n');
  expect(ids).toHaveLength(33);
  const marked = await typeCommand(host, 'benchmarks', 'mark', 'humaneval', ...ids, '--reason', 'no tests');
  expect(marked.out.split('\n').filter((line) => line.endsWith('included  no tests'))).toHaveLength(33);
  expect(sample.calls.filter((name) => name === 'benchmark.mark')).toHaveLength(1);
});

test('a benchmark is removed only with --yes; without it, it is said what is lost', async () => {
  const { host, sample } = sampleHost();
  const asked = await typeCommand(host, 'benchmarks', 'remove', 'pocket-test-1');
  expect(asked.err).toContain('1 study uses it: "Quickstart".');
  expect(asked.err).toContain('1 recording answers its problems, and cannot be used without it.');
  expect(asked.err).toContain('mars2 benchmarks remove pocket-test-1 --yes');
  expect(sample.calls).not.toContain('benchmark.remove');
  expect((await typeCommand(host, 'benchmarks', 'remove', 'pocket-test-1', '--yes')).code).toBe(0);
  expect((await typeCommand(host, 'benchmarks', 'remove', 'pocket-test-1')).err).toContain(
    'There is no benchmark "pocket-test-1" in the library.',
  );
});

test('an import whose tests Python cannot parse is refused with them, and done with --mark-unparsed', async () => {
  const asked: unknown[] = [];
  const error = { code: 'bad-input', message: 'line 2 of own.jsonl, problem "bad"', cause: 'tests' } as const;
  const call = async (_: CommandName, payload: unknown) => {
    asked.push(payload);
    return { ok: false, error } as const;
  };
  const host = { call, events: new Emitter<WorkbenchEvent>() } as never;
  const { err, code } = await typeCommand(host, 'benchmarks', 'import', '/data/own.jsonl');
  expect(err).toContain('line 2 of own.jsonl, problem "bad"');
  expect(code).toBe(1);
  await typeCommand(host, 'benchmarks', 'import', '/data/own.jsonl', '--mark-unparsed');
  expect(asked).toEqual([false, true].map((markUnparsed) => ({ path: '/data/own.jsonl', markUnparsed })));
});
