import type { RecordKind, Storage, Usage } from '@pulse/contract'
import { percentOf, usageOf } from '../usage.ts'
import { type Round, roundBytes, roundFraction, roundHundredth, roundRate } from './round.ts'

/** How the records of one kind travel. Fields not named here travel whole and exact. */
export interface WireFields {
  /** rounding by field, or by dot path inside a nested object */
  round: Record<string, Round>
  /** objects whose fields travel one by one */
  nested: readonly string[]
  /** dropped before sending because `derive` brings them back */
  derived: readonly string[]
  /** fills in what was dropped, in place */
  derive?: (record: Record<string, unknown>) => void
}

const usageFields = ['memory', 'disk'] as const
const figures = { 'memory.used': roundBytes, 'memory.balloon': roundBytes, 'disk.used': roundBytes }

function deriveUsage(record: Record<string, unknown>) {
  for (const field of usageFields) {
    const value = record[field] as Partial<Usage> | undefined
    if (!value) continue
    const { free: _free, usage: _usage, ...sent } = value
    const { used, total = 0 } = sent
    record[field] = used === undefined ? sent : { ...sent, ...usageOf(used, total) }
  }
}

const machine = {
  nested: usageFields,
  derived: ['memory.free', 'memory.usage', 'disk.free', 'disk.usage'],
  derive: deriveUsage,
}
const whole: WireFields = { round: {}, nested: [], derived: [] }

export const wireFields: Record<RecordKind, WireFields> = {
  nodes: { ...machine, round: { ...figures, cpu: roundFraction } },
  guests: {
    ...machine,
    round: {
      ...figures,
      'memory.swapUsed': roundBytes,
      cpu: roundFraction,
      diskRead: roundRate,
      diskWrite: roundRate,
      networkIn: roundRate,
      networkOut: roundRate,
    },
  },
  storage: {
    round: { used: roundBytes, avail: roundBytes },
    nested: [],
    derived: ['free', 'usage'],
    derive: (record) => {
      const { used, total, avail } = record as Partial<Storage>
      if (avail === undefined) delete record['free']
      else record['free'] = avail
      if (used === undefined || total === undefined) delete record['usage']
      else record['usage'] = percentOf(used, total)
    },
  },
  cephClusters: { ...whole, round: { usedBytes: roundBytes, availableBytes: roundBytes } },
  physicalDisks: whole,
  pbs: { ...whole, round: { cpu: roundFraction, memoryUsed: roundBytes, memory: roundHundredth } },
  datastores: { ...whole, round: { used: roundBytes, free: roundBytes, usage: roundHundredth } },
  pmg: whole,
  dockerHosts: whole,
  dockerContainers: {
    ...whole,
    round: { cpuPercent: roundHundredth, memoryUsageBytes: roundBytes, memoryPercent: roundHundredth },
  },
  pveBackups: whole,
  pbsBackups: whole,
  pmgBackups: whole,
  activeAlerts: { ...whole, round: { value: roundHundredth } },
  recentlyResolved: whole,
  sources: whole,
  meta: { ...whole, nested: ['performance', 'stats'] },
}
