import type { Answer, Refusal, ServiceInfo, Settings } from '../../preload/contract/index';
import { failed, ok, type Result } from '../base/index';
import type { ControlClient } from './control/client';
import { answerOfBug, type OnBug } from './dispatch';
import { versionGap } from './logic/other-version';
import type { Workbench } from './workbench';

/**
 * The workbench of a service, for a window: commands and events go through `client`, and closing it leaves the service
 * running. `onBehind`: events were lost, so what the window shows has to be asked for again. `version`: of the window.
 */
export async function workbenchOfService(
  client: ControlClient,
  options: { readonly version: string; readonly onBug: OnBug; readonly onBehind: () => void },
): Promise<Result<Workbench, Refusal>> {
  const { version, onBug, onBehind } = options;
  const { events } = client;
  const call: Workbench['call'] = async (name, payload, host) => {
    const answer = await client.call(name, payload, host);
    if (name !== 'service.info' || !answer.ok || client.about().version === version) return answer;
    const isOlder = versionGap(client.about().version, version) === 'newer';
    return ok({ ...(answer.value as ServiceInfo), otherWindow: { version, isOlder } });
  };
  const ask = async (name: string): Promise<Answer<unknown>> => call(name, {}, 'terminal');
  const readSettings = (): Promise<Answer<unknown>> => ask('settings.read');
  const [first, info] = [await readSettings(), await ask('service.info')];
  if (!first.ok) return failed(first.error);
  if (!info.ok) return failed(info.error);
  let settings = first.value as Settings;
  events.on((event) => {
    if (event.kind === 'settings-changed') settings = event.settings;
  });
  client.onConnection.on(({ isConnected, isBehind }) => {
    events.emit({ kind: 'service-connection', isConnected });
    if (!isBehind) return;
    void readSettings().then((answer) => {
      if (answer.ok) events.emit({ kind: 'settings-changed', settings: answer.value as Settings });
    });
    onBehind();
  });
  return ok({
    call,
    events,
    answerOfBug: (name, error) => answerOfBug(name, error, onBug),
    settings: () => settings,
    saveWindowBounds: (bounds) => void call('service.saveWindow', bounds, 'terminal'),
    damage: (info.value as ServiceInfo).damage,
    privacy: null,
    goTo: (path) => events.emit({ kind: 'go-to', path }),
    reportProblem: () => events.emit({ kind: 'report-problem' }),
    wake: () => void call('service.wake', {}, 'terminal'),
    close: client.close,
  });
}
