import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { parseAnswerLine, type SourceAnswer } from './logic/source-answer';

/** Asks Python whether the texts of an import's tests are Python; none of them is ever run. */
export type TestParser = {
  readonly parse: (source: string) => Promise<SourceAnswer>;
  readonly close: () => void;
};

export type TestParserLimits = {
  /** Characters of one test: a tree of nodes takes some hundred times as much memory. */
  readonly characters: number;
  readonly memoryBytes: number;
  /** Processor time of one process, which parses many tests. */
  readonly cpuSeconds: number;
  /** Longest wait for one test. */
  readonly answerMs: number;
  /** How many processes of one Python may end without an answer; then it is asked no more. */
  readonly failures: number;
};
export const testParserLimits: TestParserLimits = {
  characters: 4_000_000,
  memoryBytes: 2 * 1024 ** 3,
  cpuSeconds: 60,
  answerMs: 20_000,
  failures: 3,
};

/** Reads a JSON string a line and answers with true (it parses), false (not known), or why not and in which line. */
const PROGRAM = `
import ast, json, resource, sys, warnings
warnings.simplefilter("ignore")
for name, limit in (("RLIMIT_AS", int(sys.argv[1])), ("RLIMIT_CPU", int(sys.argv[2])), ("RLIMIT_CORE", 0)):
    try:
        resource.setrlimit(getattr(resource, name), (limit, limit))
    except (ValueError, OSError):
        pass
for line in sys.stdin:
    try:
        ast.parse(json.loads(line))
        answer = True
    except UnicodeError:
        answer = False
    except (SyntaxError, ValueError) as error:
        answer = [str(getattr(error, "msg", error))[:200], getattr(error, "lineno", None)]
    except (RecursionError, MemoryError):
        answer = False
    print(json.dumps(answer), flush=True)
`;
/** An answer is far shorter; a parser that a text got the better of may write anything. */
const MAX_ANSWER = 4_096;

type Child = ChildProcessByStdio<Writable, Readable, null>;

/** One Python, in a process that is started when it is first asked and after each that ended. */
class PythonProcess {
  readonly #path: string;
  readonly #limits: TestParserLimits;
  #child: Child | null = null;
  #failures = 0;

  constructor(path: string, limits: TestParserLimits) {
    this.#path = path;
    this.#limits = limits;
  }

  async ask(source: string): Promise<SourceAnswer> {
    if (this.#failures >= this.#limits.failures) return 'unknown';
    this.#child ??= this.#start();
    const line = answerOf(this.#child, this.#limits.answerMs);
    this.#child.stdin.write(`${JSON.stringify(source)}\n`);
    const answer = parseAnswerLine((await line) ?? '');
    if (answer !== null) return answer;
    this.#failures += 1;
    this.#kill();
    return 'unknown';
  }

  close(): void {
    this.#failures = this.#limits.failures;
    this.#kill();
  }

  #kill(): void {
    this.#child?.kill('SIGKILL');
    this.#child = null;
  }

  #start(): Child {
    const { memoryBytes, cpuSeconds } = this.#limits;
    const child = spawn(this.#path, ['-I', '-S', '-c', PROGRAM, String(memoryBytes), String(cpuSeconds)], {
      // A version manager's shim looks for the interpreter in them.
      env: { PATH: process.env.PATH, HOME: process.env.HOME },
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    // Its end says so.
    child.on('error', () => undefined);
    child.stdin.on('error', () => undefined);
    return child;
  }
}

/** The next line of a process; null: it ended, said nothing in time, or too much. */
function answerOf(child: Child, timeoutMs: number): Promise<string | null> {
  return new Promise((resolve) => {
    let text = '';
    const end = (line: string | null): void => {
      clearTimeout(timer);
      child.stdout.off('data', take);
      child.off('close', gone);
      resolve(line);
    };
    const take = (piece: Buffer): void => {
      text += piece.toString('latin1');
      if (text.endsWith('\n')) end(text);
      else if (text.length > MAX_ANSWER) end(null);
    };
    const gone = (): void => end(null);
    const timer = setTimeout(gone, timeoutMs);
    child.stdout.on('data', take);
    child.on('close', gone);
    if (child.exitCode !== null || child.signalCode !== null) gone();
  });
}

/**
 * `pythons`: the Pythons of this computer. What one cannot parse the others are asked too, since a newer one knows more of
 * the language.
 */
export function createTestParser(
  pythons: () => Promise<readonly string[]>,
  limits: TestParserLimits = testParserLimits,
): TestParser {
  let isClosed = false;
  let found: Promise<readonly PythonProcess[]> | null = null;
  return {
    parse: async (source) => {
      if (isClosed || source.length > limits.characters) return 'unknown';
      found ??= pythons().then((paths) => paths.map((path) => new PythonProcess(path, limits)));
      let answer: SourceAnswer = 'unknown';
      for (const python of await found) {
        const said = await python.ask(source);
        if (said === 'parsed') return said;
        if (answer === 'unknown') answer = said;
      }
      return answer;
    },
    close: () => {
      isClosed = true;
      void found?.then((all) => all.map((python) => python.close()));
    },
  };
}
