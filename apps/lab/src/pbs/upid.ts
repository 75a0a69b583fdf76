import { mix } from '../random.ts'
import type { BackupServer } from './vault.ts'

interface Worker {
  type: string
  id: string
  at: number
  user?: string
}

/** PBS has one field more than PVE: the task's number within its process. */
export function workerUpid(server: BackupServer, { type, id, at, user = 'root@pam' }: Worker): string {
  const { pid, pstart, taskId } = processOf(server, { type, id, at })
  const parts = [pid, pstart, taskId, at].map(hex8)
  return `UPID:${server.name}:${parts.join(':')}:${type}:${escaped(id)}:${user}:`
}

export function processOf({ seed, bootedAtMs }: BackupServer, { type, id, at }: Worker) {
  return {
    pid: 700 + (seed % 500),
    pstart: 1000 + (Math.floor(bootedAtMs / 1000) % 4000),
    taskId: mix(mix(seed, at), type.length * 64 + id.length) % 0xffffff,
  }
}

const hex8 = (value: number): string => value.toString(16).toUpperCase().padStart(8, '0')

/** Escaped as in names of systemd units. */
const escaped = (id: string): string =>
  id.replace(/[^\w.]/g, (sign) =>
    sign === '/' ? '-' : `\\x${sign.charCodeAt(0).toString(16).padStart(2, '0')}`,
  )
