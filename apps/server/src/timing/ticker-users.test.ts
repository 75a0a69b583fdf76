import { alertDefaults } from '@pulse/contract'
import type { Clock } from '@pulse/domain'
import { createEstate } from '@pulse/domain'
import fs from 'node:fs'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createAlertHistory } from '../alerts/history.ts'
import { agentKinds } from '../agent-kinds.ts'
import { createAgentKinds } from '../agents/kinds.ts'
import { createAlertWatch } from '../alerts/watch.ts'
import { createAudit } from '../auth/audit.ts'
import { aGround, type Ground } from '../auth/fixtures.ts'
import { createSessions } from '../auth/sessions.ts'
import { alertStore } from '../db/alerts.ts'
import { auditStore } from '../db/audit.ts'
import { deliveryStore } from '../db/deliveries.ts'
import { sessionStore } from '../db/sessions.ts'
import { agentProtocol as protocol } from '../agents/protocol.ts'
import { createHosts } from '../agents/hosts.ts'
import { createPresence } from '../agents/presence.ts'
import { keepAlive } from '../live/keep-alive.ts'
import { type LogFile, openLogFile } from '../log-file.ts'
import { createPipeline } from '../notify/pipeline.ts'
import { selfReport } from '../self/report.ts'
import { createState } from '../state/state.ts'
import { firstMeta } from '../state/first-meta.ts'
import { createTroubles } from '../troubles/troubles.ts'
import { createSchedule } from '../updates/schedule.ts'

let ground: Ground
let logFile: LogFile | undefined
beforeAll(async () => {
  ground = await aGround()
})
afterEach(() => logFile?.close())
afterAll(() => ground.end())

/**
 * The repeated work of a ticker's user. It throws while `throwing` is set, and counts the calls since then.
 */
interface Work {
  throwing: boolean
  callsSince: number
  call(): void
}

interface Case {
  intervalMs: number
  start(work: Work, clock: Clock): void | Promise<void>
}

const aState = () => createState(firstMeta(0, '0', []), () => {})
const ignore = () => {}

const users: Readonly<Record<string, Case>> = {
  'alerts/history.ts': {
    intervalMs: 15 * 60_000,
    start({ call }, clock) {
      const store = { ...alertStore(ground.db), trimHistory: async () => call() }
      const { tables } = createEstate()
      createAlertHistory({ store, tables, active: () => new Map(), clock, log: ground.log }).start()
    },
  },
  'alerts/watch.ts': {
    intervalMs: 15 * 60_000,
    start: ({ call }, clock) =>
      createAlertWatch({
        store: { ...alertStore(ground.db), forgetResolved: async () => call() },
        state: aState(),
        clock,
        log: ground.log,
        config: () => alertDefaults,
        publish: ignore,
        onChanges: ignore,
        refresh: ignore,
        onFault: ignore,
      }).start(),
  },
  'auth/audit.ts': {
    intervalMs: 86_400_000,
    start({ call }, clock) {
      createAudit({ ...auditStore(ground.db), removeBefore: async () => call() }, clock, ground.log)
    },
  },
  'auth/sessions.ts': {
    intervalMs: 3_600_000,
    start: ({ call }, clock) =>
      createSessions({
        store: { ...sessionStore(ground.db), remove: async () => call() },
        clock,
        log: ground.log,
        onEnded: ignore,
      }).start(),
  },
  'agents/hosts.ts': {
    intervalMs: 5 * 60_000,
    async start({ call }, clock) {
      const row = {
        id: 'docker-1',
        host_id: 'host-1',
        facts: '{}',
        token_id: null,
        token_name: null,
        token_hint: null,
        hidden: 0,
        pending_uninstall: 0,
        command: null,
        enrolled_at: 0,
        last_seen_at: null,
        online: 0,
      }
      const hosts = createHosts({
        protocol,
        kinds: createAgentKinds(agentKinds),
        store: {
          all: async () => [row],
          removals: async () => [],
          put: async () => {},
          async putAll() {
            hosts.touch(hosts.all()[0]!)
            call()
          },
          remove: async () => {},
          allow: async () => {},
        },
        state: { ...aState(), observe: ignore, forget: ignore },
        clock,
        log: ground.log,
      })
      await hosts.start()
      hosts.touch(hosts.all()[0]!)
    },
  },
  'agents/presence.ts': {
    intervalMs: 10_000,
    start({ call }, clock) {
      const all = () => {
        call()
        return []
      }
      const hosts = {
        all,
        show: ignore,
        saveSoon: ignore,
      }
      createPresence({ protocol, hosts, clock, log: ground.log, onNews: ignore }).start()
    },
  },
  'live/keep-alive.ts': {
    intervalMs: 30_000,
    start({ call }, clock) {
      keepAlive({
        clients: new Set(),
        clock,
        guard: (_what, run) => {
          try {
            run()
          } catch (err) {
            ground.log.error({ err }, 'as the hub logs it')
          }
        },
        revalidate: call,
        touch: ignore,
      })
    },
  },
  'log-file.ts': {
    intervalMs: 86_400_000,
    async start({ call }, clock) {
      const folder = fs.mkdtempSync(path.join(ground.dataDir, 'log-'))
      const file = path.join(folder, 'pulse.log')
      logFile = openLogFile({ file, maxSizeMB: 1, maxAgeDays: 1, compress: false }, clock, call)
      await expect.poll(() => fs.existsSync(file)).toBe(true)
      // listing the removed folder fails, which is reported every day
      fs.rmSync(folder, { recursive: true })
    },
  },
  'notify/pipeline.ts': {
    intervalMs: 3_600_000,
    start: ({ call }, clock) =>
      createPipeline({
        alerts: {
          config: () => alertDefaults,
          stored: () => [],
          endsOf: async () => new Map(),
          notified: ignore,
        },
        channels: () => [],
        store: { ...deliveryStore(ground.db), trim: async () => call() },
        clock,
        log: ground.log,
        troubles: createTroubles(clock, ground.log),
        report: ignore,
        publicUrl: () => undefined,
        maySend: () => true,
      }).start(),
  },
  'self/report.ts': {
    intervalMs: 10_000,
    start({ call }, clock) {
      const running = () => {
        call()
        return []
      }
      selfReport({
        state: aState(),
        connections: { running } as never,
        clock,
        upSince: 0,
        loop: { figures: () => ({ longestBlockMs: 0, waitP99Ms: 0 }), stop: ignore },
        log: ground.log,
      }).start()
    },
  },
  'updates/schedule.ts': {
    intervalMs: 10 * 60_000,
    start({ call }, clock) {
      const settings = () => {
        call()
        return { autoUpdateEnabled: false, autoUpdateCheckInterval: 24, autoUpdateTime: '03:00' }
      }
      createSchedule({
        settings,
        look: async () => {},
        install: async () => {},
        onFault: ignore,
        clock,
      }).start()
    },
  },
}

