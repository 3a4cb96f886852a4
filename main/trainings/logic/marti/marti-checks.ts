import type { DoctorCheck, MartiTraining } from '../../../../preload/contract';
import { counted } from '../../../base/index';
import type { MartiProbe } from './marti-probe';
import { martiValues, modelsInTraining } from './marti-values';

/** Versions pinned in MARTI's requirements.txt as of commit a2fe2c7. Other versions may work. */
const PINNED: Readonly<Record<string, string>> = {
  ray: '2.48.0',
  deepspeed: '0.18.0',
  transformers: '4.57.0',
  flash_attn: '2.8.3',
};
const GIB = 1_073_741_824;
/** Bytes per weight: bfloat16 in a servable copy; weights, master weights and two Adam moments in a resumable state. */
const STATE_PER_WEIGHT = 14;
const BYTES_PER_WEIGHT = 2;

/** The results of the machine's probe as doctor checks. */
export function martiChecks(spec: MartiTraining, probe: MartiProbe): DoctorCheck[] {
  return [
    pythonCheck(probe),
    packagesCheck(probe),
    checkoutCheck(spec, probe),
    ...dataChecks(spec, probe),
    ...probe.models.map(modelCheck),
    diskCheck(spec, probe),
    ...portCheck(probe),
  ];
}

function pythonCheck({ executable, version }: MartiProbe): DoctorCheck {
  const [major, minor] = version;
  const isNew = major === 3 && minor >= 10;
  return {
    id: 'python',
    title: 'Python',
    state: isNew ? 'good' : 'bad',
    found: `Python ${version.join('.')} in ${executable}.`,
    todo: isNew ? null : 'MARTI needs 3.10 or newer.',
  };
}

function packagesCheck({ packages, executable }: MartiProbe): DoctorCheck {
  const check = { id: 'packages', title: 'Packages of MARTI' };
  const missing = Object.keys(packages).filter((name) => packages[name] === null);
  if (missing.length > 0) {
    const names = missing.map((name) => {
      const pinned = PINNED[name];
      return pinned === undefined ? name : `${name.replace('_', '-')}==${pinned}`;
    });
    return {
      ...check,
      state: 'bad',
      found: `Missing: ${missing.join(', ')}.`,
      todo: `${executable} -m pip install ${names.join(' ')}`,
    };
  }
  const other = Object.entries(PINNED).filter(([name, version]) => {
    const installed = packages[name];
    return installed != null && installed !== '' && installed !== version;
  });
  if (other.length > 0) {
    const finding = other.map(([name, version]) => `${name} ${packages[name]} (MARTI pins ${version})`);
    return {
      ...check,
      state: 'warning',
      found: `All installed; ${finding.join(', ')}.`,
      todo: 'Try a short training first.',
    };
  }
  return { ...check, state: 'good', found: 'All installed.', todo: null };
}

function checkoutCheck(spec: MartiTraining, { checkout }: MartiProbe): DoctorCheck {
  const check = { id: 'checkout', title: 'Checkout of MARTI' };
  if (!checkout.hasEntry || !checkout.hasPackage) {
    return {
      ...check,
      state: 'bad',
      found: checkout.isThere
        ? `${spec.checkout} has no examples/mars2 or no marti folder.`
        : `${spec.checkout} does not exist.`,
      todo: 'git clone https://github.com/TsinghuaC3I/MARTI',
    };
  }
  const changed = (checkout.changes ?? '').split('\n').filter((line) => line !== '').length;
  const commit = checkout.commit === null ? 'no git commit' : `commit ${checkout.commit.slice(0, 12)}`;
  return {
    ...check,
    state: 'good',
    found: `${spec.checkout}, ${commit}${changed === 0 ? '' : `, ${counted(changed, 'changed file')}, as the log lists`}.`,
    todo: null,
  };
}

