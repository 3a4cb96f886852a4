/** What is wrong with an ssh name as typed, and what to write instead; null: nothing. */
export function sshNameProblem(name: string): string | null {
  if (name === '') return 'Enter an ssh name, e.g. gpu1 or user@gpu1.';
  if (name.startsWith('-'))
    return 'An ssh name cannot start with "-": ssh would read it as an option. Options belong in ~/.ssh/config.';
  if (/\s/.test(name))
    return 'An ssh name has no spaces: enter it alone, e.g. gpu1 or user@gpu1. Options belong in ~/.ssh/config.';
  // An IPv6 address has more than one colon.
  const [, host, port] = /^([^:/]+):(\d{1,5})$/.exec(name) ?? [];
  if (host !== undefined)
    return `A port is not written behind the host: enter ssh://${host}:${port}, or set "Port ${port}" in ~/.ssh/config.`;
  return null;
}
