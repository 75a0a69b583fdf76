import { spawn, type SpawnOptions } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { ownerOf } from './as-owner.ts'
import type { Slot } from './journal.ts'
import { slotFolder } from './slots.ts'

/** The service that is replaced, as its machine steers it. */
export interface Service {
  start(): Promise<void>
  /** It has ended when this returns. */
  stop(): Promise<void>
  /** Resolves when that version answers out of that slot; throws when it does not in time. */
  answers(slot: Slot, version: string): Promise<void>
}

interface Where {
  root: string
  data: string
  waitSeconds: number
}

export function serviceOf(unit: string, { root, data, waitSeconds }: Where): Service {
  return {
    start: () => run('systemctl', ['start', unit]),
    stop: () => run('systemctl', ['stop', unit]),
    answers(slot, version) {
      const pulse = path.join(slotFolder(root, slot), 'bin/pulse')
      const args = ['health', '--wait', String(waitSeconds), '--expect', version]
      return run(pulse, args, ownerOf(data))
    },
  }
}

async function run(command: string, args: string[], options: SpawnOptions = {}): Promise<void> {
  const child = spawn(command, args, { ...options, stdio: ['ignore', 'inherit', 'inherit'] })
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null]
  if (code !== 0) throw new Error(`${[command, ...args].join(' ')} ended with ${code ?? signal}.`)
}