function dataChecks(spec: MartiTraining, { data }: MartiProbe): DoctorCheck[] {
  const values = martiValues(spec);
  const text = (name: string) => String(values.get(name) ?? '');
  const check = { id: 'data', title: 'Data' };
  if (!data.isThere) {
    const todo = 'Put the files train.jsonl and test.jsonl there, or choose another folder.';
    return [{ ...check, state: 'bad', found: `The folder ${spec.data} does not exist.`, todo }];
  }
  return (['prompt_split', 'eval_split'] as const).map((flag): DoctorCheck => {
    const split = text(flag);
    const part = data.splits[split] ?? { files: [], fields: null };
    const splitCheck = { id: `data-${split}`, title: `Data, ${split}` };
    if (part.files.length === 0) {
      const todo = `Add a JSON or JSON Lines file with "${split}" in its name.`;
      return { ...splitCheck, state: 'bad', found: `${spec.data} has no file for "${split}".`, todo };
    }
    const files = part.files.join(', ');
    if (part.fields === null) {
      return { ...splitCheck, state: 'unknown', found: `${files}: cannot read the first row.`, todo: null };
    }
    const { fields } = part;
    const needed = [
      text('input_key'),
      text('label_key'),
      ...(flag === 'eval_split' ? [text('metadata_key')] : []),
    ];
    const missing = needed.filter((name) => !fields.includes(name));
    if (missing.length === 0)
      return { ...splitCheck, state: 'good', found: `${files}, with ${needed.join(', ')}.`, todo: null };
    return {
      ...splitCheck,
      state: 'bad',
      found: `Rows of ${files} lack ${missing.join(', ')}; they have ${fields.join(', ')}.`,
      todo: 'Set the field names under "Data".',
    };
  });
}

function modelCheck({ model, place, bytes }: MartiProbe['models'][number]): DoctorCheck {
  const check = { id: `model-${model}`, title: `Model ${model}` };
  if (place === null) {
    const isPath = /^[~/.]/.test(model);
    return {
      ...check,
      state: isPath ? 'bad' : 'warning',
      found: isPath
        ? `${model} does not exist.`
        : 'Not on the machine yet: each node downloads it at the start.',
      todo: isPath ? 'Enter the path of its folder, or its name on the hub.' : null,
    };
  }
  if (bytes === 0) {
    return {
      ...check,
      state: 'bad',
      found: `${place} contains no weights.`,
      todo: 'Download it completely.',
    };
  }
  return { ...check, state: 'good', found: `${place}, ${gib(bytes)} GiB.`, todo: null };
}

/** Whether there is room for the resumable states, and for some of the checkpoints, which are never deleted. */
function diskCheck(spec: MartiTraining, { disk, models }: MartiProbe): DoctorCheck {
  const check = { id: 'disk', title: 'Disk of the output folder' };
  const finding = `${gib(disk.free)} of ${gib(disk.total)} GiB free in ${disk.place}.`;
  if (!disk.canWrite)
    return {
      ...check,
      state: 'bad',
      found: `${disk.place} is not writable.`,
      todo: 'Choose another folder.',
    };
  const values = martiValues(spec);
  const largest = Math.max(0, ...models.map(({ bytes }) => bytes));
  const served = values.isOn('save_hf_ckpt') ? largest * 5 : 0;
  const states = (largest / BYTES_PER_WEIGHT) * STATE_PER_WEIGHT * values.number('max_ckpt_num', 3);
  const needed = (served + states) * modelsInTraining(spec);
  if (needed <= disk.free) return { ...check, state: 'good', found: finding, todo: null };
  return {
    ...check,
    state: 'warning',
    found: `${finding} It will probably need ${gib(needed)} GiB for states to resume from and five checkpoints to serve.`,
    todo: 'Save less often, keep fewer states, or choose a folder on a larger disk.',
  };
}

function portCheck({ portIsFree }: MartiProbe): DoctorCheck[] {
  if (portIsFree === null) return [];
  const check = { id: 'dashboard-port', title: "Port of Ray's dashboard" };
  if (portIsFree) return [{ ...check, state: 'good', found: '8265 is free.', todo: null }];
  const finding = '8265 is in use: another Ray is running on the machine, and MARTI cannot use another port.';
  return [
    {
      ...check,
      state: 'bad',
      found: finding,
      todo: 'Stop it, or submit the training to it by setting its address.',
    },
  ];
}

function gib(bytes: number): string {
  return (bytes / GIB).toFixed(bytes < 10 * GIB ? 1 : 0);
}
