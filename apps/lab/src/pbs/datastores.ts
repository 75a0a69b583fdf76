import type { ApplianceCall, ApplianceRoute } from '../appliance/appliance.ts'
import { isTrue } from '../api/parameters.ts'
import { slotNoise } from '../load/curve.ts'
import { fraction } from '../random.ts'
import { garbage } from './garbage.ts'
import { readable, visible } from './access.ts'
import type { BackupServer, Datastore } from './vault.ts'

const audit = { privilege: 'Datastore.Audit', path: '/datastore/{store}' }
const dayMs = 86_400_000

export const datastoreRoutes = (server: BackupServer): ApplianceRoute[] => [
  { path: '/admin/datastore', answer: (call) => list(server, call) },
  { path: '/status/datastore-usage', answer: (call) => usage(server, call) },
  {
    path: '/admin/datastore/{store}/status',
    query: { verbose: 'boolean' },
    needs: audit,
    answer: (call) => status(server, call),
  },
]

function list(server: BackupServer, call: ApplianceCall) {
  return visible(server, call).map(({ name, comment }) => ({
    store: name,
    comment,
    ...(server.major >= 3 && { 'mount-status': 'nonremovable' }),
    ...(server.major >= 4 && { 'backend-type': 'filesystem' }),
  }))
}

function sizesOf({ pins, seed, totalBytes, unused }: Datastore, nowMs: number) {
  const total = pins.totalBytes ?? totalBytes
  const used = pins.usedBytes ?? Math.floor(total * (unused ? 0.001 : fillOf(seed, nowMs)))
  return { total, used, avail: total - used }
}

/** Grows for some weeks, until pruning frees much at once. */
function fillOf(seed: number, atMs: number): number {
  const periodMs = 40 * dayMs
  const grown = ((atMs + (seed % periodMs)) % periodMs) / periodMs
  return 0.35 + 0.25 * fraction(seed, 1) + 0.18 * grown + 0.004 * slotNoise(seed, atMs, dayMs)
}

function status(server: BackupServer, call: ApplianceCall) {
  const datastore = readable(server, call.params.store!)
  return {
    ...sizesOf(datastore, call.now()),
    ...(server.major >= 4 && { 'backend-type': 'filesystem' }),
    ...(isTrue(call.params.verbose) && {
      counts: counts(datastore, call.now()),
      'gc-status': garbage(server, datastore, call.now()),
    }),
  }
}

function counts({ namespaces }: Datastore, nowMs: number) {
  const all = {
    vm: { groups: 0, snapshots: 0 },
    ct: { groups: 0, snapshots: 0 },
    host: { groups: 0, snapshots: 0 },
  }
  for (const { groups } of namespaces) {
    for (const { type, snapshots } of groups(nowMs)) {
      all[type].groups++
      all[type].snapshots += snapshots.length
    }
  }
  const orNull = (count: { groups: number }) => (count.groups > 0 ? count : null)
  return { vm: orNull(all.vm), ct: orNull(all.ct), host: orNull(all.host), other: null }
}

function usage(server: BackupServer, call: ApplianceCall) {
  const now = call.now()
  return visible(server, call).map((datastore) => {
    const { name, pins } = datastore
    // An account that may see only some namespaces gets only the datastore's name.
    if (!call.caller.may('Datastore.Audit', `/datastore/${name}`)) return { store: name }
    const kind = {
      ...(server.major >= 3 && { 'mount-status': 'nonremovable' }),
      ...(server.major >= 4 && { 'backend-type': 'filesystem' }),
    }
    if (pins.error !== undefined) {
      const sizes = server.major >= 4 ? {} : { total: 0, used: 0, avail: server.major === 3 ? 0 : -1 }
      const full = server.major >= 4 ? {} : { 'estimated-full-date': -1 }
      return { store: name, ...kind, ...sizes, ...full, error: pins.error }
    }
    return {
      store: name,
      ...kind,
      ...sizesOf(datastore, now),
      ...history(datastore, now),
      'gc-status': garbage(server, datastore, now),
    }
  })
}

/** One value per day for a month; `null` for a day on which the server was off. */
function history({ seed, unused }: Datastore, nowMs: number) {
  if (unused) return {}
  const today = Math.floor(nowMs / dayMs)
  const days = Array.from({ length: 30 }, (_, index) => today - 29 + index)
  const left = 1 - fillOf(seed, nowMs)
  return {
    history: days.map((day) => (fraction(seed, day) < 0.05 ? null : fillOf(seed, day * dayMs))),
    'history-start': days[0]! * 86_400,
    'history-delta': 86_400,
    'estimated-full-date': Math.floor(nowMs / 1000 + (left / 0.0045) * 86_400),
  }
}
