import fs from 'node:fs'
import os from 'node:os'
import type { Figures } from './figures.ts'
import { cpuSeconds, ticksPerSecond } from './process.ts'

/** Seconds of all cores together since the machine started. */
function cores(): { idle: number; busy: number } {
  const [user, nice, system, idle, wait, irq, softirq] = /^cpu +(.*)$/m
    .exec(fs.readFileSync('/proc/stat', 'utf8'))![1]!
    .split(' ')
    .map((ticks) => Number(ticks) / ticksPerSecond) as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  return { idle: idle + wait, busy: user + nice + system + irq + softirq }
}

/** Measures the load of the machine, and the share of other programs. */
export function watchMachine(ours: readonly number[]): { end(): Figures['machine'] } {
  const [loadBefore] = os.loadavg()
  const from = { ...cores(), ours: total(ours) }
  return {
    end() {
      const idle = cores().idle - from.idle
      const busy = cores().busy - from.busy
      const others = Math.max(0, busy - (total(ours) - from.ours))
      return {
        loadBefore: loadBefore!,
        loadDuring: os.loadavg()[0]!,
        idlePercent: (idle / (idle + busy)) * 100,
        othersPercent: (others / (idle + busy)) * 100,
      }
    },
  }
}

const total = (pids: readonly number[]) => pids.reduce((sum, pid) => sum + cpuSeconds(pid), 0)
