// npm start: makes sure of everything, builds if needed, and opens the window. `npm start -- --data DIR` and the like.
import { ensureBuilt } from './build.mjs';
import { runChild } from './child.mjs';
import { createReporter, electronLaunch, ensure, runScript } from './ensure/index.mjs';
import { inProject, isRoot, projectRoot } from './project.mjs';

/** The value of `--name VALUE` or `--name=VALUE`. */
export function optionValue(args, name) {
  const at = args.indexOf(name);
  if (at >= 0) return args[at + 1];
  return args.find((arg) => arg.startsWith(`${name}=`))?.slice(name.length + 1);
}

export const hasDisplay = (env, platform) =>
  platform !== 'linux' || Boolean(env.DISPLAY || env.WAYLAND_DISPLAY);

async function start(userArgs) {
  const reporter = createReporter(process.stderr);
  if (!hasDisplay(process.env, process.platform)) return startInTerminal(userArgs, reporter);
  const electron = await ensure(['sandbox', 'window'], reporter);
  await ensureBuilt(reporter);
  if (isRoot()) reporter.say("running as root: Chromium's own sandbox is off");
  const { args, env } = electronLaunch();
  const { code } = await runChild(electron, [...args, projectRoot, ...userArgs], {
    env,
    forwardSignals: true,
  });
  process.exitCode = code;
}

async function startInTerminal(userArgs, reporter) {
  const folder = optionValue(userArgs, '--data') ?? 'quickstart-results';
  reporter.say(
    `no display here (DISPLAY and WAYLAND_DISPLAY are not set): running the quickstart in the terminal, into ${folder}`,
  );
  await ensure(['sandbox'], reporter);
  await ensureBuilt(reporter);
  const args = [inProject('out', 'main', 'cli.js'), 'quickstart', '--out', folder];
  const { code } = await runChild(process.execPath, args, { forwardSignals: true });
  process.exitCode = code;
}

if (import.meta.url.endsWith('/start.mjs') && process.argv[1]?.endsWith('start.mjs'))
  await runScript(() => start(process.argv.slice(2)));
