import type { ApplianceRoute } from '../appliance/appliance.ts'
import { dayCurve, noise } from '../load/curve.ts'
import type { BackupServer } from './vault.ts'
import { checkNode } from './tasks.ts'

const gib = 1024 ** 3

export const nodeStatusRoutes = (server: BackupServer, fingerprint: () => string): ApplianceRoute[] => [
  {
    path: '/nodes/{node}/status',
    needs: { privilege: 'Sys.Audit', path: '/system/status' },
    answer: ({ params, now }) => {
      checkNode(server, params.node!)
      return status(server, fingerprint(), now())
    },
  },
]

function status(
  { seed, cpus, memBytes, bootedAtMs, major }: BackupServer,
  fingerprint: string,
  nowMs: number,
) {
  const busy = dayCurve(nowMs, (seed % 628) / 100)
  const cpu = 0.02 + 0.2 * busy * noise(seed, nowMs)
  const used = Math.floor(memBytes * (0.18 + 0.1 * noise(seed ^ 1, nowMs)))
  const rootTotal = 100_861_726_720
  const rootUsed = Math.floor(rootTotal * (0.1 + 0.05 * noise(seed, 1)))
  const release = major === 4 ? '6.14.11-1-pve' : major === 3 ? '6.8.12-2-pve' : '5.15.158-2-pve'
  return {
    cpu,
    wait: 0.01 * noise(seed ^ 2, nowMs),
    uptime: Math.max(0, Math.floor((nowMs - bootedAtMs) / 1000)),
    loadavg: [1.1, 1, 0.9].map((factor) => Math.round(cpu * cpus * factor * 100) / 100),
    memory: { total: memBytes, used, free: memBytes - used },
    swap: { total: 8 * gib - 4096, used: 0, free: 8 * gib - 4096 },
    root: { total: rootTotal, used: rootUsed, avail: rootTotal - rootUsed - 5_164_343_296 },
    kversion: `Linux ${release} #1 SMP PREEMPT_DYNAMIC PMX ${release.replace('-pve', '')}`,
    cpuinfo: { model: 'Intel(R) N100', sockets: 1, cpus },
    info: { fingerprint: fingerprint.toLowerCase() },
    ...(major >= 3 && {
      'boot-info': { mode: 'efi', secureboot: false },
      'current-kernel': {
        sysname: 'Linux',
        release,
        version: `#1 SMP PREEMPT_DYNAMIC PMX ${release.replace('-pve', '')}`,
        machine: 'x86_64',
      },
    }),
  }
}
