import type { ScriptPart } from '../probe/bounded-script';

const SECONDS_EACH = 8;

/** What rocm-smi is asked for, where amd-smi does not answer. */
const ROCM_QUESTIONS =
  '--showuniqueid --showproductname --showuse --showmeminfo vram --showtemp --showpower --showmaxpower --showdriverversion --showpids';

/** Asks amd-smi (ROCm 6 and later), else rocm-smi, for JSON. */
export const AMD_PART: ScriptPart = {
  name: 'amd',
  body: `
  if command -v amd-smi >/dev/null 2>&1 && limited ${SECONDS_EACH} amd-smi list --json >"$work/amd.list" 2>&1 && grep -q '"gpu"' "$work/amd.list"; then
    section amd.list 0
    cat "$work/amd.list"
    for question in static metric process; do
      limited ${SECONDS_EACH} amd-smi "$question" --json >"$work/amd.answer" 2>/dev/null; code=$?
      section "amd.$question" "$code"
      cat "$work/amd.answer"
      [ "$question" != process ] || sed -n 's/.*"pid": *\\([0-9][0-9]*\\).*/\\1/p' "$work/amd.answer" >"$work/amd.pids"
    done
    return 0
  fi
  command -v rocm-smi >/dev/null 2>&1 || return 127
  limited ${SECONDS_EACH} rocm-smi ${ROCM_QUESTIONS} --json >"$work/rocm" 2>"$work/rocm.said"; code=$?
  section rocm.answer "$code"
  cat "$work/rocm"
  section rocm.said 0
  cat "$work/rocm.said"
  tr ',' '\\n' <"$work/rocm" | sed -n 's/.*"PID\\([0-9][0-9]*\\)".*/\\1/p' >"$work/amd.pids"`,
};
