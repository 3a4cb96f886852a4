import { safeStorage } from 'electron';
import type { Cipher } from '../app/index';

/**
 * The system's key store (Keychain, libsecret, KWallet, DPAPI). Where Linux has none, Electron would fall back to a
 * password in its own source code: then no key is saved.
 */
export const systemCipher: Cipher = {
  keptIn: 'a file that is encrypted with the desktop’s key store',
  problem: () => {
    const isPlain = process.platform === 'linux' && safeStorage.getSelectedStorageBackend() === 'basic_text';
    return safeStorage.isEncryptionAvailable() && !isPlain
      ? null
      : 'This desktop has no key store, so keys cannot be saved safely. Install gnome-keyring or KWallet, or start the app with the key in a variable such as MARS2_SECRET_MYKEY.';
  },
  encrypt: (text) => safeStorage.encryptString(text),
  decrypt: (bytes) => safeStorage.decryptString(bytes),
};
