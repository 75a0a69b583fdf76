import fs from 'node:fs'
import os from 'node:os'
import { deltaClient } from './clients.ts'
import { pause, startEstate } from './estate.ts'
import { writtenBytes } from './process.ts'
import { clustersOf } from './scenarios.ts'

const guests = 15
const settleS = 120
const measuredS = 3_600
const budgetMBPerDay = 100
const tmpfs = 0x01021994

/** Disk writes of a small estate with one browser, over an hour, because most of them are rare. */
export async function measureDisk(): Promise<string> {
  if (fs.statfsSync(os.tmpdir()).type === tmpfs) {
    throw new Error(`not measured: ${os.tmpdir()} is in memory. Name a folder on a disk in TMPDIR.`)
  }
  console.log(`${guests} guests, an hour …`)
  const estate = await startEstate(clustersOf(guests))
  try {
    const client = await deltaClient(estate.url)
    await pause(settleS * 1000)
    const before = writtenBytes(estate.serverPid)
    await pause(measuredS * 1000)
    const MBPerDay = ((writtenBytes(estate.serverPid) - before) * 24) / 1e6
    client.close()
    const verdict = MBPerDay > budgetMBPerDay ? '**missed**' : 'holds'
    return `Disk written: ${MBPerDay.toFixed(1)} MB per day at ${guests} guests, measured for one hour (budget ${budgetMBPerDay}: ${verdict}).`
  } finally {
    await estate.stop()
  }
}
