import { spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDataOf, scale } from '../auth/fixtures.ts'
import { alertStore } from '../db/alerts.ts'
import { randomFrom } from '../testing/data-folder.ts'
import { hasPostgres, startPostgres } from '../testing/postgres-server.ts'

type Place = Parameters<typeof openDataOf>[1] & {}

const at = (file: string) => JSON.stringify(new URL(file, import.meta.url).href)

/**
 * Each guest in turn becomes busy, stays busy for ten steps, then stays idle. Prints every event that was
 * published.
 */
const watcher = `(async () => {
  const { alertDefaults } = await import('@pulse/contract')
  const { aGuest, aMeta } = await import('@pulse/testkit')
  const { pino } = await import('pino')
  const { alertStore } = await import(${at('../db/alerts.ts')})
  const { realClock } = await import(${at('../edges.ts')})
  const { openDataOf } = await import(${at('../auth/fixtures.ts')})
  const { createState } = await import(${at('../state/state.ts')})
  const { createAlertWatch } = await import(${at('./watch.ts')})
  const [dir, place, from] = process.argv.slice(1)
  const { db, maintenance } = await openDataOf(dir, JSON.parse(place))
  const state = createState(aMeta())
  const config = { ...alertDefaults, activationState: 'active', timeThresholds: { guest: 0, node: 0, storage: 0, pbs: 0 } }
  const watch = createAlertWatch({
    store: alertStore(db), state, clock: realClock, log: pino({ level: 'silent' }), config: () => config, refresh() {}, onChanges() {},
    publish: ({ type, data }) => console.log(JSON.stringify([type, data.alertId ?? data.id])),
    onFault: (error) => { throw error },
  })
  await watch.start()
  for (let n = Number(from); ; n++) {
    const guests = Array.from({ length: 10 }, (_, i) => aGuest({ source: 'pve-1', vmid: n + i, cpu: 0.95 }))
    if (n > 0) guests.push(aGuest({ source: 'pve-1', vmid: n - 1, cpu: 0.05 }))
    state.observe({
      source: 'pve-1',
      records: { guests: new Map(guests.map((guest) => ['pve-1:' + guest.vmid, guest])) },
      state: { name: 'main', kind: 'pve', health: 'healthy', lastSeen: Date.now() },
    })
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
})()`

type Said = ['alert' | 'alertResolved', string]

/** Kills the child process after `count` events. */
function watchUntilKilled([dir, place]: [string, Place], from: number, count: number): Promise<Said[]> {
  const child = spawn(process.execPath, ['-e', watcher, dir, JSON.stringify(place), String(from)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const said: Said[] = []
  createInterface(child.stdout).on('line', (line) => {
    said.push(JSON.parse(line) as Said)
    if (said.length >= count) child.kill('SIGKILL')
  })
  return new Promise((resolve) => child.on('close', () => resolve(said)))
}

const kills = scale > 1 ? 100 : 2

describe.each(['a data folder', 'PostgreSQL'])('[R8] alerts that are stored in %s', (where) => {
  const isEmbedded = where === 'a data folder'
  const isMissing = !isEmbedded && !hasPostgres()
  if (isMissing) console.log('skipped: no PostgreSQL')
  let dir: string
  let place: Place = 'embedded'
  let end: (() => Promise<void>) | undefined
  beforeAll(async () => {
    dir = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-killed-alerts-'))
    if (isEmbedded || isMissing) return
    const server = await startPostgres()
    end = server.remove
    place = await server.database()
  })
  afterAll(async () => {
    await end?.()
    fs.rmSync(dir, { recursive: true, force: true })
  })

  test.skipIf(isMissing)(
    `${kills} kills while they fire and resolve: every published change is stored as it was published`,
    async () => {
      const random = randomFrom(8)
      for (let kill = 1; kill <= kills; kill++) {
        const count = 20 + Math.floor(random() * 60)
        const said = await watchUntilKilled([dir, place], kill * 100_000, count)
        const { db, maintenance } = await openDataOf(dir, place)
        const rows = await alertStore(db).history({}, { limit: 1_000_000 })
        await maintenance.close()
        const rowOf = new Map(rows.map((row) => [row.alert_id, row]))
        const lost = said.filter(([type, id]) => {
          const row = rowOf.get(id)
          return !row || (type === 'alertResolved' && row.ended_at === null)
        })
        expect(said.map(([type]) => type)).toContain('alertResolved')
        expect(lost, `kill ${kill}`).toEqual([])
      }
    },
  )
})
