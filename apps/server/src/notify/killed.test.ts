import { spawn } from 'node:child_process'
import fs from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDataOf, scale } from '../auth/fixtures.ts'
import { alertStore } from '../db/alerts.ts'
import { collect } from '../db/pages.ts'
import { randomFrom } from '../testing/data-folder.ts'
import { hasPostgres, startPostgres } from '../testing/postgres-server.ts'

interface Message {
  event: string
  kind: string
  ids: string[]
}

type Place = Parameters<typeof openDataOf>[1] & {}

let sink: http.Server
let received: Message[]
let onReceived: () => void
async function take(request: http.IncomingMessage, response: http.ServerResponse) {
  received.push(JSON.parse(await text(request)) as Message)
  response.end()
  onReceived()
}

beforeAll(async () => {
  sink = http.createServer((request, response) => void take(request, response))
  await new Promise<void>((resolve) => sink.listen(0, '127.0.0.1', resolve))
})
afterAll(() => void sink.close())

const at = (file: string) => JSON.stringify(new URL(file, import.meta.url).href)

/**
 * Each guest in turn becomes busy, stays busy for ten steps, then idles. Guests that are busy at the start
 * idle last.
 */
const watcher = `(async () => {
  const { alertDefaults } = await import('@pulse/contract')
  const { aGuest, aMeta } = await import('@pulse/testkit')
  const { pino } = await import('pino')
  const { alertStore } = await import(${at('../db/alerts.ts')})
  const { deliveryStore } = await import(${at('../db/deliveries.ts')})
  const { realClock } = await import(${at('../edges.ts')})
  const { openDataOf } = await import(${at('../auth/fixtures.ts')})
  const { createState } = await import(${at('../state/state.ts')})
  const { createTroubles } = await import(${at('../troubles/troubles.ts')})
  const { createAlertWatch } = await import(${at('../alerts/watch.ts')})
  const { createPipeline } = await import(${at('./pipeline.ts')})
  const [dir, place, from, steps, url] = process.argv.slice(1)
  const { db, maintenance } = await openDataOf(dir, JSON.parse(place))
  const state = createState(aMeta())
  const log = pino({ level: 'silent' })
  const { schedule } = alertDefaults
  const config = {
    ...alertDefaults, activationState: 'active', timeThresholds: { guest: 0, node: 0, storage: 0, pbs: 0 },
    schedule: { ...schedule, cooldown: 0, maxAlertsHour: 0, grouping: { ...schedule.grouping, enabled: false } },
  }
  const store = alertStore(db)
  const channel = {
    info: { id: 'webhook:sink', kind: 'webhook', name: 'sink', enabled: true, capacity: { firing: 500, resolved: 500 } }, service: 'generic', address: url,
    retryPolicy: { quickRetries: 3, firstPauseMs: 1000 },
    async send({ eventId, kind, alerts }, signal) {
      const body = JSON.stringify({ event: eventId, kind, ids: alerts.map(({ alert }) => alert.id) })
      const { ok } = await fetch(url, { method: 'POST', body, signal })
      return ok ? { delivered: true, bytes: body.length }
        : { delivered: false, bytes: body.length, reason: 'It was refused.', retry: 'later' }
    },
  }
  const fault = (error) => { throw error }
  const pipeline = createPipeline({
    alerts: { config: () => config, stored: () => watch.stored(), endsOf: (...args) => watch.endsOf(...args), notified: (...args) => watch.notified(...args) },
    channels: () => [channel], store: deliveryStore(db), clock: realClock, log, troubles: createTroubles(realClock, log),
    report: (_, error) => fault(error), publicUrl: () => undefined, maySend: () => true,
  })
  const watch = createAlertWatch({
    store, state, clock: realClock, log, config: () => config, refresh() {}, publish() {},
    onChanges: pipeline.apply, onFault: fault,
  })
  await watch.start()
  await pipeline.start()
  const found = [...watch.active().keys()].map((id) => Number(id.match(/[0-9]+(?=-cpu$)/)[0]))
  const observe = (guests) => state.observe({
    source: 'pve-1',
    records: { guests: new Map(guests.map((guest) => ['pve-1:' + guest.vmid, guest])) },
    state: { name: 'main', kind: 'pve', health: 'healthy', lastSeen: Date.now() },
  })
  const one = (vmid, cpu) => aGuest({ source: 'pve-1', vmid, cpu })
  for (let n = Number(from); n < Number(from) + Number(steps); n++) {
    const guests = [...found, ...Array.from({ length: 10 }, (_, i) => n + i)].map((vmid) => one(vmid, 0.95))
    if (n > Number(from)) guests.push(one(n - 1, 0.05))
    observe(guests)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  console.log('through')
  setInterval(() => {}, 1000)
})()`

/** Kills the process once `isOver` is true after a message. Rejects when the process ends on its own. */
function run(
  [dir, place]: [string, Place],
  from: number,
  steps: number,
  isOver: () => boolean,
): Promise<void> {
  const { port } = sink.address() as AddressInfo
  const args = [
    '-e',
    watcher,
    dir,
    JSON.stringify(place),
    String(from),
    String(steps),
    `http://127.0.0.1:${port}/`,
  ]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] })
  onReceived = () => {
    if (isOver()) child.kill('SIGKILL')
  }
  return new Promise((resolve, reject) =>
    child.on('close', (code, signal) => {
      if (signal === 'SIGKILL') resolve()
      else reject(new Error(`the process ended by itself: ${code}`))
    }),
  )
}

const kills = scale > 1 ? 200 : 5

describe.each(['a data folder', 'PostgreSQL'])('[R1] messages that are stored in %s', (where) => {
  const isEmbedded = where === 'a data folder'
  const isMissing = !isEmbedded && !hasPostgres()
  if (isMissing) console.log('skipped: no PostgreSQL')
  let dir: string
  let place: Place = 'embedded'
  let end: (() => Promise<void>) | undefined
  beforeAll(async () => {
    received = []
    dir = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-killed-notify-'))
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
    `${kills} kills while alerts come and go: each lasting alert is sent, and only messages under way are sent twice`,
    async () => {
      const random = randomFrom(13)
      for (let kill = 1; kill <= kills; kill++) {
        const before = received.length
        const count = 1 + Math.floor(random() * 12)
        await run([dir, place], kill * 1_000, 10_000, () => received.length - before >= count)
      }
      const { db, maintenance } = await openDataOf(dir, place)
      const open = (await collect(alertStore(db).all()))
        .filter(({ resolved_at }) => resolved_at === null)
        .map(({ id }) => id)
      await maintenance.close()
      const firing = () => new Set(received.filter(({ kind }) => kind === 'raised').flatMap(({ ids }) => ids))
      await run([dir, place], (kills + 1) * 1_000, 1, () => open.every((id) => firing().has(id)))

      expect(open.filter((id) => !firing().has(id))).toEqual([])
      const copies = received.length - new Set(received.map(({ event }) => event)).size
      expect(copies).toBeLessThanOrEqual(kills + 1)
      /** Repeats of one event are one message; a second event about the same alert is an error. */
      const unique = [...new Map(received.map((message) => [message.event, message])).values()]
      const notified = new Set<string>()
      const wrong: string[] = []
      for (const { kind, ids } of unique) {
        for (const id of ids) {
          if ((kind === 'resolved') !== notified.has(id)) wrong.push(`${kind} ${id}`)
          if (kind === 'resolved') notified.delete(id)
          else notified.add(id)
        }
      }
      expect(wrong).toEqual([])
    },
  )
})
