import type { Disk } from '../estate/disks.ts'
import type { Node } from '../estate/estate.ts'
import { ApiError } from '../api/api-error.ts'
import { memberOf } from './member.ts'
import { isTrue } from '../api/parameters.ts'
import { type Call, needs, type Route } from './route.ts'
import { poolDetail, poolList } from './zfs.ts'

const auditAnywhere = needs('/', 'Sys.Audit')
const auditOnNode: NonNullable<Route['missing']> = (rights, params, cluster) =>
  auditAnywhere(rights, params, cluster) && needs('/nodes/{node}', 'Sys.Audit')(rights, params, cluster)

export const diskRoutes: readonly Route[] = [
  {
    path: '/nodes/{node}/disks/list',
    query: { skipsmart: 'boolean', 'include-partitions': 'boolean', type: ['unused', 'journal_disks'] },
    missing: auditOnNode,
    answer: list,
  },
  {
    path: '/nodes/{node}/disks/smart',
    query: { disk: { required: 'string' }, healthonly: 'boolean' },
    missing: auditAnywhere,
    answer: smart,
  },
  { path: '/nodes/{node}/disks/zfs', missing: auditAnywhere, answer: (call) => poolList(memberOf(call)) },
  {
    path: '/nodes/{node}/disks/zfs/{name}',
    missing: auditAnywhere,
    answer: (call) => poolDetail(memberOf(call), call.params.name!),
  },
]

function list(call: Call) {
  const quick = isTrue(call.params.skipsmart)
  const disks = disksOf(memberOf(call)).filter(
    ({ used }) => call.params.type === undefined || used === undefined,
  )
  return disks.map((disk) => ({
    devpath: disk.devpath,
    by_id_link: linkOf(disk),
    type: disk.type,
    size: disk.sizeBytes,
    model: disk.model,
    serial: disk.serial,
    vendor: disk.vendor,
    wwn: disk.wwn,
    gpt: Number(disk.used !== undefined),
    rpm: disk.rpm,
    health: quick ? 'UNKNOWN' : disk.health,
    wearout: quick ? 'N/A' : disk.wearout,
    osdid: disk.osd ?? -1,
    ...(call.cluster.release.major >= 8 && {
      'osdid-list': disk.osd === undefined ? null : [String(disk.osd)],
    }),
    ...(disk.used !== undefined && { used: disk.used }),
    ...(disk.used === 'ext4' && { mounted: 1 }),
  }))
}

function linkOf({ devpath, model, serial }: Disk): string {
  const bus = devpath.includes('nvme') ? 'nvme' : 'ata'
  return `/dev/disk/by-id/${bus}-${model.replaceAll(' ', '_')}_${serial}`
}

function smart(call: Call) {
  const disk = disksOf(memberOf(call)).find(({ devpath }) => devpath === call.params.disk)
  if (!disk) throw new ApiError(500, `${call.params.disk}: no such device`)
  if (isTrue(call.params.healthonly)) return { health: disk.health }
  if (disk.type === 'usb') return { type: 'text', health: disk.health, text: '' }
  if (disk.type === 'nvme' || disk.type === 'unknown') {
    const text =
      disk.type === 'nvme' ? nvmeText(disk) : `Current Drive Temperature:     ${disk.temperatureCelsius} C\n`
    return {
      type: 'text',
      health: disk.health,
      text,
      ...(lifeLeft(disk) !== undefined && { wearout: disk.wearout }),
    }
  }
  return { type: 'ata', health: disk.health, attributes: attributesOf(disk) }
}

/** Percent, if the disk reports it. */
function lifeLeft({ wearout }: Disk): number | undefined {
  const left = Number.parseFloat(String(wearout).replaceAll('"', ''))
  return Number.isNaN(left) ? undefined : left
}

function nvmeText(disk: Disk): string {
  const { temperatureCelsius, health } = disk
  const used = 100 - (lifeLeft(disk) ?? 100)
  return `
SMART/Health Information (NVMe Log 0x02, NSID 0xffffffff)
Critical Warning:                   ${health === 'PASSED' ? '0x00' : '0x04'}
Temperature:                        ${temperatureCelsius} Celsius
Available Spare:                    100%
Available Spare Threshold:          10%
Percentage Used:                    ${used}%
Power Cycles:                       13
Power On Hours:                     2,425
Unsafe Shutdowns:                   3
Media and Data Integrity Errors:    0

`
}

function attributesOf(disk: Disk) {
  const { temperatureCelsius, health } = disk
  const left = lifeLeft(disk)
  const attribute = (id: number, name: string, value: number, raw: string) => ({
    id: String(id).padStart(3, ' '),
    name,
    value: String(value),
    normalized: value,
    worst: String(value),
    threshold: '0',
    raw,
    flags: '-O--CK',
    fail: '-',
  })
  return [
    attribute(5, 'Reallocated_Sector_Ct', health === 'PASSED' ? 100 : 8, health === 'PASSED' ? '0' : '1872'),
    attribute(9, 'Power_On_Hours', 97, '25431'),
    attribute(194, 'Temperature_Celsius', 100 - temperatureCelsius, `${temperatureCelsius} (Min/Max 20/45)`),
    ...(left === undefined ? [] : [attribute(202, 'Percent_Lifetime_Remain', left, String(100 - left))]),
  ]
}

/** The current disks, with changes of the control API. */
const disksOf = ({ disks, pins }: Node): Disk[] =>
  pins.disks ? disks.map((disk) => ({ ...disk, ...pins.disks![disk.devpath] })) : disks
