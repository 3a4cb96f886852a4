import { good, type ScriptCheck, warning } from './finding';

const GET =
  'Ask for tmux 3.0 or later (Debian: `sudo apt-get install tmux`; without root: `conda install -c conda-forge tmux`).';

/** With tmux, terminals outlive the connection; jobs do not need it. */
export const tmuxCheck: ScriptCheck = {
  id: 'tmux',
  title: 'Terminals survive (tmux)',
  seconds: 15,
  script: 'command -v tmux && tmux -V',
  judge: ({ code, stdout }) => {
    const [path = '', version = ''] = stdout.trim().split('\n');
    if (path === '')
      return warning('tmux is not installed: terminals end with the connection. Jobs do not need it.', GET);
    if (code !== 0 || version === '')
      return warning(`${path} does not start: terminals end with the connection.`, GET);
    const major = Number(/(\d+)/.exec(version)?.[1] ?? '3');
    if (major < 3) return warning(`${version} is too old: terminals end with the connection.`, GET);
    return good(`${version} in ${path}.`);
  },
};
