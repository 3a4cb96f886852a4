import { execFileSync } from 'node:child_process';

/** A row in exactly the published form; its task is made up. All values are strings. */
export function liveCodeBenchRow(number: number, changes: Readonly<Record<string, unknown>> = {}): string {
  const tests = [{ input: `${number}\n`, output: `${number + 1}\n`, testtype: 'stdin' }];
  return JSON.stringify({
    question_title: `C. Made ${number}`,
    question_content: `Read a number and print it plus ${number}. "private_test_cases": is no field here.`,
    platform: 'atcoder',
    question_id: `made_${number}`,
    contest_id: 'made',
    contest_date: '2025-02-01T00:00:00',
    starter_code: '',
    difficulty: 'hard',
    public_test_cases: JSON.stringify(tests),
    private_test_cases: '[]',
    metadata: '{}',
    ...changes,
  });
}

export type MadeTest = {
  readonly input: string;
  readonly output: string;
  readonly testtype: 'stdin' | 'functional';
};

const packer = `
import base64, json, pickle, sys, zlib
for tests, protocol, ascii in json.load(sys.stdin):
    print(base64.b64encode(zlib.compress(pickle.dumps(json.dumps(tests, ensure_ascii=ascii), protocol))).decode())
`;

type Packing = readonly [tests: readonly MadeTest[], protocol: number, ascii: boolean];

/** Packs each list of tests as LiveCodeBench does, all with one real Python. */
export function packedByPython(...packings: readonly Packing[]): readonly string[] {
  const input = JSON.stringify(packings);
  const output = execFileSync('python3', ['-I', '-c', packer], { input, maxBuffer: 2 ** 30 });
  return output.toString().trimEnd().split('\n');
}
