import { expect, test } from 'vitest';
import {
  featuresOf,
  type SandboxPlan,
  sandboxArguments,
} from '../../../../main/grading/logic/sandbox-arguments';

const plan: SandboxPlan = {
  python: '/opt/python/bin/python3.12',
  pythonFolders: ['/opt/python'],
  runnerFolder: '/tmp/runner',
  rootEntries: [
    { kind: 'link', path: '/bin', target: 'usr/bin' },
    { kind: 'folder', path: '/lib64' },
  ],
  hidden: ['/home/x'],
  features: { sizedTmp: true, disableUserns: true },
  way: 'single',
};
const text = (changes: Partial<SandboxPlan> = {}) => sandboxArguments({ ...plan, ...changes }).join(' ');

test('bubblewrap’s features follow from its version', () => {
  expect(featuresOf('bubblewrap 0.6.1\n')).toEqual({ sizedTmp: false, disableUserns: false });
  expect(featuresOf('bubblewrap 0.7.0\n')).toEqual({ sizedTmp: true, disableUserns: false });
  expect(featuresOf('bubblewrap 0.11.0\n')).toEqual({ sizedTmp: true, disableUserns: true });
  expect(featuresOf('nonsense')).toEqual({ sizedTmp: false, disableUserns: false });
});

test('everything but the temporary folders is bound read-only', () => {
  expect(text()).not.toMatch(/--(dev-)?bind /);
  expect(text()).toContain('--ro-bind /opt/python /opt/python');
  expect(text()).toContain('--symlink usr/bin /bin --ro-bind /lib64 /lib64');
});

test('a bubblewrap without limited temporary folders gives none to write in', () => {
  const old = text({ features: { sizedTmp: false, disableUserns: false } });
  expect(old).toContain('--dir /tmp');
  expect(old).not.toMatch(/--tmpfs|--size|--disable-userns/);
});

test('a nested sandbox leaves namespaces and temporary folders to the runner', () => {
  expect(text()).toContain('--disable-userns');
  expect(text({ way: 'nested' })).not.toMatch(/--tmpfs|--disable-userns/);
  expect(text({ way: 'nested' })).toContain("main('nested')");
});

test('what is the user’s own within a bound folder is empty and read-only, before what the interpreter has there', () => {
  const home = '/usr/local/home/x';
  const args = text({
    hidden: ['/home/x', home, `${home}/data`, '/opt/python/data'],
    pythonFolders: [`${home}/python`, '/opt/python'],
  });
  expect(args.match(/--tmpfs (?!\/tmp|\/dev)\S+/g)).toEqual([`--tmpfs ${home}`, '--tmpfs /opt/python/data']);
  expect(args.indexOf(`--tmpfs ${home}`)).toBeGreaterThan(args.indexOf('--ro-bind /usr'));
  expect(args.indexOf(`--ro-bind ${home}/python`)).toBeGreaterThan(args.indexOf(`--tmpfs ${home}`));
  expect(args).toContain(`--remount-ro ${home} --remount-ro /opt/python/data --remount-ro /`);
  expect(args).not.toContain(`${home}/data`);
});

test('the root becomes read-only after the last mount', () => {
  const args = text();
  expect(args.indexOf('--remount-ro /')).toBeGreaterThan(args.lastIndexOf('--ro-bind'));
  expect(args.indexOf('--remount-ro /')).toBeGreaterThan(args.lastIndexOf('--tmpfs'));
});
