import { hasTimedOut } from '../../../base';

/** Error messages of nvidia-smi, with their consequences for GPU jobs. */
const MEANINGS: readonly (readonly [pattern: RegExp, sentence: string])[] = [
  [
    /driver\/library version mismatch/i,
    'The NVIDIA driver was updated while the old one is still loaded, so no new program can use a GPU. Running programs continue; reboot the machine or reload its nvidia modules.',
  ],
  [
    /couldn't communicate with the NVIDIA driver/i,
    'nvidia-smi is installed but the NVIDIA driver is not loaded, so no program can use a GPU. Reboot, or ask for the driver to be installed for the running kernel.',
  ],
  [
    /couldn't find libnvidia-ml|NVML Shared Library|libnvidia-ml\.so/i,
    'nvidia-smi cannot find the library of its driver (libnvidia-ml): the installation of the driver is incomplete.',
  ],
  [
    /failed to initialize NVML: Unknown Error/i,
    'The driver exists but may not be used. In a container this happens after a reload of systemd on its host: restart the container.',
  ],
  [
    /insufficient permissions/i,
    'This account may not use the NVIDIA driver: ask to be added to the group that owns /dev/nvidia* (often "video" or "render").',
  ],
];

/** Cards that were found on the bus and do not answer, by the address that nvidia-smi names. */
function lostCards(text: string): readonly { readonly bus: string; readonly why: string }[] {
  return [
    ...text.matchAll(
      /Unable to determine the device handle for\s+gpu\s*(?:\d+:\s+)?([0-9a-f:.]+):\s*([^\n]*)/gi,
    ),
  ].map(([, bus = '', why = '']) => ({ bus, why: why.replace(/\s+/g, ' ').trimEnd().replace(/\.$/, '') }));
}

/** One sentence per lost card, which has no row of its own. */
export function lostCardSentences(text: string): readonly string[] {
  const seen = new Map(lostCards(text).map((card) => [card.bus, card]));
  return [...seen.values()].map(
    ({ bus, why }) =>
      `The GPU at ${bus} does not answer (${why}). It may have fallen off the bus: only a reboot of the machine brings it back. The others are listed.`,
  );
}

/** Why a call of nvidia-smi failed, in a sentence; null when it did not. */
export function nvidiaProblem(text: string, code: number): string | null {
  if (hasTimedOut(code))
    return 'nvidia-smi did not answer in time: the driver or a card hangs. Running programs may hang too; check `dmesg | grep -i nvrm` on the machine.';
  const meaning = MEANINGS.find(([pattern]) => pattern.test(text));
  if (meaning !== undefined) return meaning[1];
  if (code === 0 || /no devices were found/i.test(text) || lostCards(text).length > 0) return null;
  const firstLine = text.trim().split('\n', 1)[0]?.slice(0, 200) ?? '';
  return `nvidia-smi failed (exit code ${code})${firstLine === '' ? '.' : `: ${firstLine}`}`;
}
