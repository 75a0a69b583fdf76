import { isRunning } from '../estate/estate.ts'
import type { Guest } from '../estate/estate.ts'
import type { GuestReading } from '../estate/reading.ts'
import type { Readings } from '../load/readings.ts'

/** Figures from QEMU itself. */
export function liveDetails(guest: Guest, readings: Readings) {
  if (!isRunning(guest)) return { qmpstatus: 'stopped' }
  const reading = readings.guest(guest)
  const { release } = guest.node.cluster
  const balloon = balloonInfo(guest, reading)
  return {
    qmpstatus: guest.status === 'paused' ? 'paused' : 'running',
    balloon: balloon.actual,
    ballooninfo: balloon,
    ...('free_mem' in balloon && { freemem: balloon.free_mem }),
    nics: { [`tap${guest.vmid}i0`]: { netin: reading.netIn, netout: reading.netOut } },
    blockstat: blockStatistics(guest, reading),
    'running-machine': release.machine,
    'running-qemu': release.qemuVersion,
    'proxmox-support': {
      'pbs-dirty-bitmap': true,
      'pbs-dirty-bitmap-migration': true,
      'pbs-dirty-bitmap-savevm': true,
      'pbs-masterkey': true,
      'query-bitmap-info': true,
      'backup-max-workers': true,
      ...(release.major === 9 && { 'backup-fleecing': true, 'backup-access-api': true }),
      'pbs-library-version': release.major === 9 ? '2.0.2' : '1.4.1 (UNKNOWN)',
    },
  }
}

/** The kernel reserves a little of the memory. */
export const visibleMemory = (guest: Guest): number =>
  Math.floor(guest.maxMemBytes * guest.balloonShare * 0.976)

function balloonInfo(guest: Guest, reading: GuestReading) {
  const actual = Math.floor(guest.maxMemBytes * guest.balloonShare)
  const limits = { actual, max_mem: guest.maxMemBytes }
  if (!guest.balloonDriver) return { ...limits, last_update: 0 }
  const total = visibleMemory(guest)
  const faults = Math.floor(reading.uptimeSeconds * 40)
  return {
    ...limits,
    total_mem: total,
    free_mem: Math.max(0, total - reading.memBytes),
    major_page_faults: Math.floor(faults / 1000),
    minor_page_faults: faults,
    mem_swapped_in: 0,
    mem_swapped_out: 0,
    last_update: Math.floor(reading.atMs / 1000),
  }
}

function blockStatistics(guest: Guest, reading: GuestReading) {
  return {
    scsi0: blockDevice(reading.diskRead, reading.diskWrite, guest.maxDiskBytes),
    ide2: blockDevice(0, 0, 0),
  }
}

const averageRequestBytes = 16_384

const blockDevice = (read: number, written: number, sizeBytes: number) => ({
  rd_bytes: read,
  wr_bytes: written,
  rd_operations: Math.floor(read / averageRequestBytes),
  wr_operations: Math.floor(written / averageRequestBytes),
  flush_operations: Math.floor(written / averageRequestBytes / 10),
  unmap_operations: 0,
  unmap_bytes: 0,
  wr_highest_offset: Math.floor(sizeBytes * 0.97),
  rd_merged: 0,
  wr_merged: 0,
  failed_rd_operations: 0,
  failed_wr_operations: 0,
  account_failed: true,
  account_invalid: true,
  timed_stats: [],
})
