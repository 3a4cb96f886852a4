import type { Refusal } from '../../../preload/contract';
import { assertNever } from '../../base';

/** Why candidates cannot be run in a sandbox on this computer. */
export type HostProblem =
  | { readonly kind: 'no-linux' }
  /** `named`: the one that the settings name, which no other replaces. */
  | { readonly kind: 'no-python'; readonly named?: string }
  | { readonly kind: 'no-bwrap' }
  /** Sandboxes that root starts run as nobody, who cannot read `closed`, which this Python needs. */
  | { readonly kind: 'closed-python'; readonly closed: string; readonly python: string }
  /** bubblewrap and Python are installed, but the sandbox does not start; `detail` is their error output. */
  | { readonly kind: 'broken-sandbox'; readonly detail: string; readonly python: string };

export type HostFacts = {
  /** Path of the package manager, e.g. "/usr/bin/apt-get". */
  readonly packageManager: string | null;
  readonly isRoot: boolean;
};

/** A refusal with the missing part and, if known, the command that installs it. */
export function sandboxRefusal(problem: HostProblem, host: HostFacts): Refusal {
  const code = 'unavailable';
  switch (problem.kind) {
    case 'no-linux':
      return {
        code,
        message: 'Programs cannot be graded: the sandbox (bubblewrap) exists on Linux only.',
        hint: 'Grade on a Linux machine of your lab: add it under Machines, then choose it under Settings, Grading machine.',
      };
    case 'no-python':
      if (problem.named !== undefined) {
        return {
          code,
          message: `Programs cannot be graded: ${problem.named} is not a Python 3.9 or later that starts.`,
          hint: 'Name another one under Settings, Grading, or none: then the best that is found grades.',
          cause: 'python',
        };
      }
      return {
        code,
        message: 'Programs cannot be graded: there is no Python 3.9 or later on this computer.',
        hint: installLine('python3', host),
        cause: 'python',
      };
    case 'no-bwrap':
      return {
        code,
        message: 'Programs cannot be graded: bubblewrap, the sandbox, is not installed.',
        hint: installLine('bubblewrap', host),
      };
    case 'closed-python':
      return {
        code,
        message: `Programs cannot be graded: the user "nobody", as whom root's sandboxes run, cannot read ${problem.closed}, which ${problem.python} needs.`,
        hint: `A system Python helps: ${installLine('python3', host)}`,
        cause: 'python',
      };
    case 'broken-sandbox':
      return {
        code,
        message: `Programs cannot be graded: the sandbox does not start. It said: ${problem.detail}`,
        hint: hintFor(problem.detail, problem.python, host),
      };
    default:
      return assertNever(problem);
  }
}

function installLine(packageName: string, host: HostFacts): string {
  const sudo = host.isRoot ? '' : 'sudo ';
  const manager = host.packageManager?.split('/').at(-1);
  if (manager === 'apt-get' || manager === 'dnf') return `${sudo}${manager} install -y ${packageName}`;
  if (manager === 'pacman') return `${sudo}pacman -S --noconfirm ${packageName}`;
  if (manager === 'zypper') return `${sudo}zypper install -y ${packageName}`;
  return `Install the package ${packageName} with your package manager.`;
}

function hintFor(detail: string, python: string, host: HostFacts): string {
  const sudo = host.isRoot ? '' : 'sudo ';
  if (/uid map|Operation not permitted|No permissions|user namespace|Creating new namespace/i.test(detail)) {
    return (
      'Unprivileged user namespaces seem to be off. ' +
      `Ubuntu 24.04 and later: ${sudo}sysctl kernel.apparmor_restrict_unprivileged_userns=0; ` +
      `older Debian: ${sudo}sysctl kernel.unprivileged_userns_clone=1; ` +
      'in a container: start it with --privileged or with --security-opt seccomp=unconfined.'
    );
  }
  if (/No such file|Permission denied|execvp/i.test(detail) && !python.startsWith('/usr/')) {
    return `The sandbox cannot read ${python}; a system Python helps: ${installLine('python3', host)}`;
  }
  return 'Run `bwrap --unshare-all --ro-bind / / true` in a terminal to see what this system forbids.';
}
