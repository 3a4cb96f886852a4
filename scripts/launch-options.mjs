// The options that `npm start` reads from its arguments and environment.

/** The value of `--name VALUE` or `--name=VALUE`. */
export function optionValue(args, name) {
  const at = args.indexOf(name);
  if (at >= 0) return args[at + 1];
  return args.find((arg) => arg.startsWith(`${name}=`))?.slice(name.length + 1);
}

export const hasDisplay = (env, platform) =>
  platform !== 'linux' || Boolean(env.DISPLAY || env.WAYLAND_DISPLAY);

/** Whether to ask before system packages are installed: a person sits at a terminal and did not say --yes. */
export const asksFirst = (args, stdin, stderr) =>
  !args.includes('--yes') && Boolean(stdin.isTTY && stderr.isTTY);

export const withoutYes = (args) => args.filter((arg) => arg !== '--yes');

/** The quickstart in the terminal over the data folder that a window would have had. */
export function quickstartArguments(args) {
  const folder = optionValue(args, '--data');
  return ['quickstart', '--out', 'quickstart-results', ...(folder === undefined ? [] : ['--data', folder])];
}
