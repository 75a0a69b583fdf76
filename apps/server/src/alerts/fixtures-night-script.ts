// This file serves tests only, like the package it needs.
import type { Lab } from '@pulse/lab'
import type { FailedBackup, Night } from './fixtures-night.ts'

export const secondMs = 1_000
export const minuteMs = 60 * secondMs

/** The schedule: a short night with one event of each kind, and eight hours with 500 guests. */
export interface Plan {
  nodes: number
  guests: number
  backups: readonly number[]
  flaps: number
  firstReboot: number
  migrations: number
  lastReboot: number
  /** start of the problems of single machines */
  troubles: number
  end: number
}
/** The lab keeps them offline for four minutes. */
export const rebootMs = 4 * minuteMs
/** An administrator checks after a reboot, and starts the guests that did not start. */
export const operatorMs = 14 * minuteMs
/** VMs with a full page cache that restart during their backup: their agent does not report memory. */
const fullOfCaches = [103, 113]
/** Guests with scripted figures. */
export const scripted = [101, 102]

/** Keeps every figure below its threshold, and changes all of them. */
export function live({ control }: Lab, minutes: number) {
  const wave = (seed: number) => 0.5 + 0.5 * Math.sin(seed * 2.4 + minutes / 23)
  for (const { vmid, maxMem, maxDisk } of control.guests()) {
    if (scripted.includes(vmid)) continue
    const isCached = fullOfCaches.includes(vmid)
    const used = isCached ? 0.91 : 0.2 + 0.5 * wave(vmid)
    control.patchGuest(vmid, {
      cpu: 0.05 + 0.6 * wave(vmid + 7),
      memUsed: Math.floor(used * maxMem),
      memCached: Math.floor((isCached ? 0.6 : 0.1) * maxMem),
      diskUsed: Math.floor((0.2 + 0.2 * wave(vmid + 3)) * maxDisk),
    })
  }
}

/** The script of the night by time. */
function scriptOf(plan: Plan, { control }: Lab): [at: number, what: () => unknown][] {
  const { troubles, migrations } = plan
  const memory = (share: number) => () =>
    control.patchGuest(102, { memUsed: Math.floor(share * control.guest(102).maxMem), memCached: 0 })
  const operator = () => {
    for (const { vmid, status } of control.guests())
      if (status === 'stopped' && ran.has(vmid)) control.patchGuest(vmid, { status: 'running' })
  }
  const ran = new Set(
    control
      .guests()
      .flatMap(({ vmid, status, lock }) => (status !== 'stopped' && lock === undefined ? [vmid] : [])),
  )
  const briefly = [104, 107, 111, 117]
  return [
    ...plan.backups.map((at): [number, () => unknown] => [at, () => control.play('backup-night')]),
    [plan.flaps, () => control.play('network-flaps')],
    [plan.firstReboot, () => control.play('first-node-reboots')],
    [plan.firstReboot + operatorMs, operator],
    [migrations - 2 * minuteMs, () => control.patchGuest(101, { cpu: 0.95 })],
    [migrations, () => control.play('migration-wave')],
    [migrations + 3 * minuteMs, () => control.patchGuest(101, { cpu: 0.3 })],
    [plan.lastReboot, () => control.play('last-node-reboots')],
    [plan.lastReboot + operatorMs, operator],
    [troubles, memory(0.88)],
    [troubles + 1.5 * minuteMs, memory(0.97)],
    [troubles + 3 * minuteMs, memory(0.82)],
    [troubles + 5 * minuteMs, memory(0.6)],
    [troubles, () => control.patchGuest(108, { status: 'stopped' })],
    [troubles + 5 * minuteMs, () => control.patchGuest(108, { status: 'running' })],
    [troubles, () => control.patchStorage('nas-vm', { total: 1e12, used: 9e11 })],
    [troubles + 5 * minuteMs, () => control.patchStorage('nas-vm', { used: 3e11 })],
    // Shorter than a poll interval: a busy CPU, a restarting VM.
    ...briefly.flatMap((vmid, n): [number, () => unknown][] => [
      [troubles + n * minuteMs, () => control.patchGuest(vmid, { cpu: 0.99 })],
      [troubles + n * minuteMs + 8 * secondMs, () => control.patchGuest(vmid, { cpu: 0.1 })],
      [troubles + n * minuteMs + 60 * secondMs, () => control.patchGuest(vmid, { status: 'stopped' })],
      [troubles + n * minuteMs + 68 * secondMs, () => control.patchGuest(vmid, { status: 'running' })],
    ]),
  ]
}

export async function play({ lab, until, failedBackups }: Night, plan: Plan) {
  // Events of earlier nights in the lab are not in this plan; its lists contain their failed backups.
  const failed: FailedBackup[] = []
  const look = async () => void failed.push(...(await failedBackups()))
  const minutes = Array.from({ length: plan.end / minuteMs / 10 }, (_, n) => n * 10 + 10)
  const script: [number, () => unknown][] = [
    ...scriptOf(plan, lab),
    [9 * minuteMs, look],
    [plan.end, look],
    ...minutes.map((minute): [number, () => unknown] => [minute * minuteMs, () => live(lab, minute)]),
  ]
  for (const [at, what] of script.sort((a, b) => a[0] - b[0])) {
    await until(at)
    await what()
  }
  return failed
}
