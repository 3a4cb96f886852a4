import { spawnSync } from 'node:child_process';
import type { TestCase } from '../../../preload/contract';

export type Batch = readonly { readonly source: string; readonly tests: readonly TestCase[] }[];

/** Runs every program on every test in one real Python; gives what it printed or returned, or "error". */
const RUNNER = `
import contextlib, io, json, sys
answers = []
for source, tests in json.load(sys.stdin):
    code = compile(source, 'program', 'exec')
    row = []
    for kind, text in tests:
        try:
            if kind == 'stdin':
                out, held = io.StringIO(), sys.stdin
                sys.stdin = io.StringIO(text)
                try:
                    with contextlib.redirect_stdout(out):
                        exec(code, {'__name__': '__main__'})
                finally:
                    sys.stdin = held
                row.append(out.getvalue())
            else:
                names = {}
                exec(code, names)
                row.append(json.dumps(names['solve'](json.loads(text)), separators=(',', ':')))
        except Exception:
            row.append('error')
    answers.append(row)
print(json.dumps(answers))
`;

export function runInPython(batch: Batch): string[][] {
  const work = batch.map(({ source, tests }) => [
    source,
    tests.map((test) => [test.kind, 'input' in test ? test.input : '']),
  ]);
  const done = spawnSync('python3', ['-I', '-S', '-c', RUNNER], {
    input: JSON.stringify(work),
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  if (done.status !== 0) throw new Error(`python3 failed: ${done.stderr}`);
  return JSON.parse(done.stdout) as string[][];
}
