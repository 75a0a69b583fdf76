import type { Lab } from '@pulse/lab'
import { expect, test } from 'vitest'
import { scale } from '../auth/fixtures.ts'
import { type Episode, givenNight } from './fixtures-night.ts'
import {
  live,
  minuteMs,
  operatorMs,
  type Plan,
  play,
  rebootMs,
  scripted,
  secondMs,
} from './fixtures-night-script.ts'

const hourMs = 60 * minuteMs

const short: Plan = {
  nodes: 3,
  guests: 30,
  backups: [5 * minuteMs],
  flaps: 6 * minuteMs,
  firstReboot: 22 * minuteMs,
  migrations: 39 * minuteMs,
  lastReboot: 44 * minuteMs,
  troubles: 60 * minuteMs,
  end: 68 * minuteMs,
}
const whole: Plan = {
  nodes: 10,
  guests: 500,
  backups: [1 * hourMs, 3 * hourMs],
  flaps: 2 * hourMs,
  firstReboot: 4.25 * hourMs,
  migrations: 5 * hourMs,
  lastReboot: 6 * hourMs,
  troubles: 7 * hourMs,
  end: 8 * hourMs,
}

/** The network first fails 12 minutes after it began to flap, six times for 3 of 5 minutes. */
const gapsMs = 12 * minuteMs
const lastGapEndsMs = gapsMs + 5 * 5 * minuteMs + 3 * minuteMs

type Guest = ReturnType<Lab['control']['guest']>
type Window = readonly [from: number, until: number]
interface Expected extends Pick<Episode, 'id' | 'type' | 'level'> {
  /** earliest start of the condition */
  since: number
  reported: Window
  /** absent: the alert is still open at the end */
  end?: Window
}

/** The cluster is listed every 10 s; reading the next listing takes up to 2 s more. */
const listedMs = 12 * secondMs
const soon = (at: number, looks: number): Window => [at, at + looks * listedMs]

/** The expectation follows the specification, not the result of an earlier run. */
function expectedOf(plan: Plan, guests: readonly Guest[]): Expected[] {
  const poweredOff = (vmid: number, since: number, reported: Window, end?: Window): Expected => ({
    id: `guest-powered-off-main:${vmid}`,
    type: 'powered-off',
    level: 'warning',
    since,
    reported,
    ...(end && { end }),
  })
  const machines = guests.filter(({ template }) => !template)
  /** The wave moves unlocked guests to the other nodes, one node after the other. */
  const moved = new Map(
    machines
      .filter(({ node }) => node === 'pve2')
      .map((guest, index) => [
        guest,
        `pve${[1, ...Array.from({ length: plan.nodes - 2 }, (_, n) => n + 3)][index % (plan.nodes - 1)]}`,
      ]),
  )
  const nodeAt = (guest: Guest, at: number) =>
    at > plan.migrations ? (moved.get(guest) ?? guest.node) : guest.node
  const rebooted = (node: string, at: number): Expected[] => [
    // Three checks at least 9 s apart find the node offline. A longer reboot fires exactly one alert.
    {
      id: `node-offline-main:${node}`,
      type: 'connectivity',
      level: 'critical',
      since: at,
      reported: [at + 18 * secondMs, at + 3 * listedMs],
      end: soon(at + rebootMs, 3),
    },
    // Alerts of its guests are suppressed while the node is offline and for five minutes after its start.
    // Guests that did not start then fire, until an administrator starts them.
    ...machines
      .filter((guest) => nodeAt(guest, at) === node && guest.lock === undefined)
      .filter(({ status, onBoot }) => status !== 'stopped' && !onBoot)
      .map(({ vmid }) =>
        poweredOff(vmid, at, soon(at + rebootMs + 5 * minuteMs - listedMs, 4), soon(at + operatorMs, 2)),
      ),
  ]
  const { troubles } = plan
  return [
    // Guests that are off from the beginning and are no templates. A backup locks its guest; a locked guest
    // neither fires nor resolves.
    ...guests
      .filter(({ status, template, lock }) => status === 'stopped' && !template && lock === undefined)
      .map(({ vmid }) => poweredOff(vmid, 0, soon(0, 4))),
    // The lab keeps this storage inactive on its last node, also during the reboot of that node.
    {
      id: `storage-offline-main:pve${plan.nodes}:scratch`,
      type: 'offline',
      level: 'warning',
      since: 0,
      reported: soon(0, 20),
    },
    ...rebooted('pve1', plan.firstReboot),
    ...rebooted(`pve${plan.nodes}`, plan.lastReboot),
    // A backup server is polled every minute; one or two missing answers do not matter. After three minutes
    // unreachable it fires at the third check. It answers for two minutes in between; a recurrence within
    // five minutes belongs to the same episode. The backoff doubles from 5 s to 160 s, plus a fifth.
    {
      id: 'pbs-offline-pbs2',
      type: 'offline',
      level: 'critical',
      since: plan.flaps + gapsMs,
      reported: [plan.flaps + gapsMs, plan.flaps + gapsMs + 2 * minuteMs],
      end: [plan.flaps + lastGapEndsMs, plan.flaps + lastGapEndsMs + 4 * minuteMs],
    },
    // Busy from before its migration until after it. The alert stays with the guest on its new node.
    {
      id: 'main:101-cpu',
      type: 'cpu',
      level: 'critical',
      since: plan.migrations - 2 * minuteMs,
      reported: soon(plan.migrations - 2 * minuteMs, 3),
      end: soon(plan.migrations + 3 * minuteMs, 2),
    },
    // 88, 97, 82, then 60 %: the alert becomes critical and resolves below the clear value of 80.
    {
      id: 'main:102-memory',
      type: 'memory',
      level: 'critical',
      since: troubles,
      reported: soon(troubles, 3),
      end: soon(troubles + 5 * minuteMs, 2),
    },
    // The guest dies and is started again after five minutes.
    poweredOff(108, troubles, soon(troubles, 3), soon(troubles + 5 * minuteMs, 2)),
    // A storage is 90 % full for five minutes.
    {
      id: 'main:nas-vm-usage',
      type: 'usage',
      level: 'warning',
      since: troubles,
      reported: soon(troubles, 20),
      end: soon(troubles + 5 * minuteMs, 10),
    },
  ]
}

