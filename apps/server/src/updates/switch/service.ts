import { spawn, type SpawnOptions } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { ownerOf } from './as-owner.ts'
import type { Slot } from './journal.ts'
import { slotFolder } from './slots.ts'

/** The service to replace, controlled through systemd. */
export interface Service {
  start(): Promise<void>
  /** Returns after the service has ended. */
  stop(): Promise<void>
  /**
   * Resolves when that version answers the health check of the release in that slot; throws at the timeout.
   */
  answers(slot: Slot, version: string, waitSeconds?: number): Promise<void>
}

interface Where {
  root: string
  data: string
  waitSeconds: number
}

/** A version that has crashed this often during the wait is considered failed. */
const MOST_FALLS = 3
const LOOK_SECONDS = 5

export function serviceOf(unit: string, { root, data, waitSeconds }: Where): Service {
  /** Number of automatic restarts since the start of the service. */
  async function falls(): Promise<number> {
    const said = await run('systemctl', ['show', '--property=NRestarts', '--value', unit], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    return Number(said.trim())
  }

  return {
    start: async () => void (await run('systemctl', ['start', unit])),
    stop: async () => void (await run('systemctl', ['stop', unit])),
    async answers(slot, version, mostSeconds = waitSeconds) {
      const pulse = path.join(slotFolder(root, slot), 'bin/pulse')
      for (let left = mostSeconds; ; left -= LOOK_SECONDS) {
        const wait = String(Math.min(left, LOOK_SECONDS))
        try {
          await run(pulse, ['health', '--wait', wait, '--expect', version], ownerOf(data))
          return
        } catch (error) {
          if (left <= LOOK_SECONDS || (await falls()) >= MOST_FALLS) throw error
        }
      }
    },
  }
}

async function run(command: string, args: string[], options: SpawnOptions = {}): Promise<string> {
  const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'], ...options })
  const ended = once(child, 'close') as Promise<[number | null, string | null]>
  const said = child.stdout ? await text(child.stdout) : ''
  const [code, signal] = await ended
  if (code !== 0) throw new Error(`${[command, ...args].join(' ')} ended with ${code ?? signal}.`)
  return said
}
