export { TrashButton, useTrashOpen } from './trash-button';