/** Reports unexpected and missing alerts. */
function compare(expected: readonly Expected[], found: readonly Episode[]) {
  const left = [...found]
  const isIn = (at: number | undefined, window: Window | undefined) =>
    window === undefined ? at === undefined : at !== undefined && at >= window[0] && at <= window[1]
  const missing = expected.filter((one) => {
    const index = left.findIndex(
      (row) =>
        row.id === one.id &&
        row.type === one.type &&
        row.level === one.level &&
        row.start >= one.since &&
        row.start <= row.reported! &&
        isIn(row.reported, one.reported) &&
        isIn(row.end, one.end),
    )
    if (index < 0) return true
    left.splice(index, 1)
    return false
  })
  return { missing, unexpected: left }
}

test('[R1, R2] a night with backups of all guests, two reboots, a flapping network and a wave of migrations raises the listed alerts and no others', async (context) => {
  const plan = scale > 1 ? whole : short
  const night = await givenNight(context, { nodes: plan.nodes, guests: plan.guests, pbs: 2 }, (lab) => {
    const { control, clusters } = lab
    live(lab, 0)
    for (const { name } of clusters[0]!.nodes) void control.patchNode(name, { cpu: 0.4, memUsed: 8e9 })
    for (const vmid of scripted) control.patchGuest(vmid, { cpu: 0.3, memUsed: 3e8, memCached: 0 })
  })
  const expected = expectedOf(plan, night.lab.control.guests())
  const failed = await play(night, plan)
  const found = await night.history()
  const { missing, unexpected } = compare(
    expected,
    found.filter(({ type }) => type !== 'backup-failed'),
  )
  expect({ missing, unexpected }).toEqual({ missing: [], unexpected: [] })

  // A failed backup fires once, a successful one never. The backup of 120 fails every night.
  const ofBackups = found.filter(({ type }) => type === 'backup-failed')
  expect(ofBackups.map(({ id }) => id)).toContain('backup-failed-main:120')
  expect(new Set(ofBackups.map(({ id, start }) => `${id} ${start}`)).size).toBe(ofBackups.length)
  for (const { id, start, level } of ofBackups) {
    expect(level).toBe('warning')
    expect(
      failed.filter(
        (one) => id === `backup-failed-main:${one.vmid}` && start >= one.from && start <= one.until,
      ),
      id,
    ).not.toEqual([])
  }

  // An alert is published again only after it has ended or has become critical.
  const published = new Map<string, string>()
  for (const { id, level } of night.events) {
    if (level !== undefined)
      expect([undefined, level === 'critical' ? 'warning' : undefined], id).toContain(published.get(id))
    if (level === undefined) published.delete(id)
    else published.set(id, level)
  }
})