/** Not covered here, because they need more than a clock. See these tests. */
const elsewhere: Readonly<Record<string, string>> = {
  'cluster/frames/frame-reading.ts': 'cluster/frames/frames.test.ts: needs NATS servers',
  'cluster/lead/calls.ts': 'cluster/lead/leader.test.ts: needs processes',
  'cluster/clock-watch.ts': 'cluster/clock-watch.test.ts: a run reads what its test hands in',
  'cluster/lead/database-watch.ts':
    'cluster/lead/cut-from-database.test.ts: needs a server that is away for longer than one run',
  'cluster/lead/lead-doubt.ts': 'cluster/lead/lead-doubt.test.ts: a run reads what its test hands in',
  'cluster/lead/leadership.ts': 'cluster/lead/leader.test.ts: needs processes',
  'cluster/leases/held-lease.ts': 'cluster/leases/leases.test.ts: needs NATS servers',
  'cluster/presence.ts': 'cluster/leases/source-claims.test.ts: needs NATS servers',
  'cluster/rights/rights-watch.ts':
    'cluster/rights/rights-watch.test.ts: a run that throws is one without the database',
  'cluster/sites/site-watch.ts': 'cluster/sites/site-watch.test.ts: a run reads what its test hands in',
  'cluster/leases/source-claims.ts': 'cluster/leases/source-claims.test.ts: needs NATS servers',
  'cluster/unsaved/unsaved-writes.ts':
    'cluster/unsaved/unsaved-writes.test.ts: needs NATS servers and PostgreSQL',
  'db/outage-watch.ts': 'db/postgres.test.ts: needs a server that is away for longer than one probe',
  'db/open.ts': 'start/lost-database.test.ts: a full disk refuses the probe until there is room',
  'history/change-recorder.ts': 'history/changes.test.ts: goes on after a thread that ends',
  'history/forecasts.ts': 'history/forecasts.test.ts: goes on after a history that cannot be read',
  'history/history.ts': 'history/history.test.ts: needs the thread of its file',
  'remote/connections.ts': 'remote/remote.test.ts: goes on after its line was cut',
  'updates/updater.ts': 'updates/updater.test.ts: needs a switch at work',
  'live/delta-feed.ts': 'live/keep-alive-fault.test.ts: needs a client that follows',
}

const root = path.join(import.meta.dirname, '..')
const found = fs
  .readdirSync(root, { recursive: true, encoding: 'utf8' })
  .map((name) => name.split(path.sep).join('/'))
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && !name.startsWith('timing/'))
  .filter((name) => fs.readFileSync(path.join(root, name), 'utf8').includes('createTicker('))

describe('each user of a ticker', () => {
  test('is listed here', () => {
    expect(found.filter((name) => !users[name] && !elsewhere[name])).toEqual([])
    expect(Object.keys(users).filter((name) => !found.includes(name))).toEqual([])
  })

  test.each(Object.entries(users))(
    '%s goes on after a run that throws',
    async (_name, { intervalMs, start }) => {
      await ground.clear()
      const { clock } = ground
      let failures = 0
      const work: Work = {
        throwing: false,
        callsSince: 0,
        call() {
          if (work.throwing) {
            work.throwing = false
            failures++
            throw new Error('a defect')
          }
          if (failures > 0) work.callsSince++
        },
      }
      await start(work, clock)
      const pass = () => clock.advance(intervalMs)
      work.throwing = true
      await expect.poll(async () => (await pass(), failures)).toBe(1)
      await expect.poll(async () => (await pass(), work.callsSince)).toBeGreaterThanOrEqual(2)
    },
  )
})
