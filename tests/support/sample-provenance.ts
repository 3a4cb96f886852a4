import type { Origin, Provenance } from '../../preload/contract';

const DIFF = `diff --git a/train.py b/train.py
index 1f2e3d4..5a6b7c8 100644
--- a/train.py
+++ b/train.py
@@ -10,3 +10,3 @@ def main():
     optimizer = AdamW(model.parameters())
-    learning_rate = 1e-6
+    learning_rate = 5e-7
`;

/** A record of a start with something in every part; `jobId` decides how it differs from others. */
export function sampleProvenance(jobId: string, change: Partial<Provenance> = {}): Provenance {
  const isSecond = jobId.endsWith('2');
  return {
    workbench: '0.9.0',
    attempt: 1,
    at: '2026-01-12T08:30:04Z',
    host: 'gpu1',
    system: 'Linux 6.1.0-18-amd64 x86_64',
    slurm: null,
    code: {
      folder: '/home/user1/heter-mars2',
      commit: '9f8e7d6c5b4a39281706f5e4d3c2b1a098765432',
      branch: 'main',
      remote: 'https://git.example.org/lab/heter-mars2.git',
      diff: isSecond ? '' : DIFF,
      diffBytes: isSecond ? 0 : DIFF.length,
      diffDigest: isSecond ? null : 'a'.repeat(64),
      isCut: false,
      untracked: isSecond ? [] : ['notes.txt', 'rewards/shaping.py'],
      leftOut: [],
    },
    python: {
      executable: '/opt/envs/train/bin/python',
      version: '3.11.9',
      packages: [
        'numpy==1.26.4',
        `torch==${isSecond ? '2.6.0' : '2.5.1'}`,
        'transformers==4.51.3',
        'vllm==0.8.4',
      ],
    },
    engines: [],
    gpu: { driver: '550.54.15', cuda: '12.4', names: ['NVIDIA H100 80GB HBM3', 'NVIDIA H100 80GB HBM3'] },
    weights: [
      {
        name: 'Qwen/Qwen3-8B',
        path: '/home/user1/.cache/huggingface/hub/models--Qwen--Qwen3-8B/snapshots/b968826d9c46dd6066d109eabc6255188de91218',
        revision: 'b968826d9c46dd6066d109eabc6255188de91218',
        files: [
          {
            name: 'model-00001-of-00005.safetensors',
            bytes: 3_996_250_744,
            changedAt: null,
            digest: 'b'.repeat(64),
          },
        ],
      },
    ],
    images: [],
    problems: [],
    ...change,
  };
}

/** The servers that a study asked: one of ours and one outside. */
export function sampleOrigins(studyId: string): Origin[] {
  const used = { at: '2026-01-12T08:31:00Z', workbench: '0.9.0' };
  return [
    {
      ...used,
      name: 'Qwen3-8B',
      address: null,
      machineId: 'gpu1',
      jobId: studyId,
      provenance: sampleProvenance(studyId),
    },
    {
      ...used,
      name: 'judge',
      address: 'https://api.example.org/v1',
      machineId: null,
      jobId: null,
      provenance: null,
    },
  ];
}
