import type { DoctorCheck, MartiTraining } from '../../../../preload/contract';
import { modelsInTraining } from './marti-gpus';
import type { MartiLook } from './marti-look';
import { martiValues } from './marti-values';

/** What requirements.txt of MARTI pins, as of commit a2fe2c7. Other versions may do, and are worth a look first. */
const PINNED: Readonly<Record<string, string>> = {
  ray: '2.48.0',
  deepspeed: '0.18.0',
  transformers: '4.57.0',
  flash_attn: '2.8.3',
};
const GIB = 1_073_741_824;
/** bfloat16 weights in the copy that can be served; master weights and two moments of Adam, and the weights, to resume. */
const STATE_PER_WEIGHT = 14;
const BYTES_PER_WEIGHT = 2;

/** What was seen on the machine, as the doctor says such things. */
export function martiChecks(spec: MartiTraining, look: MartiLook): DoctorCheck[] {
  return [
    pythonCheck(look),
    packagesCheck(look),
    checkoutCheck(spec, look),
    ...dataChecks(spec, look),
    ...look.models.map(modelCheck),
    diskCheck(spec, look),
    ...portCheck(look),
  ];
}

function pythonCheck({ executable, version }: MartiLook): DoctorCheck {
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

function packagesCheck({ packages, executable }: MartiLook): DoctorCheck {
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
    const found = packages[name];
    return found != null && found !== '' && found !== version;
  });
  if (other.length > 0) {
    const found = other.map(([name, version]) => `${name} ${packages[name]} (MARTI names ${version})`);
    return {
      ...check,
      state: 'warning',
      found: `All there; ${found.join(', ')}.`,
      todo: 'Try a short training first.',
    };
  }
  return { ...check, state: 'good', found: 'All there.', todo: null };
}

function checkoutCheck(spec: MartiTraining, { checkout }: MartiLook): DoctorCheck {
  const check = { id: 'checkout', title: 'Checkout of MARTI' };
  if (!checkout.hasEntry || !checkout.hasPackage) {
    return {
      ...check,
      state: 'bad',
      found: checkout.isThere
        ? `${spec.checkout} has no examples/mars2 or no marti folder.`
        : `There is no ${spec.checkout}.`,
      todo: 'git clone https://github.com/TsinghuaC3I/MARTI',
    };
  }
  const changed = (checkout.changes ?? '').split('\n').filter((line) => line !== '').length;
  const commit = checkout.commit === null ? 'no git commit' : `commit ${checkout.commit.slice(0, 12)}`;
  return {
    ...check,
    state: 'good',
    found: `${spec.checkout}, ${commit}${changed === 0 ? '' : `, ${changed} changed files, which the log names`}.`,
    todo: null,
  };
}

function dataChecks(spec: MartiTraining, { data }: MartiLook): DoctorCheck[] {
  const values = martiValues(spec);
  const text = (name: string) => String(values.get(name) ?? '');
  const check = { id: 'data', title: 'Data' };
  if (!data.isThere) {
    const todo = 'Put files train.jsonl and test.jsonl there, or name another folder.';
    return [{ ...check, state: 'bad', found: `There is no folder ${spec.data}.`, todo }];
  }
  return (['prompt_split', 'eval_split'] as const).map((flag): DoctorCheck => {
    const split = text(flag);
    const part = data.splits[split] ?? { files: [], fields: null };
    const mine = { id: `data-${split}`, title: `Data, ${split}` };
    if (part.files.length === 0) {
      const todo = `Name a JSON or JSON lines file so that "${split}" is in its name.`;
      return { ...mine, state: 'bad', found: `${spec.data} has no file for "${split}".`, todo };
    }
    const files = part.files.join(', ');
    if (part.fields === null) {
      return { ...mine, state: 'unknown', found: `${files}: the first row could not be read.`, todo: null };
    }
    const { fields } = part;
    const needed = [
      text('input_key'),
      text('label_key'),
      ...(flag === 'eval_split' ? [text('metadata_key')] : []),
    ];
    const missing = needed.filter((name) => !fields.includes(name));
    if (missing.length === 0)
      return { ...mine, state: 'good', found: `${files}, with ${needed.join(', ')}.`, todo: null };
    return {
      ...mine,
      state: 'bad',
      found: `Rows of ${files} lack ${missing.join(', ')}; they have ${fields.join(', ')}.`,
      todo: 'Say under "Data" what the fields are called.',
    };
  });
}

function modelCheck({ model, place, bytes }: MartiLook['models'][number]): DoctorCheck {
  const check = { id: `model-${model}`, title: `Model ${model}` };
  if (place === null) {
    const isPath = /^[~/.]/.test(model);
    return {
      ...check,
      state: isPath ? 'bad' : 'warning',
      found: isPath
        ? `There is no ${model}.`
        : 'Not on the machine yet: the start downloads it, on every node.',
      todo: isPath ? 'Name its folder, or its name at the hub.' : null,
    };
  }
  if (bytes === 0) {
    return { ...check, state: 'bad', found: `${place} holds no weights.`, todo: 'Download it whole.' };
  }
  return { ...check, state: 'good', found: `${place}, ${gib(bytes)} GiB.`, todo: null };
}

/** Room for the states that are kept for resuming, and for a few of the checkpoints that are never deleted. */
function diskCheck(spec: MartiTraining, { disk, models }: MartiLook): DoctorCheck {
  const check = { id: 'disk', title: 'Disk of the output folder' };
  const found = `${gib(disk.free)} of ${gib(disk.total)} GiB free in ${disk.place}.`;
  if (!disk.canWrite)
    return {
      ...check,
      state: 'bad',
      found: `${disk.place} can not be written.`,
      todo: 'Name another folder.',
    };
  const values = martiValues(spec);
  const largest = Math.max(0, ...models.map(({ bytes }) => bytes));
  const served = values.isOn('save_hf_ckpt') ? largest * 5 : 0;
  const states = (largest / BYTES_PER_WEIGHT) * STATE_PER_WEIGHT * values.number('max_ckpt_num', 3);
  const needed = (served + states) * modelsInTraining(spec);
  if (needed <= disk.free) return { ...check, state: 'good', found, todo: null };
  return {
    ...check,
    state: 'warning',
    found: `${found} Some ${gib(needed)} GiB are likely: states to resume from, and five checkpoints to serve.`,
    todo: 'Save less often, keep fewer states, or name a folder on a larger disk.',
  };
}

function portCheck({ portIsFree }: MartiLook): DoctorCheck[] {
  if (portIsFree === null) return [];
  const check = { id: 'dashboard-port', title: "Port of Ray's dashboard" };
  if (portIsFree) return [{ ...check, state: 'good', found: '8265 is free.', todo: null }];
  const found = '8265 is taken: another Ray runs on the machine, and MARTI can not be told another port.';
  return [{ ...check, state: 'bad', found, todo: 'End it, or submit to it: give its address.' }];
}

function gib(bytes: number): string {
  return (bytes / GIB).toFixed(bytes < 10 * GIB ? 1 : 0);
}
