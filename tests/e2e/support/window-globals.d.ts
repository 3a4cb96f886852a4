import type { WindowApi } from '../../../preload/contract/index';

declare global {
  interface Window {
    readonly workbench: WindowApi;
  }
}
