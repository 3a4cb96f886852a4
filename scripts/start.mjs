// npm start: installs what is missing, builds if needed, and opens the window. `npm start -- --data DIR` and the like;
// `--yes` installs missing system packages without asking.
import { runChild } from './child.mjs';
import { createReporter, electronLaunch, ensure, ensureBuilt, runScript } from './ensure/index.mjs';
import { asksFirst, hasDisplay, quickstartArguments, withoutYes } from './launch-options.mjs';
import { inProject, isRoot, projectRoot, userFolder } from './project.mjs';

async function start(allArgs) {
  const reporter = createReporter(process.stderr);
  const asks = asksFirst(allArgs, process.stdin, process.stderr);
  const userArgs = withoutYes(allArgs);
  if (!hasDisplay(process.env, process.platform)) return startInTerminal(userArgs, reporter, asks);
  const electron = await ensure(['sandbox', 'window'], reporter, { asks });
  await ensureBuilt(reporter);
  if (isRoot()) reporter.say("running as root: Chromium's own sandbox is off");
  const { args, env } = electronLaunch();
  const { code } = await runChild(electron, [...args, projectRoot, ...userArgs], {
    cwd: userFolder('start'),
    env,
    forwardSignals: true,
  });
  process.exitCode = code;
}

async function startInTerminal(userArgs, reporter, asks) {
  reporter.say(
    'no display here (DISPLAY and WAYLAND_DISPLAY are not set): running the quickstart in the terminal, into quickstart-results',
  );
  await ensure(['sandbox'], reporter, { asks });
  await ensureBuilt(reporter);
  const args = [inProject('out', 'main', 'cli.js'), ...quickstartArguments(userArgs)];
  const { code } = await runChild(process.execPath, args, { cwd: userFolder('start'), forwardSignals: true });
  process.exitCode = code;
}

await runScript(() => start(process.argv.slice(2)));
