import { nvidiaProblem } from '../gpus/driver-problem';
import {
  absent,
  bad,
  type Finding,
  good,
  type ScriptCheck,
  type ScriptOutput,
  unknown,
  valuesIn,
  warning,
} from './finding';

/** Prints the newest CUDA that the driver allows as "cuda=12.4"; nothing where there is no driver. */
export const DRIVER_CUDA = `limited 10 nvidia-smi 2>/dev/null | sed -n 's/.*CUDA Version: *\\([0-9.]*\\).*/cuda=\\1/p' | head -n 1`;

/** A shell function that bounds a program's time where the machine can; a program that exceeds it ends with 124. */
export const LIMITED =
  'limited() { limit=$1; shift; if command -v timeout >/dev/null 2>&1; then timeout -k 1 "$limit" "$@"; else "$@"; fi; }';

export const cudaCheck: ScriptCheck = {
  id: 'cuda',
  title: 'CUDA driver',
  seconds: 30,
  script: `
${LIMITED}
PATH="$PATH:/usr/local/nvidia/bin:/usr/lib/wsl/lib:/opt/rocm/bin"
for device in /dev/nvidia[0-9]*; do
  [ -e "$device" ] && { echo "devices=yes"; [ -r "$device" ] && [ -w "$device" ] || echo "closed=$device"; }
done
[ -e /dev/kfd ] && { echo "amd=yes"; [ -r /dev/kfd ] && [ -w /dev/kfd ] || echo "closed=/dev/kfd"; }
compiler=$(command -v nvcc || ls /usr/local/cuda/bin/nvcc 2>/dev/null) && {
  echo "nvcc=$compiler"
  limited 5 "$compiler" --version 2>/dev/null | sed -n 's/.*release \\([0-9.]*\\).*/nvcc-release=\\1/p'
}
command -v nvidia-smi >/dev/null 2>&1 || exit 0
text=$(limited 10 nvidia-smi 2>&1); echo "code=$?"
printf '%s\\n' "$text" | sed -n 's/.*CUDA Version: *\\([0-9.]*\\).*/cuda=\\1/p' | head -n 1
printf '%s\\n' "$text" | sed -n 's/.*Driver Version: *\\([0-9.]*\\).*/driver=\\1/p' | head -n 1
echo "said=$(printf '%s' "$text" | head -n 1)"
exit 0
`,
  judge: judgeCuda,
};

function judgeCuda({ stdout }: ScriptOutput): Finding {
  const values = valuesIn(stdout);
  const code = /^\d+$/.exec(values.get('code') ?? '')?.[0];
  const closed = values.get('closed');
  if (closed !== undefined)
    return bad(
      `This account may not use ${closed}.`,
      `Ask to be added to its group: \`ls -l ${closed}\`, then \`sudo usermod -aG video,render $USER\`, and log in again.`,
    );
  if (code === undefined) {
    if (values.get('amd') === 'yes') return good('The AMD driver is installed (/dev/kfd).');
    return values.get('devices') === 'yes'
      ? warning(
          'There are NVIDIA devices but no nvidia-smi, so the workbench cannot see the GPUs.',
          'Ask for the tools of the driver (Debian: the package nvidia-smi; Ubuntu: nvidia-utils-VERSION).',
        )
      : absent('No NVIDIA driver; CPU only.');
  }
  const problem = nvidiaProblem(values.get('said') ?? '', Number(code));
  if (problem !== null)
    return bad(problem, 'Run `nvidia-smi` there, and show its output to the administrator.');
  const cuda = values.get('cuda');
  if (cuda === undefined || cuda === '')
    return unknown('nvidia-smi answers but does not report the CUDA version of its driver.');
  const nvcc = values.get('nvcc');
  const compiler =
    nvcc === undefined
      ? ''
      : ` Compiler: nvcc ${values.get('nvcc-release') ?? 'of unknown version'} in ${nvcc}.`;
  return good(
    `Driver ${values.get('driver') ?? 'of unknown version'}: programs built for CUDA up to ${cuda}.${compiler}`,
  );
}
