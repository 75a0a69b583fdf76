import { type Connection, Secret } from '@pulse/domain'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'

export const aStoredConnection = (name = 'lab'): Connection => ({
  id: 'pve-1',
  kind: 'pve',
  name,
  host: 'https://127.0.0.1:8006',
  auth: { type: 'token', tokenId: 'a@pam!b', secret: new Secret('canary-secret-0123456789') },
  verifySSL: true,
  flags: { monitorVMs: true },
})

/** Hashes of all files in a folder, by name. */
export const fingerprintsOf = (dir: string): Record<string, string> =>
  Object.fromEntries(
    fs
      .readdirSync(dir)
      .filter((name) => !/-(wal|shm)$/.test(name))
      .map((name) => [
        name,
        createHash('sha256')
          .update(fs.readFileSync(path.join(dir, name)))
          .digest('hex'),
      ]),
  )

/** Returns the same numbers from 0 to 1 for the same seed. */
export function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}
