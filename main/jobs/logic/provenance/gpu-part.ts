import type { ScriptPart } from '../../../base';

/** Driver, CUDA and the GPUs, with what the job may use of them. */
export const GPU_PART: ScriptPart = {
  name: 'gpu',
  body: `
  printf 'visible %s\\n' "\${CUDA_VISIBLE_DEVICES-all}"
  command -v nvidia-smi >/dev/null 2>&1 || return 0
  limited 8 nvidia-smi --query-gpu=index,uuid,driver_version,name --format=csv,noheader,nounits >"$work/gpus"; code=$?
  [ "$code" -eq 0 ] || { printf 'problem nvidia-smi %s\\n' "$code"; return; }
  sed 's/^/gpu /' "$work/gpus"
  limited 8 nvidia-smi | sed -n 's/.*CUDA Version: *\\([0-9][0-9.]*\\).*/cuda \\1/p' | head -n 1`,
};
