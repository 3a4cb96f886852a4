import { gpuCardsFinding } from '../logic/doctor/gpu-cards';
import { type Examination, notExamined } from './examination';

export const gpuExamination: Examination = {
  checks: [{ id: 'gpus', title: 'GPUs' }],
  run: async ({ reading }) => {
    const looked = await reading();
    return [looked.ok ? gpuCardsFinding(looked.value) : notExamined(looked.error)];
  },
};
