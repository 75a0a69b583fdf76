import type { PhysicalDisk } from '@pulse/contract'
import { shownAt } from '../publish-source.ts'
import type { MapContext } from './map.ts'
import type { PveDisk, PveSmart } from './schema-disks.ts'

/** One disk as its node reports it. */
export interface DiskFacts {
  disk: PveDisk
  /** the time of the listing and of its own health status; monotonic */
  at: number
  smart?: { value: PveSmart; at: number } | undefined
}

/** Excludes volumes, software partitions, and disks of a host that is itself virtual. */
export const isPhysical = ({ devpath, vendor, model }: PveDisk): boolean =>
  !/^\/dev\/(zd|dm-|loop|ram|rbd|nbd|drbd|md|vd|xvd)/.test(devpath) &&
  !/^(QEMU|VMware|Msft)/i.test(`${vendor?.trim() ?? ''} ${model ?? ''}`.trim())

export function toDisk(
  { disk, at, smart }: DiskFacts,
  node: string,
  context: MapContext,
  staleSince: number | undefined,
): PhysicalDisk {
  const { devpath, model = '', serial = '', size = 0, used = '' } = disk
  const { health, note } = healthOf(disk)
  return {
    id: `${context.instance}-${node}-${devpath.replaceAll('/', '-')}`,
    node,
    instance: context.instance,
    devPath: devpath,
    model: model.trim(),
    serial: serial.trim(),
    type: typeOf(disk),
    size,
    health,
    ...(note && { healthNote: note }),
    wearout: wearoutOf(disk, smart?.value),
    temperature: (smart && temperatureOf(smart.value)) ?? 0,
    rpm: Math.max(0, disk.rpm ?? 0),
    ...(smart && { smartAt: shownAt(smart.at, context) }),
    used,
    lastChecked: new Date(shownAt(at, context)).toISOString(),
    source: context.source,
    ...(staleSince !== undefined && { staleSince: shownAt(staleSince, context) }),
  }
}

/** SAS disks report OK instead of PASSED, and have an unknown type if they hide their speed. */
function typeOf({ type = '', devpath, health, by_id_link: link = '' }: PveDisk): string {
  if (type === 'nvme' || devpath.startsWith('/dev/nvme')) return 'nvme'
  if (type === 'usb' || /\/usb-/.test(link)) return 'other'
  if (health === 'OK' || /\/(scsi|sas)-/.test(link)) return 'sas'
  return type === 'ssd' || type === 'hdd' ? 'sata' : 'other'
}

/** The firmware of these models reports false failures. */
const falseFailures = /Samsung SSD 9[89]0/i

/** The words that pages and alerts support. Any other word does not describe the disk's health. */
const verdicts: readonly string[] = ['PASSED', 'OK', 'GOOD', 'FAILED', 'UNKNOWN']

function healthOf({ health: word = '', model = '' }: PveDisk): { health: string; note?: string } {
  const health = word.trim().replace(/!$/, '').toUpperCase() || 'UNKNOWN'
  if (!verdicts.includes(health)) return { health: 'UNKNOWN', note: noteOf(word.trim().slice(0, 60)) }
  if (health !== 'FAILED' || !falseFailures.test(model)) return { health }
  return {
    health: 'UNKNOWN',
    note: 'It reports a failure, which the firmware of this model also does for healthy disks: check its wear and its pool.',
  }
}

const noteOf = (word: string): string =>
  /^SMART disabled$/i.test(word) ? 'SMART is disabled on this disk.' : `It reports “${word}”.`

/** Attributes that various makers use for the remaining life. */
const endurance = new Set([169, 173, 177, 202, 230, 231, 232, 233])

/** 0 counts only if the disk itself reports its wear. More than 100 is a maker's own scale. */
function wearoutOf({ wearout, type }: PveDisk, smart: PveSmart | undefined): number {
  if (wearout === undefined || wearout < 0) return -1
  if (wearout > 0) return Math.min(100, Math.round(wearout))
  if (type === 'hdd' || !smart) return -1
  const isKept =
    /Percentage Used:\s*\d+/i.test(smart.text ?? '') ||
    smart.attributes?.some(({ id }) => endurance.has(id ?? 0))
  return isKept ? 0 : -1
}

/** Makers pack several values into the raw value. Its first number is the temperature. */
export function temperatureOf({ text = '', attributes = [] }: PveSmart): number | undefined {
  const [, celsius] =
    /^(?:Current Drive )?Temperature:[ \t]+(\d{1,3})[ \t]*(?:C|Celsius)\b/im.exec(text) ?? []
  const raw = attributes.find(({ id }) => id === 194)?.raw ?? attributes.find(({ id }) => id === 190)?.raw
  const degrees = Number(celsius ?? /\d{1,3}/.exec(raw ?? '')?.[0] ?? NaN)
  return degrees > 0 && degrees < 150 ? degrees : undefined
}
