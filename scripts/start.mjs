// npm start: makes sure of everything, builds if needed, and opens the window. `npm start -- --data DIR` and the like.
import { runChild } from './child.mjs';
import { createReporter, electronLaunch, ensure, ensureBuilt, runScript } from './ensure/index.mjs';
import { hasDisplay, optionValue } from './launch-options.mjs';
import { inProject, isRoot, projectRoot, userFolder } from './project.mjs';

async function start(userArgs) {
  const reporter = createReporter(process.stderr);
  if (!hasDisplay(process.env, process.platform)) return startInTerminal(userArgs, reporter);
  const electron = await ensure(['sandbox', 'window'], reporter);
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

async function startInTerminal(userArgs, reporter) {
  const folder = optionValue(userArgs, '--data') ?? 'quickstart-results';
  reporter.say(
    `no display here (DISPLAY and WAYLAND_DISPLAY are not set): running the quickstart in the terminal, into ${folder}`,
  );
  await ensure(['sandbox'], reporter);
  await ensureBuilt(reporter);
  const args = [inProject('out', 'main', 'cli.js'), 'quickstart', '--out', folder];
  const { code } = await runChild(process.execPath, args, { cwd: userFolder('start'), forwardSignals: true });
  process.exitCode = code;
}

await runScript(() => start(process.argv.slice(2)));
