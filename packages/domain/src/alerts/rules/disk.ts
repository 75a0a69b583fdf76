import type { PhysicalDisk } from '@pulse/contract'
import { judged } from '../condition.ts'
import type { Rule, Subject } from '../judging.ts'

/** Health texts of healthy disks and of disks without a health report. */
const fine: readonly string[] = ['', 'UNKNOWN', 'PASSED', 'OK', 'GOOD']
/** An alert fires below this percentage of remaining life. */
export const leastLife = 10

const health: Rule<PhysicalDisk> = {
  name: 'disk-health',
  judge(disk, on) {
    const word = disk.health.trim().toUpperCase()
    const isBad = !fine.includes(word)
    if (!isBad && !on.isWatched) return
    const isKnown = word !== '' && word !== 'UNKNOWN'
    on.emit({
      id: `disk-health-${on.record}`,
      type: 'disk-health',
      ...judged(isBad, isKnown ? undefined : 'It does not report its health.'),
      level: 'critical',
      message: `Disk ${disk.devPath} (${disk.model}) on ${disk.node} reports ${disk.health}`,
      metadata: factsOf(disk),
    })
  },
}

const wear: Rule<PhysicalDisk> = {
  name: 'disk-wearout',
  judge(disk, on) {
    const isBad = disk.wearout > 0 && disk.wearout < leastLife
    if (!isBad && !on.isWatched) return
    const isKnown = disk.wearout > 0
    on.emit({
      id: `disk-wearout-${on.record}`,
      type: 'disk-wearout',
      ...judged(isBad, isKnown ? undefined : 'It does not report its wear.'),
      value: disk.wearout,
      threshold: leastLife,
      level: 'warning',
      message: `Disk ${disk.devPath} (${disk.model}) on ${disk.node} has ${disk.wearout}% of its life left`,
      metadata: factsOf(disk),
    })
  },
}

const factsOf = ({ devPath, model, serial, type }: PhysicalDisk) => ({
  devPath,
  model,
  serial,
  diskType: type,
})

export const disks: Subject<'physicalDisks'> = {
  kind: 'physicalDisks',
  settings: 'physicalDisks',
  resource: ({ id, devPath, node, instance }) => ({ id, name: devPath, node, instance, type: 'Disk' }),
  rules: [health, wear],
}
