// What `npm start` reads from its arguments and its surroundings.

/** The value of `--name VALUE` or `--name=VALUE`. */
export function optionValue(args, name) {
  const at = args.indexOf(name);
  if (at >= 0) return args[at + 1];
  return args.find((arg) => arg.startsWith(`${name}=`))?.slice(name.length + 1);
}

export const hasDisplay = (env, platform) =>
  platform !== 'linux' || Boolean(env.DISPLAY || env.WAYLAND_DISPLAY);
