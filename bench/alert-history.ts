import type { Alert, PlainState } from '@pulse/contract'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { visitAlertPages } from './alert-pages.ts'
import type { AlertHistoryFigures } from './alert-history-report.ts'
import { asAdmin, pause, startEstate } from './estate.ts'
import { demandMeasured } from './figures.ts'
import { watchMachine } from './machine.ts'
import { clustersOf } from './scenarios.ts'
import { isComplete } from './state-call.ts'

const GUESTS = 2500
const OPEN = 500
const RAISE_LIMIT_MS = 120_000
const DAY_MS = 86_400_000
/** The period of the history, within its retention. */
const SPREAD_MS = 29 * DAY_MS

/** Measures rows of history, 2,500 guests with 500 alerts, and the pages that show them. */
export async function measureAlertHistory(history: number, product: string): Promise<AlertHistoryFigures> {
  console.log(`${history.toLocaleString('en')} rows of alert history …`)
  const estate = await startEstate(clustersOf(GUESTS), product)
  try {
    const { url, dataDir, serverPid, labPid } = estate
    while (!(await isComplete(url, GUESTS))) await pause(200)
    const machine = watchMachine([process.pid, serverPid, labPid])
    await raise(url)
    fill(path.join(dataDir, 'pulse.db'), history)
    const active = await call<Alert[]>(url, 'GET', '/api/alerts/active')
    const pages = await visitAlertPages(url, { history, guests: GUESTS * 0.8, open: OPEN * 0.9 })
    return demandMeasured({ history, guests: GUESTS, open: active.length, machine: machine.end(), pages })
  } finally {
    await estate.stop()
  }
}

/** Thresholds for the memory of some guests, so low that each has an alert. */
async function raise(url: string): Promise<void> {
  const { vms, containers } = await call<PlainState>(url, 'GET', '/api/state')
  const chosen = [...vms, ...containers].filter(({ status }) => status === 'running').slice(0, OPEN)
  const off = { trigger: -1, clear: 0 }
  await call(url, 'PUT', '/api/alerts/config', {
    guestDefaults: { cpu: off, memory: off, disk: off, disableConnectivity: true },
    disableAllNodes: true,
    disableAllStorage: true,
    disableAllDatastores: true,
    disableAllDisks: true,
    disableAllCeph: true,
    disableAllFailedBackups: true,
    overrides: Object.fromEntries(chosen.map(({ id }) => [id, { memory: { trigger: 1, clear: 0 } }])),
  })
  await call(url, 'POST', '/api/alerts/activate')
  const deadline = performance.now() + RAISE_LIMIT_MS
  while ((await call<Alert[]>(url, 'GET', '/api/alerts/active')).length < OPEN * 0.9) {
    if (performance.now() > deadline) throw new Error('the alerts were not raised within two minutes')
    await pause(500)
  }
}

const types = ['cpu', 'memory', 'disk', 'powered-off', 'backup-age']

/** The history of a month, with the newest alerts closest together. */
function fill(file: string, rows: number): void {
  const database = new DatabaseSync(file, { timeout: 10_000 })
  const insert = database.prepare(
    `INSERT INTO alert_history (episode, alert_id, resource_id, resource_key, level, peak_level, started_at, ended_at,
       duration_ms, alert) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const now = Date.now()
  database.exec('BEGIN')
  for (let n = 0; n < rows; n++) {
    const started = now - DAY_MS / 24 - Math.floor((n / rows) ** 1.5 * SPREAD_MS)
    const durationMs = 60_000 * (1 + (n % 50))
    const alert = entryOf(n, started, durationMs)
    const { id, resourceId, level } = alert
    const text = JSON.stringify(alert)
    const ended = started + durationMs
    insert.run(`bench ${n}`, id, resourceId, resourceId, level, level, started, ended, durationMs, text)
  }
  database.exec('COMMIT')
  database.close()
}

function entryOf(n: number, started: number, durationMs: number): Alert {
  const type = types[n % types.length]!
  const resourceName = `web${n % 400}`
  return {
    id: `guest:bench:${n % 900}-${type}`,
    type,
    level: n % 3 === 0 ? 'critical' : 'warning',
    resourceId: `guest:bench:${n % 900}`,
    resourceName,
    node: `pve${n % 25}`,
    instance: 'bench',
    message: `${type} of ${resourceName} is at 93.4% (threshold 80%)`,
    value: 93.4,
    threshold: 80,
    startTime: new Date(started).toISOString(),
    lastSeen: new Date(started + durationMs).toISOString(),
    acknowledged: n % 4 === 0,
    metadata: { resourceType: 'VM' },
  }
}

async function call<T>(url: string, method: string, where: string, body?: unknown): Promise<T> {
  const answer = await fetch(url + where, {
    method,
    headers: { ...asAdmin, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  if (!answer.ok) throw new Error(`${method} ${where}: ${await answer.text()}`)
  return (await answer.json()) as T
}
