import { fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { productFlags } from '../scripts/product.mjs'
import type { AlertFigures, Ticks } from './alerts-report.ts'
import { demandMeasured, percentile } from './figures.ts'
import { watchMachine } from './machine.ts'

export interface AlertOrder {
  guests: number
  ticks: number
  overrides: number
  /** guests above a threshold */
  open: number
}
export interface AlertTicks {
  tickMs: number[]
  longestBatchMs: number[]
  /** guests changed in each tick */
  changed: number[]
  /** at the end */
  open: number
}

const TICKS = 120
const SOME = 500

/**
 * Measures alert evaluation in a ten-second cycle in which every guest changes. Runs in a separate process with the
 * product's flags, because the server's other work would distort the figures.
 */
export async function measureAlerts(guests: number): Promise<AlertFigures> {
  console.log(`alerts of ${guests.toLocaleString('en')} guests …`)
  const child = fork(path.join(import.meta.dirname, 'alerts-process.ts'), { execArgv: productFlags })
  const machine = watchMachine([process.pid, child.pid!])
  const ticksOf = async (order: Pick<AlertOrder, 'overrides' | 'open'>): Promise<Ticks> => {
    child.send({ guests, ticks: TICKS, ...order } satisfies AlertOrder)
    const [{ tickMs, longestBatchMs, changed, open }] = (await once(child, 'message')) as [AlertTicks]
    if (changed.some((count) => count !== guests))
      throw new Error(`a tick changed ${Math.min(...changed)} of ${guests} guests`)
    if (open !== order.open) throw new Error(`${open} alerts were open instead of ${order.open}`)
    return {
      medianMs: percentile(tickMs, 0.5),
      p95Ms: percentile(tickMs, 0.95),
      batchMs: Math.max(...longestBatchMs),
    }
  }
  try {
    const plain = await ticksOf({ overrides: 0, open: 0 })
    const overrides = await ticksOf({ overrides: SOME, open: 0 })
    const open = await ticksOf({ overrides: SOME, open: SOME })
    return demandMeasured({ guests, plain, overrides, open, machine: machine.end() })
  } finally {
    child.disconnect()
  }
}
