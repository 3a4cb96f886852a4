// Runs child processes to their end, and returns their exit code or signal.
import { spawn } from 'node:child_process';
import { constants, getPriority, setPriority } from 'node:os';

/** Where they want all of a core, that leaves a quarter of it. */
const niceness = 5;
const forwarded = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Runs a program to its end. `collect: true` gives its output as text instead of inheriting it.
 * `yields: true`: it and what it starts leave the cores to others.
 * Never throws: a program that could not be started has code 127 and says so in `output`.
 */
export function runChild(
  command,
  args,
  { collect = false, forwardSignals = false, yields = false, ...options } = {},
) {
  return new Promise((resolve) => {
    const stdio = collect ? ['ignore', 'pipe', 'pipe'] : 'inherit';
    const child = spawn(command, args, { stdio, ...options });
    if (yields && child.pid !== undefined) lower(child.pid);
    let output = '';
    for (const pipe of [child.stdout, child.stderr]) {
      pipe?.setEncoding('utf8').on('data', (text) => {
        output += text;
      });
    }
    const stopForwarding = forwardSignals ? forwardTo(child) : () => {};
    const finish = (result) => {
      stopForwarding();
      resolve({ output, ...result });
    };
    child.on('error', (error) => finish({ code: 127, signal: null, output: `${output}${error.message}\n` }));
    child.on('close', (code, signal) => finish({ code: code ?? exitCodeOf(signal), signal }));
  });
}

function lower(pid) {
  try {
    setPriority(pid, Math.min(getPriority() + niceness, constants.priority.PRIORITY_LOW));
  } catch {
    // It has ended already.
  }
}

/** While the child lives we do not die first: it gets the signal and we end with its code. */
function forwardTo(child) {
  const handlers = forwarded.map((signal) => {
    const handler = () => {
      // A terminal sends Ctrl+C to the whole group: the child has it already, and a second one means "at once".
      if (signal === 'SIGINT' && process.stdin.isTTY) return;
      child.kill(signal);
    };
    process.on(signal, handler);
    return () => process.off(signal, handler);
  });
  return () => {
    for (const remove of handlers) remove();
  };
}

/** The shell's convention, which scripts know. */
const exitCodeOf = (signal) => 128 + (constants.signals[signal] ?? 0);

/** How npm is called here: the one that runs us if there is one, else the one on PATH. */
export function npmCommand(env = process.env) {
  const cli = env.npm_execpath;
  if (cli && /npm-cli\.[cm]?js$/.test(cli)) return { command: process.execPath, prefix: [cli] };
  return { command: process.platform === 'win32' ? 'npm.cmd' : 'npm', prefix: [] };
}
