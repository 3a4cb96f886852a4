import { contextBridge, ipcRenderer } from 'electron';
import { CALL_CHANNEL, EVENTS_CHANNEL, SUBSCRIBE_CHANNEL } from './contract/channel-names';
import type { WorkbenchEvent } from './contract/events';
import type { WindowApi } from './contract/window-api';

const api: WindowApi = {
  call: (name, payload) => ipcRenderer.invoke(CALL_CHANNEL, name, payload),
  onEvents: (listener) => {
    const onBatch = (_event: unknown, batch: readonly WorkbenchEvent[]): void => listener(batch);
    ipcRenderer.on(EVENTS_CHANNEL, onBatch);
    ipcRenderer.send(SUBSCRIBE_CHANNEL);
    return () => ipcRenderer.removeListener(EVENTS_CHANNEL, onBatch);
  },
};
contextBridge.exposeInMainWorld('workbench', api);
